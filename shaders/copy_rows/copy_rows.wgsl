// Copies some columns of rows: keys and values of a run into the KV cache, or rows of a head into the result buffer. One invocation per number.
#import shared/group
#import shared/cache_number
@group(0) @binding(0) var<storage, read>       source:      array<f32>;   // (batch, source_pitch, stride)
@group(0) @binding(1) var<storage, read_write> destination: array<CacheNumber>;   // (batch, target_pitch, width)
struct Parameters {
    elements: u32,       // batch · rows · width
    rows: u32,           // of each sequence
    width: u32,          // columns that are copied
    source_pitch: u32,   // source rows from one sequence to the next
    stride: u32,         // numbers from one source row to the next
    source: u32,         // index of the first number read
    target_pitch: u32,   // target rows from one sequence to the next
    first: u32,          // index of the first number written
}
@group(0) @binding(2) var<uniform> p: Parameters;

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let at = index_of(group) * WORKGROUP + invocation;
    if at >= p.elements { return; }
    let column = at % p.width;
    let row = (at / p.width) % p.rows;
    let sequence = at / p.width / p.rows;
    destination[p.first + (sequence * p.target_pitch + row) * p.width + column] =
        cache_number(source[p.source + (sequence * p.source_pitch + row) * p.stride + column]);
}
