// head_outputs = softmax(q kᵀ · scale + mask) v for few queries (decode): a workgroup makes up to 1,024 columns of one query row over one slice of
// the keys (flash decoding), with an online softmax over tiles of 256 keys. `grouped`: of up to four query heads that share a key head, so that
// each key and value is read once for them; else of one. Each invocation scores a key; then the invocations divide keys and columns among them.
// Workgroup memory is small for the reason in gemm.wgsl.
#import attention/operands
#import shared/group

const TILE: u32 = 256u;            // keys, and invocations
const COLUMNS: u32 = 4u * TILE;    // output columns
const PARTIALS: u32 = 16u;         // reductions over keys take two steps: 256 → 16 → 1
// Per key its scores and then its weights, through `of_tile` and `to_tile`; at the end sums of four columns of each invocation.
var<workgroup> tile: array<vec4f, TILE>;
var<workgroup> partials: array<OfHeads, PARTIALS>;
var<workgroup> fully_masked: u32;

#if grouped
const HEADS: u32 = 4u;
alias OfHeads = vec4f;            // a number of each head
alias ColumnsOfHeads = mat4x4f;   // four columns of each head

fn of_heads(four: vec4f) -> OfHeads { return four; }

fn of_tile(key: u32) -> OfHeads { return tile[key]; }

fn to_tile(key: u32, numbers: OfHeads) { tile[key] = numbers; }

fn dots(heads: vec4u, key: vec4f, column: u32) -> OfHeads {
    return vec4f(
        dot(four_of_query(heads.x, column), key), dot(four_of_query(heads.y, column), key),
        dot(four_of_query(heads.z, column), key), dot(four_of_query(heads.w, column), key),
    );
}

fn scale_columns(columns: ColumnsOfHeads, by: OfHeads) -> ColumnsOfHeads {
    return mat4x4f(columns[0] * by.x, columns[1] * by.y, columns[2] * by.z, columns[3] * by.w);
}

fn weigh(weights: OfHeads, value: vec4f) -> ColumnsOfHeads {
    return mat4x4f(weights.x * value, weights.y * value, weights.z * value, weights.w * value);
}
fn number_of(heads: OfHeads, head: u32) -> f32 { return heads[head]; }

fn columns_of(heads: ColumnsOfHeads, head: u32) -> vec4f {
    var columns = heads;
    return columns[head];
}
#else
const HEADS: u32 = 1u;
alias OfHeads = f32;
alias ColumnsOfHeads = vec4f;

fn of_heads(four: vec4f) -> OfHeads { return four.x; }

fn of_tile(key: u32) -> OfHeads { return tile[key].x; }

fn to_tile(key: u32, number: OfHeads) { tile[key].x = number; }

fn dots(heads: vec4u, key: vec4f, column: u32) -> OfHeads { return dot(four_of_query(heads.x, column), key); }

fn scale_columns(columns: ColumnsOfHeads, by: OfHeads) -> ColumnsOfHeads { return columns * by; }

fn weigh(weights: OfHeads, value: vec4f) -> ColumnsOfHeads { return weights * value; }

fn number_of(heads: OfHeads, head: u32) -> f32 { return heads; }

fn columns_of(heads: ColumnsOfHeads, head: u32) -> vec4f { return heads; }
#endif

// Scores of a key, not yet scaled. queries: where the heads' queries start. Four loads at a time hide their latency.
fn scores_of_key(queries: vec4u, key: u32) -> OfHeads {
    var sum = OfHeads(0.0);
    var at = 0u;
    for (; at + 12u < p.heads.head_size; at += 16u) {
        let a = four_of_key(key, at);
        let b = four_of_key(key, at + 4u);
        let c = four_of_key(key, at + 8u);
        let d = four_of_key(key, at + 12u);
        sum += dots(queries, a, at) + dots(queries, b, at + 4u) + dots(queries, c, at + 8u) + dots(queries, d, at + 12u);
    }
    for (; at < p.heads.head_size; at += 4u) { sum += dots(queries, four_of_key(key, at), at); }
    return sum;
}

// The weighted sum of four columns of values: of every `step`-th key of a tile from `first` on.
fn weighted_values(head: u32, first_key: u32, count: u32, first: u32, step: u32, column: u32) -> ColumnsOfHeads {
    var sum = ColumnsOfHeads();
    var i = first;
    for (; i + 3u * step < count; i += 4u * step) {
        let a = four_of_value(value_start(head, first_key + i), column);
        let b = four_of_value(value_start(head, first_key + i + step), column);
        let c = four_of_value(value_start(head, first_key + i + 2u * step), column);
        let d = four_of_value(value_start(head, first_key + i + 3u * step), column);
        sum += weigh(of_tile(i), a) + weigh(of_tile(i + step), b) + weigh(of_tile(i + 2u * step), c) + weigh(of_tile(i + 3u * step), d);
    }
    for (; i < count; i += step) { sum += weigh(of_tile(i), four_of_value(value_start(head, first_key + i), column)); }
    return sum;
}

