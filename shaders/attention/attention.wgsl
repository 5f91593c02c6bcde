// context = softmax(q kᵀ · scale + mask) v without storing the matrix: the softmax is corrected while key tiles pass. A workgroup makes
// 32 query rows of one head and COLUMNS of its columns; tiles are of 32 keys. Each of its 64 invocations has 4 rows: their scores of 4 keys,
// their sums of 8 columns, or 16 in a wide head. Tiles that none of the rows sees are left out. It uses little workgroup memory, as gemm.wgsl does.
#import attention/operands
#import shared/block_product

const TILE: u32 = 32u;
override COLUMNS: u32 = 64u;          // or 128: scores are made anew for so many
const BLOCK: u32 = 4u;
const BLOCKS: u32 = TILE / BLOCK;     // of rows, of keys, and of 32 columns
const DEPTH: u32 = 4u;                // blocks of a head's columns that tiles of queries and keys hold
const HALF: u32 = BLOCKS * DEPTH;     // invocations that fetch blocks of queries; the others fetch blocks of keys
const KEYS: u32 = TILE * DEPTH;       // where the keys' tile begins
// Of each column, four adjacent queries, then keys; later of each key, the weights of four queries. Blocks change places as in
// gemm.wgsl, so that nobody meets in a bank.
var<workgroup> tile: array<vec4f, 2u * KEYS>;
var<workgroup> of_rows: array<vec4f, 2u * HALF>;   // of each invocation: something of its four rows
var<workgroup> none_seen: u32;                     // whether one of the rows has no key left

fn block_at(start: u32) -> mat4x4f {
    return mat4x4f(tile[start], tile[start + BLOCKS], tile[start + 2u * BLOCKS], tile[start + 3u * BLOCKS]);
}

// Each row times a number of its own.
fn by_row(sums: mat4x4f, factors: vec4f) -> mat4x4f {
    return mat4x4f(sums[0] * factors.x, sums[1] * factors.y, sums[2] * factors.z, sums[3] * factors.w);
}

// Of four keys, whose values start there, four columns.
fn values_of(v0: u32, v1: u32, v2: u32, v3: u32, column: u32) -> mat4x4f {
    return mat4x4f(four_of_value(v0, column), four_of_value(v1, column), four_of_value(v2, column), four_of_value(v3, column));
}

// Four columns of the context of four rows.
fn store_rows(sequence: u32, head: u32, row: u32, column: u32, sums: mat4x4f, total: vec4f) {
    let four = array<vec4f, BLOCK>(sums[0], sums[1], sums[2], sums[3]);
    for (var i = 0u; i < min(BLOCK, max(row, p.length) - row); i++) {
        store_context(sequence, head, row + i, column, four[i] / total[i]);
    }
}

