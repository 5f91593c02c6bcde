// context = softmax(q kᵀ · scale + mask) v for a run of few queries: a workgroup makes up to 256 columns of one query row of one head,
// over a slice of the keys, from 256 at a time, and the softmax is corrected while they pass. Its invocations have the scores of four
// keys each, then share keys and columns.
#import attention/operands

const LANES: u32 = 64u;
const LINES: u32 = 8u;                              // what all invocations have is joined in two steps of eight
const TILE: u32 = 4u * LANES;                       // keys, and columns
var<workgroup> weights: array<vec4f, LANES>;        // of the keys 64 apart that an invocation has
var<workgroup> parts: array<vec4f, LANES>;          // of each invocation: its largest score, its total, its sums
var<workgroup> joined: array<f32, LINES>;
var<workgroup> none_seen: u32;

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let workgroup = group.x + group.y * groups.x;   // (query rows, slices, column tiles, batch · heads)
    let sequence_head = workgroup % p.sequence_heads;
    let column_tiles = (p.head_size + TILE - 1u) / TILE;
    let first_column = (workgroup / p.sequence_heads) % column_tiles * TILE;
    let line = workgroup / p.sequence_heads / column_tiles;
    let row = line / p.slices;
    if row >= p.length { return; }
    let sequence = sequence_head / p.heads;
    let head = sequence_head % p.heads;
    let query = query_start(sequence, head, row);

    // Four columns of every so many keys.
    let fours = (min(TILE, p.head_size - first_column) + 3u) / 4u;
    let slices = LANES / fours;
    let slice = lane / fours;
    let column = first_column + lane % fours * 4u;

    let of_slice = (p.keys + p.slices - 1u) / p.slices;
    let slice_of_keys = min(vec2u(line % p.slices) * of_slice + vec2u(0u, of_slice), vec2u(p.keys));
    var range = clamp(seen(p.past + row, p.past + row), slice_of_keys.xx, slice_of_keys.yy);
    var largest: f32;
    var total: f32;
    var sum: vec4f;
    loop {
        largest = LOWEST;
        total = 0.0;
        sum = vec4f(0.0);
        for (var first_key = range.x; first_key < range.y; first_key += TILE) {
            let places = vec4u(first_key + lane) + LANES * vec4u(0u, 1u, 2u, 3u);
            var scores = vec4f(0.0);
            for (var i = 0u; i < 4u; i++) {
                if places[i] >= range.y { break; }
                let key = key_start(sequence, head, places[i]);
                var score = 0.0;
                for (var at = 0u; at < p.head_size; at += 4u) { score += dot(four_of_query(query, at), four_of_key(key, at)); }
                scores[i] = score;
            }
            let there = places < vec4u(range.y);
            scores = select(vec4f(LOWEST), masked(sequence, p.past + row, places, scores), there);
            parts[lane].x = largest_of(scores);
            workgroupBarrier();
            if lane < LINES {
                var most = parts[lane].x;
                for (var i = lane + LINES; i < LANES; i += LINES) { most = max(most, parts[i].x); }
                joined[lane] = most;
            }
            workgroupBarrier();
            let before = largest;
            for (var i = 0u; i < LINES; i++) { largest = max(largest, joined[i]); }
            let correction = exp(before - largest);
            scores = exp(scores - largest) * vec4f(there);
            total = total * correction + sum_of(scores);
            weights[lane] = scores;
            workgroupBarrier();
            sum *= correction;
            if slice < slices {
                for (var i = slice; i < min(TILE, range.y - first_key); i += slices) {
                    sum += weights[i % LANES][i / LANES] * four_of_value(value_start(sequence, head, first_key + i), column);
                }
            }
            workgroupBarrier();
        }
        // A row without any key left is uniform over all of them, also over those that were left out. A slice without any weighs
        // nothing beside one that has some.
        if all(range == slice_of_keys) { break; }
        if lane == 0u { none_seen = u32(largest <= LOWEST); }
        if workgroupUniformLoad(&none_seen) == 0u { break; }
        range = slice_of_keys;
    }

    weights[lane].x = total;
    parts[lane] = sum;
    workgroupBarrier();
    total = 0.0;
    for (var i = 0u; i < LANES; i++) { total += weights[i].x; }
    if slice == 0u {
        for (var i = 1u; i < slices; i++) { sum += parts[lane + i * fours]; }
        // The last slices may have no keys.
        store_context(sequence, head, line, column, sum / select(total, 1.0, total == 0.0));
    }
    if first_column == 0u && lane == 0u { store_statistics(sequence, head, line, largest, total); }
}
