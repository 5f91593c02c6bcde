// Maps of heads of one layer and one sequence, made from kept queries and keys: the weight,
// the score, the score without rotation, or what the rotation adds. A pixel shows the largest number that it covers, so
// that thin diagonals survive in a small picture. One invocation a pixel.
#import shared/row_statistics

override turns_back: bool = false;   // by the table; without it, heads were never turned

@group(0) @binding(6) var<storage, read_write> answer: array<f32>;   // from `offset`: (chosen heads, rows, columns)
struct Parameters {
    heads: Heads,
    numbers: u32,           // chosen heads · rows · columns
    first_head: u32,
    first_query: u32, queries: u32,      // that are shown
    first_key: u32, shown_keys: u32,
    rows: u32, columns: u32,             // pixels
    offset: u32,
    kind: u32,              // 0 weight, 1 score, 2 score without rotation, 3 what the rotation adds, 4 whether the mask lets it be seen
}
@group(0) @binding(7) var<uniform> p: Parameters;

// The tokens that pixel `at` of `pixels` covers, of `count`: first, and one past the last.
fn covered(at: u32, pixels: u32, count: u32) -> vec2u {
    let first = at * count / pixels;
    return vec2u(first, min(count, max(first + 1u, ((at + 1u) * count + pixels - 1u) / pixels)));
}

fn shown(head: u32, query: u32, key: u32, row: vec2f) -> f32 {
    if p.kind == 4u { return select(0.0, 1.0, mask(p.heads.first_position + query, key) == 0.0); }
    if p.kind == 0u { return attention_weight(head, query, key, row); }
    let number = score(head, query, key);
    if p.kind == 1u { return number; }
    var plain = number;
    if turns_back { plain = score_at(head, query, key, 0); }
    return select(number - plain, plain, p.kind == 2u);
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let at = (group.x + group.y * groups.x) * 64u + invocation;
    if at >= p.numbers { return; }
    sequence = p.heads.sequence;
    let rows = covered(at / p.columns % p.rows, p.rows, p.queries);
    let columns = covered(at % p.columns, p.columns, p.shown_keys);
    let head = p.first_head + at / p.columns / p.rows;
    var largest = LOWEST;
    for (var query = p.first_query + rows.x; query < p.first_query + rows.y; query++) {
        let row = row_statistics(head, query);
        for (var key = p.first_key + columns.x; key < p.first_key + columns.y; key++) {
            largest = max(largest, shown(head, query, key, row));
        }
    }
    answer[p.offset + at] = largest;
}
