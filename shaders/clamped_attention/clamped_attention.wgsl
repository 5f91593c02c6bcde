// Attention with clamped distances (ReRoPE). One workgroup per query row, head and tile of 64 output columns: its invocations score 64 keys
// at a time with an online softmax, then have a column each.
#import shared/head_score
#import shared/group

@group(0) @binding(5) var<storage, read>       values:     array<CacheNumber>;   // (batch, value_pitch, value_stride)
@group(0) @binding(6) var<storage, read_write> head_outputs:    array<f32>;     // (batch, length, heads, head_size)
@group(0) @binding(7) var<storage, read_write> statistics: array<vec2f>;   // (batch, statistics_pitch, heads): max of scores, sum of e^(score − max)
struct Parameters {
    heads: Heads,
    sequence_heads: u32,   // batch · heads
    value_first: u32, value_stride: u32, value_pitch: u32,
    statistics_first: u32,
}
@group(0) @binding(8) var<uniform> p: Parameters;

var<workgroup> tile: array<f32, WORKGROUP>;   // scores of 64 keys, then e^(score − max)

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let workgroup = index_of(group);   // (queries, column tiles, batch · heads)
    let column_tiles = (p.heads.head_size + WORKGROUP - 1u) / WORKGROUP;
    let head = workgroup % p.sequence_heads % p.heads.query_heads;
    let first_column = workgroup / p.sequence_heads % column_tiles * WORKGROUP;
    let query = workgroup / p.sequence_heads / column_tiles;
    if query >= p.heads.length { return; }
    sequence = workgroup % p.sequence_heads / p.heads.query_heads;
    let column = first_column + invocation;
    var largest = LOWEST;
    var total = 0.0;
    var sum = 0.0;
    for (var first_key = 0u; first_key < p.heads.keys; first_key += WORKGROUP) {
        let key = first_key + invocation;
        let here = min(WORKGROUP, p.heads.keys - first_key);
        var number = LOWEST;
        if key < p.heads.keys { number = score(head, query, key) + mask(p.heads.first_position + query, key); }
        tile[invocation] = number;
        workgroupBarrier();
        var most = largest;
        for (var at = 0u; at < here; at++) { most = max(most, tile[at]); }
        workgroupBarrier();
        tile[invocation] = exp(number - most);
        workgroupBarrier();
        let correction = exp(largest - most);
        total *= correction;
        sum *= correction;
        for (var at = 0u; at < here; at++) {
            total += tile[at];
            if column < p.heads.head_size {
                let row = (sequence * p.value_pitch + first_key + at) * p.value_stride;
                sum += tile[at] * f32(values[row + p.value_first + head / p.heads.group * p.heads.head_size + column]);
            }
        }
        largest = most;
        workgroupBarrier();
    }
    if column < p.heads.head_size { head_outputs[((sequence * p.heads.length + query) * p.heads.query_heads + head) * p.heads.head_size + column] = sum / total; }
    if column == 0u {
        let row = sequence * p.heads.statistics_pitch + p.statistics_first + query;
        statistics[row * p.heads.query_heads + head] = vec2f(largest, total);
    }
}
