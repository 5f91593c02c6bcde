// head_outputs = softmax(q kᵀ · scale + mask) v with an online softmax: the score matrix is never stored. A workgroup makes 32 query rows and
// COLUMNS output columns of one head, from tiles of 32 keys. Each of its 64 invocations has 4 rows: 4 × 4 scores, and 4 × 8 sums, or 4 × 16
// with 128 columns. Key tiles that no row can see are skipped. Workgroup memory is small for the reason in gemm.wgsl.
#import attention/operands
#import shared/block_product
#import shared/group

const TILE: u32 = 32u;              // query rows, and keys
override COLUMNS: u32 = 64u;        // output columns of a workgroup, 64 or 128: each column tile computes the scores again
const BLOCK: u32 = 4u;              // rows, keys or columns of an invocation
const BLOCKS: u32 = TILE / BLOCK;   // of a tile
const DEPTH: u32 = 4u;              // blocks of head columns that are loaded at a time
const HALF: u32 = BLOCKS * DEPTH;   // the first half of the invocations loads queries, the other keys
const KEYS: u32 = TILE * DEPTH;     // where the keys begin in `tile`
// First, for each column, four adjacent queries or keys; then, for each key, the weights of four queries. Blocks are swizzled as in gemm.wgsl
// to avoid bank conflicts.
var<workgroup> tile: array<vec4f, 2u * KEYS>;
var<workgroup> row_values: array<vec4f, 2u * HALF>;   // an invocation's numbers of its four rows
var<workgroup> fully_masked: u32;                     // whether some row has every key masked

fn block_at(start: u32) -> mat4x4f {
    return mat4x4f(tile[start], tile[start + BLOCKS], tile[start + 2u * BLOCKS], tile[start + 3u * BLOCKS]);
}

// Row i times factors[i].
fn scale_rows(sums: mat4x4f, factors: vec4f) -> mat4x4f {
    return mat4x4f(sums[0] * factors.x, sums[1] * factors.y, sums[2] * factors.z, sums[3] * factors.w);
}

// Four columns of the values that start at v0 … v3.
fn value_block(v0: u32, v1: u32, v2: u32, v3: u32, column: u32) -> mat4x4f {
    return mat4x4f(four_of_value(v0, column), four_of_value(v1, column), four_of_value(v2, column), four_of_value(v3, column));
}

// Stores four output columns of four rows.
fn store_rows(head: u32, row: u32, column: u32, sums: mat4x4f, total: vec4f) {
    let four = array<vec4f, BLOCK>(sums[0], sums[1], sums[2], sums[3]);
    for (var i = 0u; i < min(BLOCK, max(row, p.heads.length) - row); i++) {
        store_outputs(head, row + i, column, four[i] / total[i]);
    }
}

