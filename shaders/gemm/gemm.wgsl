// y = epilogue(x Wᵀ) (GEMM): a workgroup of 64 invocations makes a TILE × TILE tile of y from one slice of the inner axis (split-K). An
// invocation makes blocks of 4 × 4: with TILE 16 four invocations share a block, each with a part of the inner axis; with 32 each has one
// block; with 64 each has four.
// Workgroup memory is 4 KiB for every tile: SwiftShader's compile time grows with it (1.2 s for 8 KiB).
#import gemm/operands
#import gemm/epilogue
#import shared/block_product
#import shared/group

const EPILOGUE_BINDING: u32 = 2u;                   // after x and the weight
override TILE: u32 = 32u;                           // 16, 32 or 64
const BLOCK: u32 = 4u;
override BLOCKS: u32 = TILE / BLOCK;                // of a tile, along rows and along columns
override SIDE: u32 = min(BLOCKS, 8u);               // invocations along a side of the tile
override SHARES: u32 = WORKGROUP / (SIDE * SIDE);   // invocations that share a block
override DEPTH: u32 = HALF / BLOCKS;                // fours of the inner axis that are loaded at a time
const HALF: u32 = WORKGROUP / 2u;                   // the first half of the invocations loads x, the other w
const W: u32 = BLOCK * HALF;                        // where w begins in `tile`

// For each inner index, the numbers of four adjacent rows of x, or columns of w. The order of blocks is swizzled by the inner index, so that
// neither stores nor loads have bank conflicts.
var<workgroup> tile: array<vec4f, 2u * W>;

// The first of the four places of a block; the others are `BLOCKS` apart.
fn block_start(inner_block: u32, block: u32) -> u32 {
    return inner_block * TILE + (block ^ (inner_block * (TILE / 16u) % BLOCKS));
}

fn block_at(start: u32) -> mat4x4f {
    return mat4x4f(tile[start], tile[start + BLOCKS], tile[start + 2u * BLOCKS], tile[start + 3u * BLOCKS]);
}

fn store_block(row: u32, slice: u32, column: u32, block: mat4x4f) {
    let sums = array<vec4f, BLOCK>(block[0], block[1], block[2], block[3]);
    for (var i = 0u; i < BLOCK; i++) { apply_epilogue(row + i, slice, column, sums[i]); }
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    // Workgroups are ordered by slice, row of tiles, tile.
    let workgroup = index_of(group);
    let tiles_across = (p.columns + TILE - 1u) / TILE;
    let tiles_down = (p.rows + TILE - 1u) / TILE;
    let slice = workgroup / (tiles_across * tiles_down);
    if slice >= p.slices { return; }
    let first_row = workgroup / tiles_across % tiles_down * TILE;
    let first_column = workgroup % tiles_across * TILE;
    let share = invocation / (SIDE * SIDE);
    let x_block = invocation / SIDE % SIDE;
    let w_block = invocation % SIDE;
    let row = first_row + x_block * BLOCK;
    let column = first_column + w_block * BLOCK;
    // With few rows most blocks of a tile are empty.
    let depth = select(0u, DEPTH, row < p.rows);

    // Each invocation loads four columns of four rows of x or of w. Rows after the last one load the last one again.
    let inner_block = invocation % DEPTH;
    let block = invocation / DEPTH % BLOCKS;
    let loads_x = invocation < HALF;
    let start = select(first_column, first_row, loads_x) + block * BLOCK;
    let lines = min(vec4u(start) + vec4u(0u, 1u, 2u, 3u), vec4u(select(p.columns, p.rows, loads_x) - 1u));
    let valid = start < select(p.columns, p.rows, loads_x);
    let store_at = block_start(inner_block, block) + select(W, 0u, loads_x);

    let end = min((slice + 1u) * p.slice_steps, (p.inner + 3u) / 4u);
    var sums = mat4x4f();
    var sums_right = mat4x4f();
    var sums_below = mat4x4f();
    var sums_diagonal = mat4x4f();
    for (var first = slice * p.slice_steps; first < end; first += DEPTH) {
        let step = first + inner_block;
        var by_line = mat4x4f();
        if valid && step < end {
            if loads_x {
                by_line = mat4x4f(
                    four_of_x(lines.x, step), four_of_x(lines.y, step), four_of_x(lines.z, step), four_of_x(lines.w, step),
                );
            } else {
                by_line = mat4x4f(
                    four_of_w(lines.x, step), four_of_w(lines.y, step), four_of_w(lines.z, step), four_of_w(lines.w, step),
                );
            }
        }
        let by_place = transpose(by_line);
        tile[store_at] = by_place[0];
        tile[store_at + BLOCKS] = by_place[1];
        tile[store_at + 2u * BLOCKS] = by_place[2];
        tile[store_at + 3u * BLOCKS] = by_place[3];
        workgroupBarrier();
        for (var inner = share; inner < depth; inner += SHARES) {
            let x = block_at(block_start(inner, x_block));
            let w = block_at(block_start(inner, w_block) + W);
            sums = plus_product(sums, x, w);
            if BLOCKS > SIDE {
                let lower = block_at(block_start(inner, x_block + SIDE));
                let right = block_at(block_start(inner, w_block + SIDE) + W);
                sums_right = plus_product(sums_right, x, right);
                sums_below = plus_product(sums_below, lower, w);
                sums_diagonal = plus_product(sums_diagonal, lower, right);
            }
        }
        workgroupBarrier();
    }
    if SHARES > 1u {
        // Four invocations share a block: each adds up and stores one of its rows.
        tile[invocation] = sums[0];
        tile[invocation + WORKGROUP] = sums[1];
        tile[invocation + 2u * WORKGROUP] = sums[2];
        tile[invocation + 3u * WORKGROUP] = sums[3];
        workgroupBarrier();
        let first_sum = share * WORKGROUP + invocation % (SIDE * SIDE);
        var sum = tile[first_sum];
        for (var i = 1u; i < SHARES; i++) { sum += tile[first_sum + i * SIDE * SIDE]; }
        apply_epilogue(row + share, slice, column, sum);
        return;
    }
    store_block(row, slice, column, sums);
    if BLOCKS > SIDE {
        store_block(row, slice, column + SIDE * BLOCK, sums_right);
        store_block(row + SIDE * BLOCK, slice, column, sums_below);
        store_block(row + SIDE * BLOCK, slice, column + SIDE * BLOCK, sums_diagonal);
    }
}
