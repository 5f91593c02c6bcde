// Paints one layer of the grid of all heads: heads from left to right, `cell` pixels each and `gap` pixels apart. A pixel shows the largest
// attention weight that it covers, so that thin diagonals survive in a small picture.
@group(0) @binding(0) var<storage, read> maps:    array<f32>;   // from `first`: (heads, length, length), attention weights
@group(0) @binding(1) var<storage, read> palette: array<u32>;   // 256 sRGB colours by √weight, red in the lowest byte; then the head at each place, (layers, heads)
struct Parameters {
    cell: u32,     // pixels
    gap: u32,      // pixels
    length: u32,   // queries and keys of a map
    top: u32,      // the layer's first row of pixels
    first: u32,    // index in `maps`
    order: u32,    // index in `palette`, after the colours
    heads: u32,
}
@group(0) @binding(2) var<uniform> p: Parameters;

@vertex
fn cover(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
    // One triangle covers the picture; the scissor rectangle selects the layer.
    return vec4f(f32(vertex / 2u) * 4.0 - 1.0, f32(vertex % 2u) * 4.0 - 1.0, 0.0, 1.0);
}

// The range of tokens that pixel `at` of a cell covers.
fn covered(at: u32) -> vec2u {
    let first = at * p.length / p.cell;
    return vec2u(first, max(first + 1u, ((at + 1u) * p.length + p.cell - 1u) / p.cell));
}

@fragment
fn paint(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let x = u32(position.x);
    let head = palette[256u + p.order + min(x / (p.cell + p.gap), p.heads - 1u)];
    let column = x % (p.cell + p.gap);
    if column >= p.cell { discard; }
    let keys = covered(column);
    let queries = covered(u32(position.y) - p.top);
    var largest = 0.0;
    for (var query = queries.x; query < min(queries.y, p.length); query++) {
        let row = p.first + (head * p.length + query) * p.length;
        for (var key = keys.x; key < min(keys.y, p.length); key++) { largest = max(largest, maps[row + key]); }
    }
    let index = u32(clamp(sqrt(largest), 0.0, 1.0) * 255.0 + 0.5);
    return unpack4x8unorm(palette[index]);
}
