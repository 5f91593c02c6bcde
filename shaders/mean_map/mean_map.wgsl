// A weighted sum of attention maps of one layer: Σ over heads of share · weight, optionally times a factor per head and key. It replaces
// the numbers in the result buffer, or is added to them. One invocation per cell of the map.
#import shared/head_score
#import shared/group

override has_factors: bool = false;

@group(0) @binding(6) var<storage, read_write> results: array<f32>;   // from `offset`: (queries, keys); from `factors`: (heads, keys)
struct Parameters {
    heads: Heads,
    cells: u32,                     // queries · keys
    first_head: u32, head_count: u32,   // heads
    factors: u32,                   // index in `results`
    accumulates: u32,               // 1: adds to the result buffer, 0: replaces it
    offset: u32,                    // index in `results`
    share: f32,
}
@group(0) @binding(7) var<uniform> p: Parameters;

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let at = index_of(group) * WORKGROUP + invocation;
    if at >= p.cells { return; }
    sequence = p.heads.sequence;
    let query = at / p.heads.keys;
    let key = at % p.heads.keys;
    var sum = 0.0;
    for (var index = 0u; index < p.head_count; index++) {
        let head = p.first_head + index;
        let row = row_statistics(head, query);
        var weight = attention_weight(head, query, key, row);
        if has_factors { weight *= results[p.factors + index * p.heads.keys + key]; }
        sum += weight;
    }
    sum *= p.share;
    if p.accumulates != 0u { sum += results[p.offset + at]; }
    results[p.offset + at] = sum;
}
