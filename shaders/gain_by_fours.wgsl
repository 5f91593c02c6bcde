// Four gains of a norm at a time, of rows of whole fours.
@group(0) @binding(2) var<storage, read>       gain: array<vec4f>;   // (inner / 4)

fn four_of_gain(step: u32) -> vec4f { return gain[step]; }