@compute @workgroup_size(2u * HALF)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let workgroup = index_of(group);   // (query tiles, column tiles, batch · heads)
    let sequence_head = workgroup % p.sequence_heads;
    let column_tiles = (p.heads.head_size + COLUMNS - 1u) / COLUMNS;
    let first_column = (workgroup / p.sequence_heads) % column_tiles * COLUMNS;
    let first_query = workgroup / p.sequence_heads / column_tiles * TILE;
    if first_query >= p.heads.length { return; }
    sequence = sequence_head / p.heads.query_heads;
    let head = sequence_head % p.heads.query_heads;
    let row_block = invocation / BLOCKS;
    let lane = invocation % BLOCKS;                 // block of keys, and block of columns
    let row = first_query + row_block * BLOCK;
    let in_range = row < p.heads.length;
    let column = first_column + lane * BLOCK;
    // Whether the workgroup has columns 32 .., 64 .. and 96 ..
    let has_32 = p.heads.head_size > first_column + TILE;
    let has_64 = COLUMNS > 2u * TILE && p.heads.head_size > first_column + 2u * TILE;
    let has_96 = COLUMNS > 3u * TILE && p.heads.head_size > first_column + 3u * TILE;

    // Each invocation loads four columns of four queries or of four keys. Rows after the last one load the last one again.
    let loads_queries = invocation < HALF;
    let block = invocation / DEPTH % BLOCKS;
    let depth = invocation % DEPTH;
    let store_at = depth * TILE + (block ^ (2u * depth)) + select(KEYS, 0u, loads_queries);

    var range = visible_keys(p.heads.past + first_query, p.heads.past + min(first_query + TILE, p.heads.length) - 1u);
    var largest: vec4f;
    var total: vec4f;
    var sums: mat4x4f;      // four rows of columns 0 .. 32; the next are of columns 32 .., 64 .. and 96 ..
    var sums_32: mat4x4f;
    var sums_64: mat4x4f;
    var sums_96: mat4x4f;
    loop {
        largest = vec4f(LOWEST);
        total = vec4f(0.0);
        sums = mat4x4f();
        sums_32 = mat4x4f();
        sums_64 = mat4x4f();
        sums_96 = mat4x4f();
        for (var first_key = range.x; first_key < range.y; first_key += TILE) {
            // Scores of four rows and four keys.
            var scores = mat4x4f();
            let first_line = select(first_key, first_query, loads_queries) + block * BLOCK;
            let last = select(p.heads.keys, p.heads.length, loads_queries) - 1u;
            let lines = min(vec4u(first_line) + vec4u(0u, 1u, 2u, 3u), vec4u(last));
            for (var first = 0u; first < p.heads.head_size; first += DEPTH * BLOCK) {
                let at = first + depth * BLOCK;
                var by_line = mat4x4f();
                if first_line <= last && at < p.heads.head_size {
                    if loads_queries {
                        by_line = mat4x4f(
                            four_of_query(query_start(head, lines.x), at), four_of_query(query_start(head, lines.y), at),
                            four_of_query(query_start(head, lines.z), at), four_of_query(query_start(head, lines.w), at),
                        );
                    } else {
                        by_line = mat4x4f(
                            four_of_key(key_start(head, lines.x), at), four_of_key(key_start(head, lines.y), at),
                            four_of_key(key_start(head, lines.z), at), four_of_key(key_start(head, lines.w), at),
                        );
                    }
                }
                let by_column = transpose(by_line);
                workgroupBarrier();
                tile[store_at] = by_column[0];
                tile[store_at + BLOCKS] = by_column[1];
                tile[store_at + 2u * BLOCKS] = by_column[2];
                tile[store_at + 3u * BLOCKS] = by_column[3];
                workgroupBarrier();
                for (var inner = 0u; inner < select(0u, DEPTH, in_range); inner++) {
                    let query_at = inner * TILE + (row_block ^ (2u * inner));
                    let key_at = KEYS + inner * TILE + (lane ^ (2u * inner));
                    scores = plus_product(scores, block_at(query_at), block_at(key_at));
                }
            }
            let key_indices = vec4u(first_key + lane * BLOCK) + vec4u(0u, 1u, 2u, 3u);
            scores[0] = masked_scores(p.heads.past + row, key_indices, scores[0]);
            scores[1] = masked_scores(p.heads.past + row + 1u, key_indices, scores[1]);
            scores[2] = masked_scores(p.heads.past + row + 2u, key_indices, scores[2]);
            scores[3] = masked_scores(p.heads.past + row + 3u, key_indices, scores[3]);

            // The running maxima of the rows.
            row_values[invocation] = vec4f(max_of(scores[0]), max_of(scores[1]), max_of(scores[2]), max_of(scores[3]));
            workgroupBarrier();
            let previous = largest;
            for (var i = row_block * BLOCKS; i < (row_block + 1u) * BLOCKS; i++) { largest = max(largest, row_values[i]); }
            let correction = exp(previous - largest);

            // Unnormalised weights, transposed into `tile`.
            let valid = vec4f(key_indices < vec4u(p.heads.keys));
            scores[0] = exp(scores[0] - largest.x) * valid;
            scores[1] = exp(scores[1] - largest.y) * valid;
            scores[2] = exp(scores[2] - largest.z) * valid;
            scores[3] = exp(scores[3] - largest.w) * valid;
            total = total * correction + vec4f(sum_of(scores[0]), sum_of(scores[1]), sum_of(scores[2]), sum_of(scores[3]));
            let by_key = transpose(scores);
            let weight_to = lane * TILE + (row_block ^ lane);
            tile[weight_to] = by_key[0];
            tile[weight_to + BLOCKS] = by_key[1];
            tile[weight_to + 2u * BLOCKS] = by_key[2];
            tile[weight_to + 3u * BLOCKS] = by_key[3];
            workgroupBarrier();

            // Weighted values.
            sums = scale_rows(sums, correction);
            sums_32 = scale_rows(sums_32, correction);
            if has_64 { sums_64 = scale_rows(sums_64, correction); }
            if has_96 { sums_96 = scale_rows(sums_96, correction); }
            let key_blocks = (min(TILE, range.y - first_key) + BLOCK - 1u) / BLOCK;
            for (var key_block = 0u; key_block < select(0u, key_blocks, in_range); key_block++) {
                let at = key_block * TILE + (row_block ^ key_block);
                let key = first_key + key_block * BLOCK;
                let weights = block_at(at);
                let v0 = value_start(head, key);
                let v1 = value_start(head, min(key + 1u, p.heads.keys - 1u));
                let v2 = value_start(head, min(key + 2u, p.heads.keys - 1u));
                let v3 = value_start(head, min(key + 3u, p.heads.keys - 1u));
                sums = plus_product(sums, weights, value_block(v0, v1, v2, v3, column));
                if has_32 { sums_32 = plus_product(sums_32, weights, value_block(v0, v1, v2, v3, column + TILE)); }
                if has_64 { sums_64 = plus_product(sums_64, weights, value_block(v0, v1, v2, v3, column + 2u * TILE)); }
                if has_96 { sums_96 = plus_product(sums_96, weights, value_block(v0, v1, v2, v3, column + 3u * TILE)); }
            }
        }
        // A row with every key masked is uniform over all keys: if there is one, start again without skipping tiles.
        if range.x == 0u && range.y == p.heads.keys { break; }
        row_values[invocation] = select(vec4f(0.0), largest, vec4u(row) + vec4u(0u, 1u, 2u, 3u) < vec4u(p.heads.length));
        workgroupBarrier();
        if invocation == 0u {
            var least = vec4f(0.0);
            for (var i = 0u; i < BLOCKS; i++) { least = min(least, row_values[i * BLOCKS]); }
            fully_masked = u32(any(least <= vec4f(LOWEST)));
        }
        if workgroupUniformLoad(&fully_masked) == 0u { break; }
        range = vec2u(0u, p.heads.keys);
    }

    workgroupBarrier();
    row_values[invocation] = total;
    workgroupBarrier();
    total = vec4f(0.0);
    for (var i = row_block * BLOCKS; i < (row_block + 1u) * BLOCKS; i++) { total += row_values[i]; }
    store_rows(head, row, column, sums, total);
    if has_32 { store_rows(head, row, column + TILE, sums_32, total); }
    if has_64 { store_rows(head, row, column + 2u * TILE, sums_64, total); }
    if has_96 { store_rows(head, row, column + 3u * TILE, sums_96, total); }
    if first_column != 0u || lane != 0u { return; }
    for (var i = 0u; i < min(BLOCK, max(row, p.heads.length) - row); i++) {
        store_statistics(head, row + i, largest[i], total[i]);
    }
}
