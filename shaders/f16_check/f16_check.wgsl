// Converts f16 numbers to f32. One invocation per four numbers.
enable f16;

@group(0) @binding(0) var<storage, read>       halves:  array<vec4<f16>>;
@group(0) @binding(1) var<storage, read_write> numbers: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) { numbers[id.x] = vec4f(halves[id.x]); }
