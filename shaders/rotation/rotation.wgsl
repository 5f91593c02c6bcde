// Optionally RMS-norms each query head and key head, then rotates adjacent pairs of the first `rotated` heads:
// y[2i] = x[2i] cos mθᵢ − x[2i+1] sin mθᵢ,  y[2i+1] = x[2i+1] cos mθᵢ + x[2i] sin mθᵢ   (eq. 34)
// Used where heads are normed or the unrotated projection is tapped; otherwise the epilogue of the GEMM rotates.
// One workgroup per token and head.
#import shared/workgroup_sum
#import shared/group

override rotates: bool = true;
override normalises: bool = false;
override intervenes: bool = false;   // pairs may be frozen or ablated

@group(0) @binding(0) var<storage, read>       x:          array<f32>;     // (tokens, heads, head_size)
@group(0) @binding(1) var<storage, read>       table:      array<vec2f>;   // (keys, head_size / 2): cos, sin
@group(0) @binding(2) var<storage, read>       positions:  array<u32>;     // (tokens): row of `table` of each token
@group(0) @binding(3) var<storage, read>       query_gain: array<f32>;     // (head_size)
@group(0) @binding(4) var<storage, read>       key_gain:   array<f32>;     // (head_size)
@group(0) @binding(5) var<storage, read>       modes:      array<u32>;     // (layers · heads, head_size / 2): 0 rotated, 1 frozen, 2 ablated
@group(0) @binding(6) var<storage, read_write> y:          array<f32>;     // (tokens, heads, head_size)
struct Parameters {
    tokens: u32,
    heads: u32,              // query, key and value heads
    head_size: u32,
    rotated: u32,            // heads 0 .. rotated are rotated
    query_heads: u32,        // heads with query_gain
    key_heads: u32,          // the next heads, with key_gain
    first_mode: u32,         // row of `modes` of this layer's first head
    heads_with_modes: u32,   // heads 0 .. heads_with_modes: queries and keys
    epsilon: f32,
}
@group(0) @binding(7) var<uniform> p: Parameters;

// The gain of dimension i of a head; 1 for value heads.
fn gain(head: u32, i: u32) -> f32 {
    if head < p.query_heads { return query_gain[i]; }
    if head < p.query_heads + p.key_heads { return key_gain[i]; }
    return 1.0;
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let row = index_of(group);   // (tokens, heads)
    if row >= p.tokens * p.heads { return; }
    let head = row % p.heads;
    let start = row * p.head_size;
    var scale = 1.0;
    if normalises {
        var squares = 0.0;
        for (var i = invocation; i < p.head_size; i += WORKGROUP) { squares += x[start + i] * x[start + i]; }
        let mean = workgroup_sum(squares, invocation) / f32(p.head_size);
        if head < p.query_heads + p.key_heads { scale = inverseSqrt(mean + p.epsilon); }
    }
    let pairs = p.head_size / 2u;
    for (var pair = invocation; pair < pairs; pair += WORKGROUP) {
        var value = vec2f(x[start + 2u * pair], x[start + 2u * pair + 1u]) * scale;
        if normalises { value *= vec2f(gain(head, 2u * pair), gain(head, 2u * pair + 1u)); }
        if rotates && head < p.rotated {
            let cos_sin = table[positions[row / p.heads] * pairs + pair];
            var mode = 0u;
            if intervenes && head < p.heads_with_modes { mode = modes[(p.first_mode + head) * pairs + pair]; }
            if mode == 0u {
                value = vec2f(value.x * cos_sin.x - value.y * cos_sin.y, value.y * cos_sin.x + value.x * cos_sin.y);
            } else if mode == 1u {
                value *= length(cos_sin);   // frozen: θ = 0, the rope's magnitude stays
            } else {
                value = vec2f(0.0);
            }
        }
        y[start + 2u * pair] = value.x;
        y[start + 2u * pair + 1u] = value.y;
    }
}
