// y = finish(x Wᵀ): a workgroup of 64 makes a tile of 32 × 32, each invocation 4 rows of 4 adjacent columns.
// After product_end.wgsl and the operands, by_fours.wgsl, by_numbers.wgsl or by_packed.wgsl. Blocks of four are unrolled by hand:
// software adapters, and compilers that bound every loop, take long over short ones. SwiftShader compiles for as long as it clears
// memory of workgroups (1.2 s for 8 KiB), so tiles are no deeper than they have to be.
const TILE: u32 = 32u;
const BLOCK: u32 = 4u;
const BLOCKS: u32 = TILE / BLOCK;     // of rows, and of columns
const DEPTH: u32 = 4u;                // blocks of the inner axis that a tile holds
const HALF: u32 = BLOCKS * DEPTH;     // invocations that fetch blocks of x; the others fetch blocks of w

// Of each place of the inner axis, the numbers of four adjacent rows (columns). A block's place is turned by the inner block, so that
// neither those who write blocks nor those who read a line of them meet in a bank.
var<workgroup> x_tile: array<vec4f, TILE * DEPTH>;
var<workgroup> w_tile: array<vec4f, TILE * DEPTH>;

@compute @workgroup_size(2u * HALF)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    // Tiles of one row of tiles follow one another.
    let tile = group.x + group.y * groups.x;
    let across = (p.columns + TILE - 1u) / TILE;
    let first_row = tile / across * TILE;
    if first_row >= p.rows { return; }
    let first_column = tile % across * TILE;
    let x_block = invocation / BLOCKS;
    let w_block = invocation % BLOCKS;
    let row = first_row + x_block * BLOCK;
    // Few rows leave most of a tile to nobody.
    let depth = select(0u, DEPTH, row < p.rows);

    // What it fetches: of one inner block, four rows of x or of w. The last one stands for those behind it.
    let inner_block = invocation % DEPTH;
    let block = invocation / DEPTH % BLOCKS;
    let of_x = invocation < HALF;
    let start = select(first_column, first_row, of_x) + block * BLOCK;
    let lines = min(vec4u(start) + vec4u(0u, 1u, 2u, 3u), vec4u(select(p.columns, p.rows, of_x) - 1u));
    let there = start < select(p.columns, p.rows, of_x);
    let to = inner_block * TILE + (block ^ (2u * inner_block));

    let steps = (p.inner + 3u) / 4u;
    var sum0: vec4f;
    var sum1: vec4f;
    var sum2: vec4f;
    var sum3: vec4f;
    for (var first = 0u; first < steps; first += DEPTH) {
        let step = first + inner_block;
        let fetches = there && step < steps;
        var by_line = mat4x4f();
        if of_x {
            if fetches {
                by_line = mat4x4f(
                    four_of_x(lines.x, step), four_of_x(lines.y, step), four_of_x(lines.z, step), four_of_x(lines.w, step),
                );
            }
            let by_place = transpose(by_line);
            x_tile[to] = by_place[0];
            x_tile[to + BLOCKS] = by_place[1];
            x_tile[to + 2u * BLOCKS] = by_place[2];
            x_tile[to + 3u * BLOCKS] = by_place[3];
        } else {
            if fetches {
                by_line = mat4x4f(
                    four_of_w(lines.x, step), four_of_w(lines.y, step), four_of_w(lines.z, step), four_of_w(lines.w, step),
                );
            }
            let by_place = transpose(by_line);
            w_tile[to] = by_place[0];
            w_tile[to + BLOCKS] = by_place[1];
            w_tile[to + 2u * BLOCKS] = by_place[2];
            w_tile[to + 3u * BLOCKS] = by_place[3];
        }
        workgroupBarrier();
        for (var inner = 0u; inner < depth; inner++) {
            let x_at = inner * TILE + (x_block ^ (2u * inner));
            let w_at = inner * TILE + (w_block ^ (2u * inner));
            let x0 = x_tile[x_at];
            let w0 = w_tile[w_at];
            let x1 = x_tile[x_at + BLOCKS];
            let w1 = w_tile[w_at + BLOCKS];
            let x2 = x_tile[x_at + 2u * BLOCKS];
            let w2 = w_tile[w_at + 2u * BLOCKS];
            let x3 = x_tile[x_at + 3u * BLOCKS];
            let w3 = w_tile[w_at + 3u * BLOCKS];
            sum0 = fma(vec4f(x3.x), w3, fma(vec4f(x2.x), w2, fma(vec4f(x1.x), w1, fma(vec4f(x0.x), w0, sum0))));
            sum1 = fma(vec4f(x3.y), w3, fma(vec4f(x2.y), w2, fma(vec4f(x1.y), w1, fma(vec4f(x0.y), w0, sum1))));
            sum2 = fma(vec4f(x3.z), w3, fma(vec4f(x2.z), w2, fma(vec4f(x1.z), w1, fma(vec4f(x0.z), w0, sum2))));
            sum3 = fma(vec4f(x3.w), w3, fma(vec4f(x2.w), w2, fma(vec4f(x1.w), w1, fma(vec4f(x0.w), w0, sum3))));
        }
        workgroupBarrier();
    }
    let sums = array<vec4f, BLOCK>(sum0, sum1, sum2, sum3);
    for (var i = 0u; i < BLOCK; i++) { finish(row + i, first_column + w_block * BLOCK, sums[i]); }
}
