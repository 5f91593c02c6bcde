// Copies the rotated query and key rows of one head of the first sequence, so that they are read back with its map.
@group(0) @binding(0) var<storage, read>       projected: array<f32>;   // (batch, length, 3, heads, head_size)
@group(0) @binding(1) var<storage, read_write> rows:      array<f32>;   // (2, length, head_size): query, key
struct Parameters { length: u32, heads: u32, head_size: u32, head: u32 }
@group(0) @binding(2) var<uniform> p: Parameters;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let row = group.x + group.y * groups.x;   // (2, length)
    if row >= 2u * p.length { return; }
    let third = row / p.length;
    let position = row % p.length;
    let source = ((position * 3u + third) * p.heads + p.head) * p.head_size;
    for (var i = invocation; i < p.head_size; i += 64u) { rows[row * p.head_size + i] = projected[source + i]; }
}
