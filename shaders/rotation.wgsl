// Rotates adjacent pairs:  y[2i] = x[2i] cos mθᵢ − x[2i+1] sin mθᵢ,  y[2i+1] = x[2i+1] cos mθᵢ + x[2i] sin mθᵢ   (eq. 34)
// Alone only where the unrotated projection is tapped; else the product's epilogue does it. One invocation a pair.
@group(0) @binding(0) var<storage, read>       x:     array<vec2f>;   // (rows, width / 2)
@group(0) @binding(1) var<storage, read>       table: array<vec2f>;   // (length, head_size / 2): cos, sin
@group(0) @binding(2) var<storage, read_write> y:     array<vec2f>;   // (rows, width / 2)
struct Parameters { rows: u32, pairs: u32, length: u32, head_pairs: u32, rotated_pairs: u32 }
@group(0) @binding(3) var<uniform> p: Parameters;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let at = (group.x + group.y * groups.x) * 64u + invocation;
    if at >= p.rows * p.pairs { return; }
    let pair = at % p.pairs;
    let value = x[at];
    if pair >= p.rotated_pairs {
        y[at] = value;
        return;
    }
    let position = (at / p.pairs) % p.length;
    let turn = table[position * p.head_pairs + pair % p.head_pairs];
    y[at] = vec2f(value.x * turn.x - value.y * turn.y, value.y * turn.x + value.x * turn.y);
}
