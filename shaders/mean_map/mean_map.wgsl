// Many heads' maps in one: the sum over heads of one layer of their weights times a share, each key's times a factor where there
// are any; added to what is there, or in its place. Weights are made from kept queries and keys and stored nowhere. One invocation
// a cell.
#import shared/row_statistics

override has_factors: bool = false;

@group(0) @binding(6) var<storage, read_write> answer: array<f32>;   // from `offset`: (queries, keys); from `factors`: (chosen heads, keys)
struct Parameters {
    heads: Heads,
    numbers: u32,           // queries · keys
    first_head: u32, chosen: u32,
    factors: u32,
    adds: u32,
    offset: u32,
    share: f32,
}
@group(0) @binding(7) var<uniform> p: Parameters;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let at = (group.x + group.y * groups.x) * 64u + invocation;
    if at >= p.numbers { return; }
    sequence = p.heads.sequence;
    let query = at / p.heads.keys;
    let key = at % p.heads.keys;
    var sum = 0.0;
    for (var chosen = 0u; chosen < p.chosen; chosen++) {
        let head = p.first_head + chosen;
        let row = row_statistics(head, query);
        var weight = attention_weight(head, query, key, row);
        if has_factors { weight *= answer[p.factors + chosen * p.heads.keys + key]; }
        sum += weight;
    }
    sum *= p.share;
    if p.adds != 0u { sum += answer[p.offset + at]; }
    answer[p.offset + at] = sum;
}
