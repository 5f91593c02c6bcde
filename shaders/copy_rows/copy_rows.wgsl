// Copies columns of packed rows: this run's keys and values behind those of earlier runs, or a head's rows to an answer.
@group(0) @binding(0) var<storage, read>       source: array<f32>;   // (batch, source pitch, stride)
@group(0) @binding(1) var<storage, read_write> copied: array<f32>;   // (batch, target pitch, width)
struct Parameters {
    numbers: u32,         // batch · rows · width
    rows: u32,            // of each sequence
    width: u32,
    source_pitch: u32,    // rows from one sequence to the next
    stride: u32,          // numbers from one source row to the next
    source: u32,          // first number of the first row
    target_pitch: u32,
    first: u32,           // first number written
}
@group(0) @binding(2) var<uniform> p: Parameters;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let at = (group.x + group.y * groups.x) * 64u + invocation;
    if at >= p.numbers { return; }
    let column = at % p.width;
    let row = (at / p.width) % p.rows;
    let sequence = at / p.width / p.rows;
    copied[p.first + (sequence * p.target_pitch + row) * p.width + column] =
        source[p.source + (sequence * p.source_pitch + row) * p.stride + column];
}
