// Four numbers at a time of a product's x, whose rows are whole fours.
@group(0) @binding(0) var<storage, read>       x: array<vec4f>;   // (rows, inner / 4)

fn four_of_x(row: u32, step: u32) -> vec4f { return x[row * (p.inner / 4u) + step]; }
