// Joins the slices of flash decoding: the sum of their outputs, weighted by their statistics. One workgroup per query row and head.
#import shared/group
@group(0) @binding(0) var<storage, read>       slice_outputs:         array<f32>;     // (rows, slices, heads, head_size)
@group(0) @binding(1) var<storage, read>       slice_statistics: array<vec2f>;   // (rows, slices, heads): max of scores, sum of e^(score − max)
@group(0) @binding(2) var<storage, read_write> head_outputs:          array<f32>;     // (rows, heads, head_size)
@group(0) @binding(3) var<storage, read_write> statistics:       array<vec2f>;   // (batch, statistics_pitch, heads): the same over all keys
struct Parameters {
    rows: u32,   // batch · length
    length: u32,
    heads: u32,
    head_size: u32,
    slices: u32,
    statistics_first: u32,
    statistics_pitch: u32,
}
@group(0) @binding(4) var<uniform> p: Parameters;

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let workgroup = index_of(group);
    let row = workgroup / p.heads;
    let head = workgroup % p.heads;
    if row >= p.rows { return; }
    var largest = slice_statistics[row * p.slices * p.heads + head].x;
    for (var slice = 1u; slice < p.slices; slice++) {
        largest = max(largest, slice_statistics[(row * p.slices + slice) * p.heads + head].x);
    }
    var total = 0.0;
    for (var slice = 0u; slice < p.slices; slice++) {
        let statistics_of_slice = slice_statistics[(row * p.slices + slice) * p.heads + head];
        total += statistics_of_slice.y * exp(statistics_of_slice.x - largest);
    }
    for (var column = invocation; column < p.head_size; column += WORKGROUP) {
        var sum = 0.0;
        for (var slice = 0u; slice < p.slices; slice++) {
            let at = (row * p.slices + slice) * p.heads + head;
            sum += slice_outputs[at * p.head_size + column] * slice_statistics[at].y * exp(slice_statistics[at].x - largest);
        }
        head_outputs[workgroup * p.head_size + column] = sum / total;
    }
    if invocation == 0u {
        let at = row / p.length * p.statistics_pitch + p.statistics_first + row % p.length;
        statistics[at * p.heads + head] = vec2f(largest, total);
    }
}
