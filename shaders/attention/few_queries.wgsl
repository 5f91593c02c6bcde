// head_outputs = softmax(q kᵀ · scale + mask) v for few queries (decode): a workgroup makes up to 256 columns of one query row of one head, over
// one slice of the keys (flash decoding), with an online softmax over tiles of 256 keys. Each invocation scores four keys; then the
// invocations divide keys and columns among them.
#import attention/operands
#import shared/group

const PARTIALS: u32 = 8u;                          // reductions take two steps: 64 → 8 → 1
const TILE: u32 = 4u * WORKGROUP;                  // keys, and output columns
var<workgroup> weights: array<vec4f, WORKGROUP>;   // of the four keys of an invocation, which are 64 apart
var<workgroup> partial: array<vec4f, WORKGROUP>;   // per invocation: first a maximum, then sums of four columns
var<workgroup> partial_max: array<f32, PARTIALS>;
var<workgroup> fully_masked: u32;

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) lane: u32) {
    let workgroup = index_of(group);   // (query rows, slices, column tiles, batch · heads)
    let sequence_head = workgroup % p.sequence_heads;
    let column_tiles = (p.heads.head_size + TILE - 1u) / TILE;
    let first_column = (workgroup / p.sequence_heads) % column_tiles * TILE;
    let split_row = workgroup / p.sequence_heads / column_tiles;
    let row = split_row / p.slices;
    if row >= p.heads.length { return; }
    sequence = sequence_head / p.heads.query_heads;
    let head = sequence_head % p.heads.query_heads;
    let query = query_start(head, row);

    // In the weighted sum an invocation has four columns, of every `slices`-th key of a tile.
    let fours = (min(TILE, p.heads.head_size - first_column) + 3u) / 4u;
    let slices = WORKGROUP / fours;
    let slice = lane / fours;
    let column = first_column + lane % fours * 4u;

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
            let key_indices = vec4u(first_key + lane) + WORKGROUP * vec4u(0u, 1u, 2u, 3u);
            var scores = vec4f(0.0);
            for (var i = 0u; i < 4u; i++) {
                if key_indices[i] >= range.y { break; }
                let key = key_start(head, key_indices[i]);
                var score = 0.0;
                for (var at = 0u; at < p.heads.head_size; at += 4u) { score += dot(four_of_query(query, at), four_of_key(key, at)); }
                scores[i] = score;
            }
            let valid = key_indices < vec4u(range.y);
            scores = select(vec4f(LOWEST), masked_scores(p.heads.past + row, key_indices, scores), valid);
            partial[lane].x = max_of(scores);
            workgroupBarrier();
            if lane < PARTIALS {
                var most = partial[lane].x;
                for (var i = lane + PARTIALS; i < WORKGROUP; i += PARTIALS) { most = max(most, partial[i].x); }
                partial_max[lane] = most;
            }
            workgroupBarrier();
            let previous = largest;
            for (var i = 0u; i < PARTIALS; i++) { largest = max(largest, partial_max[i]); }
            let correction = exp(previous - largest);
            scores = exp(scores - largest) * vec4f(valid);
            total = total * correction + sum_of(scores);
            weights[lane] = scores;
            workgroupBarrier();
            sum *= correction;
            if slice < slices {
                for (var i = slice; i < min(TILE, range.y - first_key); i += slices) {
                    sum += weights[i % WORKGROUP][i / WORKGROUP] * four_of_value(value_start(head, first_key + i), column);
                }
            }
            workgroupBarrier();
        }
        // A row with every key masked is uniform over all keys: start again with the whole slice. A slice with every key masked weighs nothing
        // beside one with visible keys.
        if all(range == slice_range) { break; }
        if lane == 0u { fully_masked = u32(largest <= LOWEST); }
        if workgroupUniformLoad(&fully_masked) == 0u { break; }
        range = slice_range;
    }

    weights[lane].x = total;
    partial[lane] = sum;
    workgroupBarrier();
    total = 0.0;
    for (var i = 0u; i < WORKGROUP; i++) { total += weights[i].x; }
    if slice == 0u {
        for (var i = 1u; i < slices; i++) { sum += partial[lane + i * fours]; }
        // The last slices may be empty.
        store_outputs(head, split_row, column, sum / select(total, 1.0, total == 0.0));
    }
    if first_column == 0u && lane == 0u { store_statistics(head, split_row, largest, total); }
}
