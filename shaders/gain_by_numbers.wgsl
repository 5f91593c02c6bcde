// Four gains of a norm at a time, of rows that end anywhere: the last one behind their end, where they meet a 0.
@group(0) @binding(2) var<storage, read>       gain: array<f32>;   // (inner)

fn four_of_gain(step: u32) -> vec4f {
    let at = min(4u * step + vec4u(0u, 1u, 2u, 3u), vec4u(p.inner - 1u));
    return vec4f(gain[at.x], gain[at.y], gain[at.z], gain[at.w]);
}
