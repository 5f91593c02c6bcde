// y = epilogue(x Wᵀ + b): bias, then rotation of query and key (eq. 34), an activation or a gate, then a residual.
// A workgroup of 8 × 8 makes a tile of 32 × 32; each invocation 4 rows of 4 adjacent columns, which hold two whole pairs.
// Three entry points: `vec4_main` where the inner size is a multiple of 4, `scalar_main` elsewhere, `packed_main` for a weight that is
// not kept as f32. After activation.wgsl and packed.wgsl.
override has_bias: bool = true;
override has_residual: bool = false;
override rotates: bool = false;
override gates: bool = false;          // pairs of columns (gate, up) become one: activation(gate) · up

@group(0) @binding(0) var<storage, read>       x:        array<f32>;     // (rows, inner)
@group(0) @binding(0) var<storage, read>       x_vec4:   array<vec4f>;   // (rows, inner / 4): the same buffer
@group(0) @binding(1) var<storage, read>       w:        array<f32>;     // (columns, inner): this part of the weight
@group(0) @binding(1) var<storage, read>       w_vec4:   array<vec4f>;   // (columns, inner / 4): the same buffer
@group(0) @binding(1) var<storage, read>       packed:   array<u32>;     // (columns, row_words(inner)): the same buffer
@group(0) @binding(2) var<storage, read>       bias:     array<f32>;     // (stride)
@group(0) @binding(3) var<storage, read>       residual: array<f32>;     // (rows, stride)
@group(0) @binding(4) var<storage, read>       table:    array<vec2f>;   // (keys, head_size / 2): cos, sin
@group(0) @binding(5) var<storage, read>       positions: array<u32>;    // (rows): rows of the table
@group(0) @binding(6) var<storage, read_write> y:        array<f32>;     // (rows, stride), or half of it where pairs are gated
struct Parameters {
    rows: u32,
    inner: u32,
    columns: u32,           // of this part
    first_column: u32,      // of this part in y
    stride: u32,            // all columns of the product
    head_size: u32,
    rotated_columns: u32,   // the first of them are rotated
}
@group(0) @binding(7) var<uniform> p: Parameters;

const TILE: u32 = 32u;
const BLOCK: u32 = 4u;
const STEPS: u32 = 8u;                // vec4 steps of the inner axis a tile holds
const PITCH: u32 = STEPS + 1u;
var<workgroup> x_tile: array<vec4f, TILE * PITCH>;
var<workgroup> w_tile: array<vec4f, TILE * PITCH>;

// First column and first row of the tile that a workgroup makes: tiles of one row of tiles follow one another.
fn tile_of(workgroup: u32) -> vec2u {
    let across = (p.columns + TILE - 1u) / TILE;
    return vec2u(workgroup % across, workgroup / across) * TILE;
}

fn multiply_tiles(local: vec3u, sums: ptr<function, array<vec4f, 4>>) {
    for (var k = 0u; k < STEPS; k++) {
        let w0 = w_tile[(local.x * BLOCK) * PITCH + k];
        let w1 = w_tile[(local.x * BLOCK + 1u) * PITCH + k];
        let w2 = w_tile[(local.x * BLOCK + 2u) * PITCH + k];
        let w3 = w_tile[(local.x * BLOCK + 3u) * PITCH + k];
        for (var i = 0u; i < BLOCK; i++) {
            let a = x_tile[(local.y * BLOCK + i) * PITCH + k];
            (*sums)[i] += vec4f(dot(a, w0), dot(a, w1), dot(a, w2), dot(a, w3));
        }
    }
}

// Rotates a pair that starts at an even column: columns of one head, of one position.
fn rotate_pair(pair: vec2f, column: u32, position: u32) -> vec2f {
    if column >= p.rotated_columns { return pair; }
    let turn = table[position * (p.head_size / 2u) + (column % p.head_size) / 2u];
    return vec2f(pair.x * turn.x - pair.y * turn.y, pair.y * turn.x + pair.x * turn.y);
}

