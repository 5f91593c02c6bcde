// The repetition penalty, in place: logits of ids that a row has seen are divided by it if positive, else multiplied. One invocation per entry
// of `ids`.
#import shared/group
@group(0) @binding(0) var<storage, read>       ids:    array<u32>;   // (rows, stride): the number of ids, then the ids, each once
@group(0) @binding(1) var<storage, read>       penalty: array<f32>;   // (1)
@group(0) @binding(2) var<storage, read_write> logits:  array<f32>;   // (rows, vocabulary)
struct Parameters { rows: u32, vocabulary: u32, stride: u32 }
@group(0) @binding(3) var<uniform> p: Parameters;

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let at = index_of(group) * WORKGROUP + invocation;
    let row = at / p.stride;
    let place = at % p.stride;
    if row >= p.rows || place == 0u || place > ids[row * p.stride] { return; }
    let id = ids[at];
    if id >= p.vocabulary { return; }
    let logit = logits[row * p.vocabulary + id];
    if logit < 0.0 { logits[row * p.vocabulary + id] = logit * penalty[0]; }
    else { logits[row * p.vocabulary + id] = logit / penalty[0]; }
}
