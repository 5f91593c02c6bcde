// Maps of heads of one layer and one sequence, made from kept queries and keys: the weight e^(score − largest) / sum, or the score.
// A pixel shows the largest number that it covers, so that thin diagonals survive in a small picture. One invocation a pixel.
@group(0) @binding(0) var<storage, read>       queries:    array<f32>;    // (batch, query_pitch, query_stride), rotated
@group(0) @binding(1) var<storage, read>       keys:       array<f32>;    // (batch, key_pitch, key_stride), rotated
@group(0) @binding(2) var<storage, read>       key_mask:   array<f32>;    // (batch, keys): 0, or f32::MIN where the attention mask is 0
@group(0) @binding(3) var<storage, read>       statistics: array<vec2f>;  // (batch, statistics_pitch, heads): largest, sum
@group(0) @binding(4) var<storage, read_write> answer:     array<f32>;    // from `offset`: (chosen heads, rows, columns)
struct Parameters {
    numbers: u32,           // chosen heads · rows · columns
    keys: u32,
    first_position: u32,    // position in the sequence of query row 0
    heads: u32,
    group: u32,             // query heads that share a key head
    head_size: u32,
    query_first: u32, query_stride: u32, query_pitch: u32,
    key_first: u32, key_stride: u32, key_pitch: u32,
    statistics_pitch: u32,
    causal: u32,
    window: u32,
    sequence: u32,
    first_head: u32,
    first_query: u32, queries: u32,      // that are shown
    first_key: u32, shown_keys: u32,
    rows: u32, columns: u32,             // pixels
    offset: u32,
    is_score: u32,
    scale: f32,
}
@group(0) @binding(5) var<uniform> p: Parameters;

const LOWEST: f32 = -0x1.fffffep+127f;

// The tokens that pixel `at` of `pixels` covers, of `count`: first, and one past the last.
fn covered(at: u32, pixels: u32, count: u32) -> vec2u {
    let first = at * count / pixels;
    return vec2u(first, min(count, max(first + 1u, ((at + 1u) * count + pixels - 1u) / pixels)));
}

fn score(head: u32, query: u32, key: u32) -> f32 {
    let q = (p.sequence * p.query_pitch + query) * p.query_stride + p.query_first + head * p.head_size;
    let k = (p.sequence * p.key_pitch + key) * p.key_stride + p.key_first + head / p.group * p.head_size;
    var sum = 0.0;
    for (var i = 0u; i < p.head_size; i++) { sum += queries[q + i] * keys[k + i]; }
    return sum * p.scale;
}

fn mask(query: u32, key: u32) -> f32 {
    if p.causal != 0u && key > query { return LOWEST; }
    if p.window != 0u && key + p.window <= query { return LOWEST; }
    return key_mask[p.sequence * p.keys + key];
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let at = (group.x + group.y * groups.x) * 64u + invocation;
    if at >= p.numbers { return; }
    let rows = covered(at / p.columns % p.rows, p.rows, p.queries);
    let columns = covered(at % p.columns, p.columns, p.shown_keys);
    let head = p.first_head + at / p.columns / p.rows;
    var largest = LOWEST;
    for (var query = p.first_query + rows.x; query < p.first_query + rows.y; query++) {
        let row = statistics[(p.sequence * p.statistics_pitch + query) * p.heads + head];
        for (var key = p.first_key + columns.x; key < p.first_key + columns.y; key++) {
            var number = score(head, query, key);
            if p.is_score == 0u { number = exp(number + mask(p.first_position + query, key) - row.x) / row.y; }
            largest = max(largest, number);
        }
    }
    answer[p.offset + at] = largest;
}