@compute @workgroup_size(TILE)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let workgroup = index_of(group);   // (query rows, slices, column tiles, batch · blocks of heads)
    let blocks_of_group = (p.heads.group + HEADS - 1u) / HEADS;
    let blocks = p.heads.query_heads / p.heads.group * blocks_of_group;
    let sequence_blocks = p.sequence_heads / p.heads.query_heads * blocks;
    let column_tiles = (p.heads.head_size + COLUMNS - 1u) / COLUMNS;
    let first_column = (workgroup / sequence_blocks) % column_tiles * COLUMNS;
    let split_row = workgroup / sequence_blocks / column_tiles;
    let row = split_row / p.slices;
    if row >= p.heads.length { return; }
    sequence = workgroup % sequence_blocks / blocks;
    let block = workgroup % blocks;
    let group_start = block / blocks_of_group * p.heads.group;
    let head = group_start + block % blocks_of_group * HEADS;
    let heads = min(HEADS, group_start + p.heads.group - head);
    let queries = query_start(head, row) + min(vec4u(0u, 1u, 2u, 3u), vec4u(heads - 1u)) * p.heads.head_size;

    // In the weighted sum an invocation has four columns, of every `slices`-th key of a tile.
    let fours = (min(COLUMNS, p.heads.head_size - first_column) + 3u) / 4u;
    let slices = TILE / fours;
    let slice = invocation / fours;
    let column = first_column + invocation % fours * 4u;

    let slice_keys = (p.heads.keys + p.slices - 1u) / p.slices;
    let slice_range = min(vec2u(split_row % p.slices) * slice_keys + vec2u(0u, slice_keys), vec2u(p.heads.keys));
    var range = clamp(visible_keys(p.heads.past + row, p.heads.past + row), slice_range.xx, slice_range.yy);
    var largest: OfHeads;
    var total: OfHeads;
    var sums: ColumnsOfHeads;
    loop {
        largest = OfHeads(LOWEST);
        total = OfHeads(0.0);
        sums = ColumnsOfHeads();
        for (var first_key = range.x; first_key < range.y; first_key += TILE) {
            let count = min(TILE, range.y - first_key);
            let is_key = invocation < count;
            var score = OfHeads(LOWEST);
            if is_key {
                let sum = scores_of_key(queries, key_start(head, first_key + invocation));
                score = of_heads(masked_scores(p.heads.past + row, vec4u(first_key + invocation), vec4f(sum)));
            }
            to_tile(invocation, score);
            workgroupBarrier();
            if invocation < PARTIALS {
                var most = score;
                for (var i = invocation + PARTIALS; i < TILE; i += PARTIALS) { most = max(most, of_tile(i)); }
                partials[invocation] = most;
            }
            workgroupBarrier();
            let previous = largest;
            for (var i = 0u; i < PARTIALS; i++) { largest = max(largest, partials[i]); }
            let correction = exp(previous - largest);
            let weight = exp(score - largest) * f32(is_key);
            total = total * correction + weight;
            to_tile(invocation, weight);
            workgroupBarrier();
            sums = scale_columns(sums, correction);
            if slice < slices { sums += weighted_values(head, first_key, count, slice, slices, column); }
            workgroupBarrier();
        }
        // A row with every key masked is uniform over all keys: start again with the whole slice. A slice with every key masked weighs nothing
        // beside one with visible keys.
        if all(range == slice_range) { break; }
        if invocation == 0u { fully_masked = u32(vec4f(largest).x <= LOWEST); }
        if workgroupUniformLoad(&fully_masked) == 0u { break; }
        range = slice_range;
    }

    to_tile(invocation, total);
    workgroupBarrier();
    if invocation < PARTIALS {
        for (var i = invocation + PARTIALS; i < TILE; i += PARTIALS) { total += of_tile(i); }
        partials[invocation] = total;
    }
    workgroupBarrier();
    total = partials[0];
    for (var i = 1u; i < PARTIALS; i++) { total += partials[i]; }
    for (var i = 0u; i < heads; i++) {
        workgroupBarrier();
        tile[invocation] = columns_of(sums, i);
        workgroupBarrier();
        let head_total = number_of(total, i);
        if slice == 0u {
            var sum = tile[invocation];
            for (var j = 1u; j < slices; j++) { sum += tile[invocation + j * fours]; }
            // The last slices of keys may be empty.
            store_outputs(head + i, split_row, column, sum / select(head_total, 1.0, head_total == 0.0));
        }
        if first_column == 0u && invocation == 0u { store_statistics(head + i, split_row, number_of(largest, i), head_total); }
    }
}
