// Decoding on the device: writes the next id of each row to the ids of the next step. One invocation per row.
#import shared/group
@group(0) @binding(0) var<storage, read>       results: array<f32>;   // (rows, stride): an id as exact f32 at a place of each row
@group(0) @binding(1) var<storage, read_write> ids:     array<u32>;   // (rows)
struct Parameters { rows: u32, stride: u32, place: u32 }
@group(0) @binding(2) var<uniform> p: Parameters;

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let row = index_of(group) * WORKGROUP + invocation;
    if row >= p.rows { return; }
    ids[row] = u32(results[row * p.stride + p.place]);
}
