// y = finish(x Wᵀ): a workgroup of 8 × 8 makes a tile of 32 × 32, each invocation 4 rows of 4 adjacent columns.
// After product_end.wgsl and the operands, by_fours.wgsl, by_numbers.wgsl or by_packed.wgsl.
const TILE: u32 = 32u;
const BLOCK: u32 = 4u;
const BLOCKS: u32 = TILE / BLOCK;     // of rows, of columns, and of the inner axis that a tile holds

// Of each place of the inner axis, the numbers of four adjacent rows (columns). A block's place is turned by the inner block, so that
// neither those who write blocks nor those who read a line of them meet in a bank.
var<workgroup> x_tile: array<vec4f, TILE * BLOCKS>;
var<workgroup> w_tile: array<vec4f, TILE * BLOCKS>;

@compute @workgroup_size(8, 8)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_id) local: vec3u,
) {
    // Tiles of one row of tiles follow one another.
    let tile = group.x + group.y * groups.x;
    let across = (p.columns + TILE - 1u) / TILE;
    let first_row = tile / across * TILE;
    if first_row >= p.rows { return; }
    let first_column = tile % across * TILE;
    // What this invocation fetches: an inner block of four rows of x and of w. What it makes.
    let fetched_row = first_row + local.y * BLOCK;
    let fetched_column = first_column + local.y * BLOCK;
    let row = first_row + local.y * BLOCK;
    let column = first_column + local.x * BLOCK;

    let steps = (p.inner + 3u) / 4u;
    var sums: array<vec4f, BLOCK>;
    for (var first = 0u; first < steps; first += BLOCKS) {
        let step = first + local.x;
        var rows: mat4x4f;
        var columns: mat4x4f;
        if step < steps {
            for (var i = 0u; i < BLOCK; i++) {
                if fetched_row + i < p.rows { rows[i] = four_of_x(fetched_row + i, step); }
                if fetched_column + i < p.columns { columns[i] = four_of_w(fetched_column + i, step); }
            }
        }
        rows = transpose(rows);
        columns = transpose(columns);
        for (var i = 0u; i < BLOCK; i++) {
            let at = (local.x * BLOCK + i) * BLOCKS + (local.y ^ local.x);
            x_tile[at] = rows[i];
            w_tile[at] = columns[i];
        }
        workgroupBarrier();
        // Few rows leave most of a tile to nobody.
        if row < p.rows {
            for (var k = 0u; k < TILE; k++) {
                let a = x_tile[k * BLOCKS + (local.y ^ (k / BLOCK))];
                let b = w_tile[k * BLOCKS + (local.x ^ (k / BLOCK))];
                sums[0] = fma(vec4f(a.x), b, sums[0]);
                sums[1] = fma(vec4f(a.y), b, sums[1]);
                sums[2] = fma(vec4f(a.z), b, sums[2]);
                sums[3] = fma(vec4f(a.w), b, sums[3]);
            }
        }
        workgroupBarrier();
    }
    for (var i = 0u; i < BLOCK; i++) { finish(row + i, column, sums[i]); }
}
