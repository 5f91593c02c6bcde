// Greedy decoding: writes the best id of each row to the ids of the next step; of equally good ones the lowest. One invocation per row.
#import shared/group
@group(0) @binding(0) var<storage, read>       top: array<f32>;   // (rows, 2k): k logarithms, best first, then k ids as exact f32
@group(0) @binding(1) var<storage, read_write> ids: array<u32>;   // (rows)
struct Parameters { rows: u32, k: u32 }   // k: candidates of a row
@group(0) @binding(2) var<uniform> p: Parameters;

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let row = index_of(group) * WORKGROUP + invocation;
    if row >= p.rows { return; }
    let first = row * 2u * p.k;
    var best = top[first + p.k];
    for (var at = 1u; at < p.k && top[first + at] == top[first]; at++) { best = min(best, top[first + p.k + at]); }
    ids[row] = u32(best);
}