@compute @workgroup_size(2u * HALF)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let workgroup = group.x + group.y * groups.x;   // (query tiles, column tiles, batch · heads)
    let sequence_head = workgroup % p.sequence_heads;
    let column_tiles = (p.head_size + COLUMNS - 1u) / COLUMNS;
    let first_column = (workgroup / p.sequence_heads) % column_tiles * COLUMNS;
    let first_query = workgroup / p.sequence_heads / column_tiles * TILE;
    if first_query >= p.length { return; }
    let sequence = sequence_head / p.heads;
    let head = sequence_head % p.heads;
    let row_block = invocation / BLOCKS;
    let lane = invocation % BLOCKS;                 // block of keys, and of columns
    let row = first_query + row_block * BLOCK;
    let here = row < p.length;
    let column = first_column + lane * BLOCK;
    // The second 32 columns, the third and the fourth.
    let wide = p.head_size > first_column + TILE;
    let wider = COLUMNS > 2u * TILE && p.head_size > first_column + 2u * TILE;
    let widest = COLUMNS > 3u * TILE && p.head_size > first_column + 3u * TILE;

    // What it fetches: of one block of columns, four queries or keys. The last one stands for those behind it.
    let of_queries = invocation < HALF;
    let block = invocation / DEPTH % BLOCKS;
    let depth = invocation % DEPTH;
    let to = depth * TILE + (block ^ (2u * depth)) + select(KEYS, 0u, of_queries);

    var range = seen(p.past + first_query, p.past + min(first_query + TILE, p.length) - 1u);
    var largest: vec4f;
    var total: vec4f;
    var sums: mat4x4f;      // of four rows, four columns
    var beside: mat4x4f;    // of the second 32 columns
    var third: mat4x4f;
    var fourth: mat4x4f;
    loop {
        largest = vec4f(LOWEST);
        total = vec4f(0.0);
        sums = mat4x4f();
        beside = mat4x4f();
        third = mat4x4f();
        fourth = mat4x4f();
        for (var first_key = range.x; first_key < range.y; first_key += TILE) {
            // Scores of the invocation's rows.
            var scores = mat4x4f();
            let fetched = select(first_key, first_query, of_queries) + block * BLOCK;
            let last = select(p.keys, p.length, of_queries) - 1u;
            let lines = min(vec4u(fetched) + vec4u(0u, 1u, 2u, 3u), vec4u(last));
            for (var first = 0u; first < p.head_size; first += DEPTH * BLOCK) {
                let at = first + depth * BLOCK;
                var by_line = mat4x4f();
                if fetched <= last && at < p.head_size {
                    if of_queries {
                        by_line = mat4x4f(
                            four_of_query(query_start(sequence, head, lines.x), at), four_of_query(query_start(sequence, head, lines.y), at),
                            four_of_query(query_start(sequence, head, lines.z), at), four_of_query(query_start(sequence, head, lines.w), at),
                        );
                    } else {
                        by_line = mat4x4f(
                            four_of_key(key_start(sequence, head, lines.x), at), four_of_key(key_start(sequence, head, lines.y), at),
                            four_of_key(key_start(sequence, head, lines.z), at), four_of_key(key_start(sequence, head, lines.w), at),
                        );
                    }
                }
                let by_column = transpose(by_line);
                workgroupBarrier();
                tile[to] = by_column[0];
                tile[to + BLOCKS] = by_column[1];
                tile[to + 2u * BLOCKS] = by_column[2];
                tile[to + 3u * BLOCKS] = by_column[3];
                workgroupBarrier();
                for (var inner = 0u; inner < select(0u, DEPTH, here); inner++) {
                    let query_at = inner * TILE + (row_block ^ (2u * inner));
                    let key_at = KEYS + inner * TILE + (lane ^ (2u * inner));
                    scores = plus_product(scores, block_at(query_at), block_at(key_at));
                }
            }
            let places = vec4u(first_key + lane * BLOCK) + vec4u(0u, 1u, 2u, 3u);
            scores[0] = masked(sequence, p.past + row, places, scores[0]);
            scores[1] = masked(sequence, p.past + row + 1u, places, scores[1]);
            scores[2] = masked(sequence, p.past + row + 2u, places, scores[2]);
            scores[3] = masked(sequence, p.past + row + 3u, places, scores[3]);

            // The rows' largest scores so far, of all invocations that have them.
            of_rows[invocation] = vec4f(largest_of(scores[0]), largest_of(scores[1]), largest_of(scores[2]), largest_of(scores[3]));
            workgroupBarrier();
            let before = largest;
            for (var i = row_block * BLOCKS; i < (row_block + 1u) * BLOCKS; i++) { largest = max(largest, of_rows[i]); }
            let correction = exp(before - largest);

            // Weights, by key.
            let there = vec4f(places < vec4u(p.keys));
            scores[0] = exp(scores[0] - largest.x) * there;
            scores[1] = exp(scores[1] - largest.y) * there;
            scores[2] = exp(scores[2] - largest.z) * there;
            scores[3] = exp(scores[3] - largest.w) * there;
            total = total * correction + vec4f(sum_of(scores[0]), sum_of(scores[1]), sum_of(scores[2]), sum_of(scores[3]));
            let by_key = transpose(scores);
            let weight_to = lane * TILE + (row_block ^ lane);
            tile[weight_to] = by_key[0];
            tile[weight_to + BLOCKS] = by_key[1];
            tile[weight_to + 2u * BLOCKS] = by_key[2];
            tile[weight_to + 3u * BLOCKS] = by_key[3];
            workgroupBarrier();

            // Weighted values.
            sums = by_row(sums, correction);
            beside = by_row(beside, correction);
            if wider { third = by_row(third, correction); }
            if widest { fourth = by_row(fourth, correction); }
            let key_blocks = (min(TILE, range.y - first_key) + BLOCK - 1u) / BLOCK;
            for (var keys_of = 0u; keys_of < select(0u, key_blocks, here); keys_of++) {
                let at = keys_of * TILE + (row_block ^ keys_of);
                let key = first_key + keys_of * BLOCK;
                let weights = block_at(at);
                let v0 = value_start(sequence, head, key);
                let v1 = value_start(sequence, head, min(key + 1u, p.keys - 1u));
                let v2 = value_start(sequence, head, min(key + 2u, p.keys - 1u));
                let v3 = value_start(sequence, head, min(key + 3u, p.keys - 1u));
                sums = plus_product(sums, weights, values_of(v0, v1, v2, v3, column));
                if wide { beside = plus_product(beside, weights, values_of(v0, v1, v2, v3, column + TILE)); }
                if wider { third = plus_product(third, weights, values_of(v0, v1, v2, v3, column + 2u * TILE)); }
                if widest { fourth = plus_product(fourth, weights, values_of(v0, v1, v2, v3, column + 3u * TILE)); }
            }
        }
        // A row without any key left is uniform over all of them, also over those that were left out.
        if range.x == 0u && range.y == p.keys { break; }
        of_rows[invocation] = select(vec4f(0.0), largest, vec4u(row) + vec4u(0u, 1u, 2u, 3u) < vec4u(p.length));
        workgroupBarrier();
        if invocation == 0u {
            var least = vec4f(0.0);
            for (var i = 0u; i < BLOCKS; i++) { least = min(least, of_rows[i * BLOCKS]); }
            none_seen = u32(any(least <= vec4f(LOWEST)));
        }
        if workgroupUniformLoad(&none_seen) == 0u { break; }
        range = vec2u(0u, p.keys);
    }

    workgroupBarrier();
    of_rows[invocation] = total;
    workgroupBarrier();
    total = vec4f(0.0);
    for (var i = row_block * BLOCKS; i < (row_block + 1u) * BLOCKS; i++) { total += of_rows[i]; }
    store_rows(sequence, head, row, column, sums, total);
    if wide { store_rows(sequence, head, row, column + TILE, beside, total); }
    if wider { store_rows(sequence, head, row, column + 2u * TILE, third, total); }
    if widest { store_rows(sequence, head, row, column + 3u * TILE, fourth, total); }
    if first_column != 0u || lane != 0u { return; }
    for (var i = 0u; i < min(BLOCK, max(row, p.length) - row); i++) {
        store_statistics(sequence, head, row + i, largest[i], total[i]);
    }
}
