// head_outputs = softmax(q kᵀ · scale + mask) v for few queries (decode): a workgroup makes up to 1,024 columns of one query row of one head, over
// one slice of the keys (flash decoding), with an online softmax over tiles of 256 keys. Each invocation scores a key; then the invocations
// divide keys and columns among them. Workgroup memory is small for the reason in gemm.wgsl.
#import attention/operands
#import shared/group

const TILE: u32 = 256u;            // keys, and invocations
const COLUMNS: u32 = 4u * TILE;    // output columns
const PARTIALS: u32 = 16u;         // reductions over keys take two steps: 256 → 16 → 1
// x: the scores of a tile of keys, then their weights; after the last tile each invocation's sum of weights. At the end all four: sums of columns.
var<workgroup> tile: array<vec4f, TILE>;
var<workgroup> partials: array<f32, PARTIALS>;
var<workgroup> fully_masked: u32;

// The score of a key, not yet scaled. Four loads at a time hide their latency.
fn score_of_key(query: u32, key: u32) -> f32 {
    var sum = 0.0;
    var at = 0u;
    for (; at + 12u < p.heads.head_size; at += 16u) {
        let a = four_of_key(key, at);
        let b = four_of_key(key, at + 4u);
        let c = four_of_key(key, at + 8u);
        let d = four_of_key(key, at + 12u);
        sum += dot(four_of_query(query, at), a) + dot(four_of_query(query, at + 4u), b);
        sum += dot(four_of_query(query, at + 8u), c) + dot(four_of_query(query, at + 12u), d);
    }
    for (; at < p.heads.head_size; at += 4u) { sum += dot(four_of_query(query, at), four_of_key(key, at)); }
    return sum;
}

// The weighted sum of four columns of values: of every `step`-th key of a tile from `first` on.
fn weighted_values(head: u32, first_key: u32, count: u32, first: u32, step: u32, column: u32) -> vec4f {
    var sum = vec4f(0.0);
    var i = first;
    for (; i + 3u * step < count; i += 4u * step) {
        let a = four_of_value(value_start(head, first_key + i), column);
        let b = four_of_value(value_start(head, first_key + i + step), column);
        let c = four_of_value(value_start(head, first_key + i + 2u * step), column);
        let d = four_of_value(value_start(head, first_key + i + 3u * step), column);
        sum += tile[i].x * a + tile[i + step].x * b + tile[i + 2u * step].x * c + tile[i + 3u * step].x * d;
    }
    for (; i < count; i += step) { sum += tile[i].x * four_of_value(value_start(head, first_key + i), column); }
    return sum;
}

@compute @workgroup_size(TILE)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let workgroup = index_of(group);   // (query rows, slices, column tiles, batch · heads)
    let sequence_head = workgroup % p.sequence_heads;
    let column_tiles = (p.heads.head_size + COLUMNS - 1u) / COLUMNS;
    let first_column = (workgroup / p.sequence_heads) % column_tiles * COLUMNS;
    let split_row = workgroup / p.sequence_heads / column_tiles;
    let row = split_row / p.slices;
    if row >= p.heads.length { return; }
    sequence = sequence_head / p.heads.query_heads;
    let head = sequence_head % p.heads.query_heads;
    let query = query_start(head, row);

    // In the weighted sum an invocation has four columns, of every `slices`-th key of a tile.
    let fours = (min(COLUMNS, p.heads.head_size - first_column) + 3u) / 4u;
    let slices = TILE / fours;
    let slice = invocation / fours;
    let column = first_column + invocation % fours * 4u;

    let slice_keys = (p.heads.keys + p.slices - 1u) / p.slices;
    let slice_range = min(vec2u(split_row % p.slices) * slice_keys + vec2u(0u, slice_keys), vec2u(p.heads.keys));
    var range = clamp(visible_keys(p.heads.past + row, p.heads.past + row), slice_range.xx, slice_range.yy);
    var largest: f32;
    var total: f32;
    var sum: vec4f;
    loop {
        largest = LOWEST;
        total = 0.0;
        sum = vec4f(0.0);
        for (var first_key = range.x; first_key < range.y; first_key += TILE) {
            let count = min(TILE, range.y - first_key);
            let is_key = invocation < count;
            var score = LOWEST;
            if is_key {
                let unscaled = score_of_key(query, key_start(head, first_key + invocation));
                score = masked_scores(p.heads.past + row, vec4u(first_key + invocation), vec4f(unscaled)).x;
            }
            tile[invocation].x = score;
            workgroupBarrier();
            if invocation < PARTIALS {
                var most = score;
                for (var i = invocation + PARTIALS; i < TILE; i += PARTIALS) { most = max(most, tile[i].x); }
                partials[invocation] = most;
            }
            workgroupBarrier();
            let previous = largest;
            for (var i = 0u; i < PARTIALS; i++) { largest = max(largest, partials[i]); }
            let correction = exp(previous - largest);
            let weight = exp(score - largest) * f32(is_key);
            total = total * correction + weight;
            tile[invocation].x = weight;
            workgroupBarrier();
            sum *= correction;
            if slice < slices { sum += weighted_values(head, first_key, count, slice, slices, column); }
            workgroupBarrier();
        }
        // A row with every key masked is uniform over all keys: start again with the whole slice. A slice with every key masked weighs nothing
        // beside one with visible keys.
        if all(range == slice_range) { break; }
        if invocation == 0u { fully_masked = u32(largest <= LOWEST); }
        if workgroupUniformLoad(&fully_masked) == 0u { break; }
        range = slice_range;
    }

    tile[invocation].x = total;
    workgroupBarrier();
    if invocation < PARTIALS {
        for (var i = invocation + PARTIALS; i < TILE; i += PARTIALS) { total += tile[i].x; }
        partials[invocation] = total;
    }
    workgroupBarrier();
    total = partials[0];
    for (var i = 1u; i < PARTIALS; i++) { total += partials[i]; }
    tile[invocation] = sum;
    workgroupBarrier();
    if slice == 0u {
        for (var i = 1u; i < slices; i++) { sum += tile[invocation + i * fours]; }
        // The last slices of keys may be empty.
        store_outputs(head, split_row, column, sum / select(total, 1.0, total == 0.0));
    }
    if first_column == 0u && invocation == 0u { store_statistics(head, split_row, largest, total); }
}
