// Head ablation: replaces rows of a head's output, in place, by zero or by their mean over the tokens of the sequence that are no padding.
// One workgroup per sequence and head; each invocation has columns of its own.
#import shared/group
@group(0) @binding(0) var<storage, read>       modes:    array<u32>;   // (layers · heads, length): 0 unchanged, 1 zero, 2 mean
@group(0) @binding(1) var<storage, read>       key_mask: array<f32>;   // (batch, past + length): 0, or f32::MIN where the attention mask is 0
@group(0) @binding(2) var<storage, read_write> head_outputs:  array<f32>;   // (batch, length, heads, head_size)
struct Parameters {
    sequence_heads: u32,   // batch · heads
    heads: u32,
    head_size: u32,
    length: u32,
    past: u32,             // tokens of earlier runs
    first_head: u32,       // row of `modes` of this layer's first head
}
@group(0) @binding(3) var<uniform> p: Parameters;

const UNCHANGED: u32 = 0u;
const MEAN: u32 = 2u;

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let workgroup = index_of(group);
    if workgroup >= p.sequence_heads { return; }
    let sequence = workgroup / p.heads;
    let head = workgroup % p.heads;
    let stride = p.heads * p.head_size;
    let mask = sequence * (p.past + p.length) + p.past;
    let first_mode = (p.first_head + head) * p.length;
    for (var column = invocation; column < p.head_size; column += WORKGROUP) {
        let start = sequence * p.length * stride + head * p.head_size + column;
        var needs_mean = false;
        for (var row = 0u; row < p.length; row++) { needs_mean |= modes[first_mode + row] == MEAN; }
        var sum = 0.0;
        var count = 0u;
        for (var row = 0u; needs_mean && row < p.length; row++) {
            if key_mask[mask + row] == 0.0 {
                sum += head_outputs[start + row * stride];
                count++;
            }
        }
        let mean = sum / f32(max(count, 1u));
        for (var row = 0u; row < p.length; row++) {
            let mode = modes[first_mode + row];
            if mode != UNCHANGED { head_outputs[start + row * stride] = select(0.0, mean, mode == MEAN); }
        }
    }
}
