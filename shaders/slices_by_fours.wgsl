// Four columns of a slice's sums at a time, whose rows are whole fours.
@group(0) @binding(0) var<storage, read>       sums: array<vec4f>;   // (rows, slices, stride / 4)

fn four_of_sums(at: u32, used: u32) -> vec4f { return sums[at / 4u]; }
