// Four numbers at a time of a product's weight that is not kept as f32. After packed.wgsl, beside x_by_fours.wgsl or x_by_numbers.wgsl.
@group(0) @binding(1) var<storage, read>       packed: array<u32>;   // (columns, row_words(inner)): this part of the weight

fn four_of_w(column: u32, step: u32) -> vec4f { return four(column * row_words(p.inner), step, p.inner); }
