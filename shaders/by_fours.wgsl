// Four numbers at a time of a product's weight, whose rows are whole fours. Beside x_by_fours.wgsl.
@group(0) @binding(1) var<storage, read>       w: array<vec4f>;   // (columns, inner / 4): this part of the weight

fn four_of_w(column: u32, step: u32) -> vec4f { return w[column * (p.inner / 4u) + step]; }
