// Euclidean norms of rows of heads, optionally after their head's columns of the output projection (Kobayashi et al. 2020, arXiv 2004.10102).
// One workgroup per row and head.
#import shared/workgroup_sum
#import shared/quantised
#import shared/group

override projects: bool = false;

@group(0) @binding(0) var<storage, read>       rows:   array<f32>;   // (batch, pitch, stride); heads start at column `first`
@group(0) @binding(1) var<storage, read>       weight: array<u32>;   // (width, row_words(columns)): the output projection
@group(0) @binding(2) var<storage, read_write> results: array<f32>;   // from `offset`: (heads, count)
struct Parameters {
    norms: u32,        // heads · count
    count: u32,        // rows of a head
    first_head: u32,   // of the head range
    group: u32,        // query heads that share a value head
    head_size: u32,
    first: u32,        // first column of head 0
    stride: u32,       // numbers of a row
    first_row: u32,    // of the sequence
    width: u32,        // rows of the output projection
    columns: u32,      // columns of the output projection
    offset: u32,       // index in `results`
}
@group(0) @binding(3) var<uniform> p: Parameters;

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let at = index_of(group);
    if at >= p.norms { return; }
    let head = p.first_head + at / p.count;
    let start = (p.first_row + at % p.count) * p.stride + p.first + head / p.group * p.head_size;
    var squares = 0.0;
    if projects {
        for (var column = invocation; column < p.width; column += WORKGROUP) {
            let weights = column * row_words(p.columns);
            var sum = 0.0;
            for (var i = 0u; i < p.head_size; i++) { sum += rows[start + i] * weight_at(weights, head * p.head_size + i, p.columns); }
            squares += sum * sum;
        }
    } else {
        for (var i = invocation; i < p.head_size; i += WORKGROUP) { squares += rows[start + i] * rows[start + i]; }
    }
    let total = workgroup_sum(squares, invocation);
    if invocation == 0u { results[p.offset + at] = sqrt(total); }
}
