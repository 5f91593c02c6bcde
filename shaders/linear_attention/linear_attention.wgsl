// Linear attention (eq. 19): R_m φ(q_m) times the sums of rotated keys and values, divided by φ(q_m) times the sum of unrotated keys.
// If causal, the sums are those before the query's chunk, and the keys of the chunk up to the query are added here.
// One workgroup per query row, head and tile of 64 output columns.
#import shared/group
@group(0) @binding(0) var<storage, read>       rows:       array<f32>;     // (batch, length, stride): rotated queries and keys, values
@group(0) @binding(1) var<storage, read>       plain:      array<f32>;     // (batch, length, stride): unrotated queries and keys
@group(0) @binding(2) var<storage, read>       key_mask:   array<f32>;     // (batch, keys): 0, or f32::MIN where the attention mask is 0
@group(0) @binding(3) var<storage, read>       sums:       array<f32>;     // (batch, chunks, key_heads, head_size, head_size + 1)
@group(0) @binding(4) var<storage, read_write> head_outputs:    array<f32>;     // (batch, length, heads, head_size)
@group(0) @binding(5) var<storage, read_write> statistics: array<vec2f>;   // (batch, statistics_pitch, heads): 0, denominator
struct Parameters {
    length: u32,           // query rows of each sequence
    keys: u32,             // of each sequence, also those before the run
    past: u32,             // position of the first query row
    sequence_heads: u32,   // batch · heads
    heads: u32,
    group: u32,            // query heads that share a key head
    head_size: u32,
    stride: u32,           // numbers of a row
    query_first: u32,      // first column; so are the next two
    key_first: u32,
    value_first: u32,
    statistics_first: u32, statistics_pitch: u32,
    causal: u32,
    chunks: u32,           // sums of each sequence
}
@group(0) @binding(6) var<uniform> p: Parameters;

const CHUNK: u32 = 64u;                     // keys, and columns of a workgroup
var<workgroup> scores: array<f32, CHUNK>;   // q · k for the chunk's keys, rotated
var<workgroup> denominators: array<f32, CHUNK>;

@compute @workgroup_size(CHUNK)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let workgroup = index_of(group);   // (queries, column tiles, batch · heads)
    let sequence_head = workgroup % p.sequence_heads;
    let column_tiles = (p.head_size + CHUNK - 1u) / CHUNK;
    let first_column = workgroup / p.sequence_heads % column_tiles * CHUNK;
    let query = workgroup / p.sequence_heads / column_tiles;
    if query >= p.length { return; }
    let sequence = sequence_head / p.heads;
    let head = sequence_head % p.heads;
    let key_head = head / p.group;
    let query_start = (sequence * p.length + query) * p.stride + p.query_first + head * p.head_size;
    let row_width = p.head_size + 1u;
    var chunk = 0u;
    if p.causal != 0u {
        chunk = query / CHUNK;
        let key = chunk * CHUNK + invocation;
        var score = 0.0;
        var denominator = 0.0;
        if key <= query && key_mask[sequence * p.keys + p.past + key] == 0.0 {
            let key_start = (sequence * p.length + key) * p.stride + p.key_first + key_head * p.head_size;
            for (var i = 0u; i < p.head_size; i++) {
                score += rows[query_start + i] * rows[key_start + i];
                denominator += plain[query_start + i] * plain[key_start + i];
            }
        }
        scores[invocation] = score;
        denominators[invocation] = denominator;
        workgroupBarrier();
    }
    let column = first_column + invocation;
    let sums_start = ((sequence * p.chunks + chunk) * (p.heads / p.group) + key_head) * p.head_size * row_width;
    var sum = 0.0;
    var total = 0.0;
    for (var i = 0u; i < p.head_size; i++) {
        let row = sums_start + i * row_width;
        if column < p.head_size { sum += rows[query_start + i] * sums[row + column]; }
        total += plain[query_start + i] * sums[row + p.head_size];
    }
    if p.causal != 0u {
        for (var at = 0u; at <= query % CHUNK; at++) {
            let value = (sequence * p.length + chunk * CHUNK + at) * p.stride + p.value_first + key_head * p.head_size;
            if column < p.head_size { sum += scores[at] * rows[value + column]; }
            total += denominators[at];
        }
    }
    // All keys are masked: the output is 0.
    if total == 0.0 { total = 1.0; }
    if column < p.head_size { head_outputs[((sequence * p.length + query) * p.heads + head) * p.head_size + column] = sum / total; }
    if column == 0u {
        let row = sequence * p.statistics_pitch + p.statistics_first + query;
        statistics[row * p.heads + head] = vec2f(0.0, total);
    }
}