fn store(first_row: u32, first_column: u32, sums: ptr<function, array<vec4f, 4>>) {
    if first_column >= p.columns { return; }
    let used = min(BLOCK, p.columns - first_column);
    let column = p.first_column + first_column;
    var added = vec4f(0.0);
    if has_bias {
        for (var j = 0u; j < used; j++) { added[j] = bias[column + j]; }
    }
    for (var i = 0u; i < BLOCK; i++) {
        let row = first_row + i;
        if row >= p.rows { return; }
        var value = (*sums)[i] + added;
        if rotates {
            let position = positions[row];
            value = vec4f(rotate_pair(value.xy, column, position), rotate_pair(value.zw, column + 2u, position));
        }
        let activated = activate(value);
        if gates {
            let at = (row * p.stride + column) / 2u;
            for (var j = 0u; j < used; j += 2u) { y[at + j / 2u] = activated[j] * value[j + 1u]; }
            continue;
        }
        value = activated;
        let at = row * p.stride + column;
        for (var j = 0u; j < used; j++) {
            if has_residual { y[at + j] = value[j] + residual[at + j]; } else { y[at + j] = value[j]; }
        }
    }
}

@compute @workgroup_size(8, 8)
fn vec4_main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_id) local: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let steps = p.inner / 4u;
    let tile = tile_of(group.x + group.y * groups.x);
    if tile.y >= p.rows { return; }
    var sums: array<vec4f, 4>;
    for (var first = 0u; first < steps; first += STEPS) {
        for (var i = invocation; i < TILE * STEPS; i += 64u) {
            let line = i / STEPS;
            let k = i % STEPS;
            let row = tile.y + line;
            let column = tile.x + line;
            var a = vec4f(0.0);
            var b = vec4f(0.0);
            if first + k < steps {
                if row < p.rows { a = x_vec4[row * steps + first + k]; }
                if column < p.columns { b = w_vec4[column * steps + first + k]; }
            }
            x_tile[line * PITCH + k] = a;
            w_tile[line * PITCH + k] = b;
        }
        workgroupBarrier();
        multiply_tiles(local, &sums);
        workgroupBarrier();
    }
    store(tile.y + local.y * BLOCK, tile.x + local.x * BLOCK, &sums);
}

@compute @workgroup_size(8, 8)
fn scalar_main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_id) local: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let tile = tile_of(group.x + group.y * groups.x);
    if tile.y >= p.rows { return; }
    var sums: array<vec4f, 4>;
    for (var first = 0u; first < p.inner; first += STEPS * 4u) {
        for (var i = invocation; i < TILE * STEPS; i += 64u) {
            let line = i / STEPS;
            let k = i % STEPS;
            let row = tile.y + line;
            let column = tile.x + line;
            var a = vec4f(0.0);
            var b = vec4f(0.0);
            for (var lane = 0u; lane < 4u; lane++) {
                let inner = first + k * 4u + lane;
                if inner < p.inner {
                    if row < p.rows { a[lane] = x[row * p.inner + inner]; }
                    if column < p.columns { b[lane] = w[column * p.inner + inner]; }
                }
            }
            x_tile[line * PITCH + k] = a;
            w_tile[line * PITCH + k] = b;
        }
        workgroupBarrier();
        multiply_tiles(local, &sums);
        workgroupBarrier();
    }
    store(tile.y + local.y * BLOCK, tile.x + local.x * BLOCK, &sums);
}

@compute @workgroup_size(8, 8)
fn packed_main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_id) local: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let tile = tile_of(group.x + group.y * groups.x);
    if tile.y >= p.rows { return; }
    let pitch = row_words(p.inner);
    var sums: array<vec4f, 4>;
    for (var first = 0u; first < p.inner; first += STEPS * 4u) {
        for (var i = invocation; i < TILE * STEPS; i += 64u) {
            let line = i / STEPS;
            let k = i % STEPS;
            let row = tile.y + line;
            let column = tile.x + line;
            var a = vec4f(0.0);
            var b = vec4f(0.0);
            let inner = first + k * 4u;
            if inner < p.inner {
                for (var lane = 0u; lane < 4u; lane++) {
                    if row < p.rows && inner + lane < p.inner { a[lane] = x[row * p.inner + inner + lane]; }
                }
                if column < p.columns { b = four(column * pitch, inner / 4u, p.inner); }
            }
            x_tile[line * PITCH + k] = a;
            w_tile[line * PITCH + k] = b;
        }
        workgroupBarrier();
        multiply_tiles(local, &sums);
        workgroupBarrier();
    }
    store(tile.y + local.y * BLOCK, tile.x + local.x * BLOCK, &sums);
}
