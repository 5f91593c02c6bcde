// y = finish(x Wᵀ) (GEMM): a workgroup of 64 makes a tile of TILE × TILE, from a slice of the inner axis. Its invocations make blocks of
// 4 rows and 4 adjacent columns: of a tile of 16 four of them share a block's inner axis, of 32 each has a block, of 64 each has four.
// Whatever the tile, it takes 4 KiB: SwiftShader compiles for as long as it clears memory of workgroups (1.2 s for 8 KiB).
#import gemm/operands
#import gemm/epilogue
#import shared/block_product

const END: u32 = 2u;                                // the first binding of the epilogue
override TILE: u32 = 32u;                           // 16, 32 or 64
const BLOCK: u32 = 4u;
override BLOCKS: u32 = TILE / BLOCK;                // of rows, and of columns
override SIDE: u32 = min(BLOCKS, 8u);               // blocks beside one another that have an invocation
override SHARES: u32 = INVOCATIONS / (SIDE * SIDE); // of a block's inner axis
override DEPTH: u32 = HALF / BLOCKS;                // blocks of the inner axis that a tile holds
const INVOCATIONS: u32 = 64u;
const HALF: u32 = INVOCATIONS / 2u;                 // invocations that fetch blocks of x; the others fetch blocks of w
const W: u32 = BLOCK * HALF;                        // where w's half of the tile begins

// Of each place of the inner axis, the numbers of four adjacent rows, or columns. A block's place is turned by the inner block, so that
// neither those who write blocks nor those who read a line of them meet in a bank.
var<workgroup> tile: array<vec4f, 2u * W>;

// Where a block's first of four places is; the others lie `BLOCKS` apart.
fn block_start(inner_block: u32, block: u32) -> u32 {
    return inner_block * TILE + (block ^ (inner_block * (TILE / 16u) % BLOCKS));
}

fn block_at(start: u32) -> mat4x4f {
    return mat4x4f(tile[start], tile[start + BLOCKS], tile[start + 2u * BLOCKS], tile[start + 3u * BLOCKS]);
}

fn finish_block(row: u32, slice: u32, column: u32, block: mat4x4f) {
    let sums = array<vec4f, BLOCK>(block[0], block[1], block[2], block[3]);
    for (var i = 0u; i < BLOCK; i++) { finish(row + i, slice, column, sums[i]); }
}

@compute @workgroup_size(INVOCATIONS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    // Tiles of one row of tiles follow one another, then slices.
    let workgroup = group.x + group.y * groups.x;
    let across = (p.columns + TILE - 1u) / TILE;
    let down = (p.rows + TILE - 1u) / TILE;
    let slice = workgroup / (across * down);
    if slice >= p.slices { return; }
    let first_row = workgroup / across % down * TILE;
    let first_column = workgroup % across * TILE;
    let share = invocation / (SIDE * SIDE);
    let x_block = invocation / SIDE % SIDE;
    let w_block = invocation % SIDE;
    let row = first_row + x_block * BLOCK;
    let column = first_column + w_block * BLOCK;
    // Few rows leave most of a tile to nobody.
    let depth = select(0u, DEPTH, row < p.rows);

    // What it fetches: of one inner block, four rows of x or of w. The last one stands for those behind it.
    let inner_block = invocation % DEPTH;
    let block = invocation / DEPTH % BLOCKS;
    let of_x = invocation < HALF;
    let start = select(first_column, first_row, of_x) + block * BLOCK;
    let lines = min(vec4u(start) + vec4u(0u, 1u, 2u, 3u), vec4u(select(p.columns, p.rows, of_x) - 1u));
    let there = start < select(p.columns, p.rows, of_x);
    let to = block_start(inner_block, block) + select(W, 0u, of_x);

    let end = min((slice + 1u) * p.slice_steps, (p.inner + 3u) / 4u);
    var sums = mat4x4f();
    var beside = mat4x4f();
    var below = mat4x4f();
    var across_both = mat4x4f();
    for (var first = slice * p.slice_steps; first < end; first += DEPTH) {
        let step = first + inner_block;
        var by_line = mat4x4f();
        if there && step < end {
            if of_x {
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
        tile[to] = by_place[0];
        tile[to + BLOCKS] = by_place[1];
        tile[to + 2u * BLOCKS] = by_place[2];
        tile[to + 3u * BLOCKS] = by_place[3];
        workgroupBarrier();
        for (var inner = share; inner < depth; inner += SHARES) {
            let x = block_at(block_start(inner, x_block));
            let w = block_at(block_start(inner, w_block) + W);
            sums = plus_product(sums, x, w);
            if BLOCKS > SIDE {
                let lower = block_at(block_start(inner, x_block + SIDE));
                let right = block_at(block_start(inner, w_block + SIDE) + W);
                beside = plus_product(beside, x, right);
                below = plus_product(below, lower, w);
                across_both = plus_product(across_both, lower, right);
            }
        }
        workgroupBarrier();
    }
    if SHARES > 1u {
        // Of a block's four rows each of the four that shared it adds and finishes one.
        tile[invocation] = sums[0];
        tile[invocation + INVOCATIONS] = sums[1];
        tile[invocation + 2u * INVOCATIONS] = sums[2];
        tile[invocation + 3u * INVOCATIONS] = sums[3];
        workgroupBarrier();
        let first_sum = share * INVOCATIONS + invocation % (SIDE * SIDE);
        var sum = tile[first_sum];
        for (var i = 1u; i < SHARES; i++) { sum += tile[first_sum + i * SIDE * SIDE]; }
        finish(row + share, slice, column, sum);
        return;
    }
    finish_block(row, slice, column, sums);
    if BLOCKS > SIDE {
        finish_block(row, slice, column + SIDE * BLOCK, beside);
        finish_block(row + SIDE * BLOCK, slice, column, below);
        finish_block(row + SIDE * BLOCK, slice, column + SIDE * BLOCK, across_both);
    }
}
