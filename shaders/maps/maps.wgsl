// Attention maps of some heads of one layer and sequence, from cached queries and keys: weights, scores, scores without rotation, the
// difference of both, or the mask. A pixel shows the largest number that it covers, so that thin diagonals survive in a small picture.
// One invocation per pixel.
#import shared/head_score
#import shared/group

override removes_rotation: bool = false;   // false: queries and keys were never rotated

@group(0) @binding(6) var<storage, read_write> results: array<f32>;   // from `offset`: (heads, rows, columns)
struct Parameters {
    heads: Heads,
    pixels: u32,                       // heads · rows · columns
    first_head: u32,                   // of the head range
    first_query: u32, queries: u32,    // query rows of the map
    first_key: u32, window_keys: u32,   // keys of the map
    rows: u32, columns: u32,           // of the map in pixels
    offset: u32,                       // index in `results`
    kind: u32,                         // MapKind: 0 weight, 1 score, 2 score without rotation, 3 score less that, 4 visible
}
@group(0) @binding(7) var<uniform> p: Parameters;

// The range of tokens, of `count`, that pixel `at` of `pixels` covers.
fn covered_tokens(at: u32, pixels: u32, count: u32) -> vec2u {
    let first = at * count / pixels;
    return vec2u(first, min(count, max(first + 1u, ((at + 1u) * count + pixels - 1u) / pixels)));
}

fn pixel_value(head: u32, query: u32, key: u32, row: vec2f) -> f32 {
    if p.kind == 4u { return select(0.0, 1.0, mask(p.heads.first_position + query, key) == 0.0); }
    if p.kind == 0u { return attention_weight(head, query, key, row); }
    let number = score(head, query, key);
    if p.kind == 1u { return number; }
    var plain = number;
    if removes_rotation { plain = score_at_distance(head, query, key, 0); }
    return select(number - plain, plain, p.kind == 2u);
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let at = index_of(group) * WORKGROUP + invocation;
    if at >= p.pixels { return; }
    sequence = p.heads.sequence;
    let rows = covered_tokens(at / p.columns % p.rows, p.rows, p.queries);
    let columns = covered_tokens(at % p.columns, p.columns, p.window_keys);
    let head = p.first_head + at / p.columns / p.rows;
    var largest = LOWEST;
    for (var query = p.first_query + rows.x; query < p.first_query + rows.y; query++) {
        let row = row_statistics(head, query);
        for (var key = p.first_key + columns.x; key < p.first_key + columns.y; key++) {
            largest = max(largest, pixel_value(head, query, key, row));
        }
    }
    results[p.offset + at] = largest;
}
