// context = softmax(q kᵀ · scale + mask) v without storing the matrix: the softmax is corrected while key tiles pass. A workgroup makes
// 32 query rows of one head and 64 of its columns; tiles are of 32 keys. Each of its 64 invocations has 4 rows: their scores of 4 keys,
// their sums of 8 columns. Tiles that none of the rows sees are left out. After attended.wgsl and the operands; unrolled, and with
// little memory, as in product.wgsl.
const TILE: u32 = 32u;
const COLUMNS: u32 = 64u;
const BLOCK: u32 = 4u;
const BLOCKS: u32 = TILE / BLOCK;     // of rows, of keys, and of 32 columns
const DEPTH: u32 = 4u;                // blocks of a head's columns that tiles of queries and keys hold
const HALF: u32 = BLOCKS * DEPTH;     // invocations that fetch blocks of queries; the others fetch blocks of keys
const KEYS: u32 = TILE * DEPTH;       // where the keys' tile begins
// Of each column, four adjacent queries, then keys; later of each key, the weights of four queries. Blocks change places as in
// product.wgsl, so that nobody meets in a bank.
var<workgroup> tile: array<vec4f, 2u * KEYS>;
var<workgroup> of_rows: array<vec4f, 2u * HALF>;   // of each invocation: something of its four rows
var<workgroup> none_seen: u32;                     // whether one of the rows has no key left

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
    let wide = p.head_size > first_column + TILE;   // the second 32 columns

    // What it fetches: of one block of columns, four queries or keys. The last one stands for those behind it.
    let of_queries = invocation < HALF;
    let block = invocation / DEPTH % BLOCKS;
    let depth = invocation % DEPTH;
    let to = depth * TILE + (block ^ (2u * depth)) + select(KEYS, 0u, of_queries);

    var range = seen(p.past + first_query, p.past + min(first_query + TILE, p.length) - 1u);
    var largest: vec4f;
    var total: vec4f;
    var a0: vec4f;
    var a1: vec4f;
    var a2: vec4f;
    var a3: vec4f;
    var b0: vec4f;
    var b1: vec4f;
    var b2: vec4f;
    var b3: vec4f;
    loop {
        largest = vec4f(LOWEST);
        total = vec4f(0.0);
        a0 = vec4f(0.0);
        a1 = vec4f(0.0);
        a2 = vec4f(0.0);
        a3 = vec4f(0.0);
        b0 = vec4f(0.0);
        b1 = vec4f(0.0);
        b2 = vec4f(0.0);
        b3 = vec4f(0.0);
        for (var first_key = range.x; first_key < range.y; first_key += TILE) {
            // Scores of the invocation's rows.
            var s0 = vec4f(0.0);
            var s1 = vec4f(0.0);
            var s2 = vec4f(0.0);
            var s3 = vec4f(0.0);
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
                    let q0 = tile[query_at];
                    let k0 = tile[key_at];
                    let q1 = tile[query_at + BLOCKS];
                    let k1 = tile[key_at + BLOCKS];
                    let q2 = tile[query_at + 2u * BLOCKS];
                    let k2 = tile[key_at + 2u * BLOCKS];
                    let q3 = tile[query_at + 3u * BLOCKS];
                    let k3 = tile[key_at + 3u * BLOCKS];
                    s0 = fma(vec4f(q3.x), k3, fma(vec4f(q2.x), k2, fma(vec4f(q1.x), k1, fma(vec4f(q0.x), k0, s0))));
                    s1 = fma(vec4f(q3.y), k3, fma(vec4f(q2.y), k2, fma(vec4f(q1.y), k1, fma(vec4f(q0.y), k0, s1))));
                    s2 = fma(vec4f(q3.z), k3, fma(vec4f(q2.z), k2, fma(vec4f(q1.z), k1, fma(vec4f(q0.z), k0, s2))));
                    s3 = fma(vec4f(q3.w), k3, fma(vec4f(q2.w), k2, fma(vec4f(q1.w), k1, fma(vec4f(q0.w), k0, s3))));
                }
            }
            let places = vec4u(first_key + lane * BLOCK) + vec4u(0u, 1u, 2u, 3u);
            s0 = masked(sequence, p.past + row, places, s0);
            s1 = masked(sequence, p.past + row + 1u, places, s1);
            s2 = masked(sequence, p.past + row + 2u, places, s2);
            s3 = masked(sequence, p.past + row + 3u, places, s3);

            // The rows' largest scores so far, of all invocations that have them.
            of_rows[invocation] = vec4f(largest_of(s0), largest_of(s1), largest_of(s2), largest_of(s3));
            workgroupBarrier();
            let before = largest;
            for (var i = row_block * BLOCKS; i < (row_block + 1u) * BLOCKS; i++) { largest = max(largest, of_rows[i]); }
            let correction = exp(before - largest);

            // Weights, by key.
            let there = vec4f(places < vec4u(p.keys));
            s0 = exp(s0 - largest.x) * there;
            s1 = exp(s1 - largest.y) * there;
            s2 = exp(s2 - largest.z) * there;
            s3 = exp(s3 - largest.w) * there;
            total = total * correction + vec4f(sum_of(s0), sum_of(s1), sum_of(s2), sum_of(s3));
            let by_key = transpose(mat4x4f(s0, s1, s2, s3));
            let weight_to = lane * TILE + (row_block ^ lane);
            tile[weight_to] = by_key[0];
            tile[weight_to + BLOCKS] = by_key[1];
            tile[weight_to + 2u * BLOCKS] = by_key[2];
            tile[weight_to + 3u * BLOCKS] = by_key[3];
            workgroupBarrier();

            // Weighted values.
            a0 *= correction.x;
            a1 *= correction.y;
            a2 *= correction.z;
            a3 *= correction.w;
            b0 *= correction.x;
            b1 *= correction.y;
            b2 *= correction.z;
            b3 *= correction.w;
            let key_blocks = (min(TILE, range.y - first_key) + BLOCK - 1u) / BLOCK;
            for (var keys_of = 0u; keys_of < select(0u, key_blocks, here); keys_of++) {
                let at = keys_of * TILE + (row_block ^ keys_of);
                let key = first_key + keys_of * BLOCK;
                let w0 = tile[at];
                let v0 = value_start(sequence, head, key);
                let w1 = tile[at + BLOCKS];
                let v1 = value_start(sequence, head, min(key + 1u, p.keys - 1u));
                let w2 = tile[at + 2u * BLOCKS];
                let v2 = value_start(sequence, head, min(key + 2u, p.keys - 1u));
                let w3 = tile[at + 3u * BLOCKS];
                let v3 = value_start(sequence, head, min(key + 3u, p.keys - 1u));
                let x0 = four_of_value(v0, column);
                let x1 = four_of_value(v1, column);
                let x2 = four_of_value(v2, column);
                let x3 = four_of_value(v3, column);
                a0 = fma(vec4f(w3.x), x3, fma(vec4f(w2.x), x2, fma(vec4f(w1.x), x1, fma(vec4f(w0.x), x0, a0))));
                a1 = fma(vec4f(w3.y), x3, fma(vec4f(w2.y), x2, fma(vec4f(w1.y), x1, fma(vec4f(w0.y), x0, a1))));
                a2 = fma(vec4f(w3.z), x3, fma(vec4f(w2.z), x2, fma(vec4f(w1.z), x1, fma(vec4f(w0.z), x0, a2))));
                a3 = fma(vec4f(w3.w), x3, fma(vec4f(w2.w), x2, fma(vec4f(w1.w), x1, fma(vec4f(w0.w), x0, a3))));
                if wide {
                    let y0 = four_of_value(v0, column + TILE);
                    let y1 = four_of_value(v1, column + TILE);
                    let y2 = four_of_value(v2, column + TILE);
                    let y3 = four_of_value(v3, column + TILE);
                    b0 = fma(vec4f(w3.x), y3, fma(vec4f(w2.x), y2, fma(vec4f(w1.x), y1, fma(vec4f(w0.x), y0, b0))));
                    b1 = fma(vec4f(w3.y), y3, fma(vec4f(w2.y), y2, fma(vec4f(w1.y), y1, fma(vec4f(w0.y), y0, b1))));
                    b2 = fma(vec4f(w3.z), y3, fma(vec4f(w2.z), y2, fma(vec4f(w1.z), y1, fma(vec4f(w0.z), y0, b2))));
                    b3 = fma(vec4f(w3.w), y3, fma(vec4f(w2.w), y2, fma(vec4f(w1.w), y1, fma(vec4f(w0.w), y0, b3))));
                }
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
    let first_sums = array<vec4f, BLOCK>(a0, a1, a2, a3);
    let second_sums = array<vec4f, BLOCK>(b0, b1, b2, b3);
    for (var i = 0u; i < BLOCK; i++) {
        if row + i >= p.length { return; }
        store_context(sequence, head, row + i, column, first_sums[i] / total[i]);
        if wide { store_context(sequence, head, row + i, column + TILE, second_sums[i] / total[i]); }
        if first_column == 0u && lane == 0u { store_statistics(sequence, head, row + i, largest[i], total[i]); }
    }
}
