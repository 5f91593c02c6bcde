// Four numbers at a time of a product's operands, whose rows are whole fours.
@group(0) @binding(0) var<storage, read>       x: array<vec4f>;   // (rows, inner / 4)
@group(0) @binding(1) var<storage, read>       w: array<vec4f>;   // (columns, inner / 4): this part of the weight

fn four_of_x(row: u32, step: u32) -> vec4f { return x[row * (p.inner / 4u) + step]; }

fn four_of_w(column: u32, step: u32) -> vec4f { return w[column * (p.inner / 4u) + step]; }
