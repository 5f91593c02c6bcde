// Norms of rows of heads, as they are or through their head's columns of the output projection (Kobayashi et al. 2020, arXiv
// 2004.10102). One workgroup a row of a head.
#import shared/workgroup_sum
#import shared/quantised

override projects: bool = false;

@group(0) @binding(0) var<storage, read>       rows:   array<f32>;   // (batch, pitch, stride), a head's numbers from `first` on
@group(0) @binding(1) var<storage, read>       packed: array<u32>;   // (width, row_words(columns)): the output projection
@group(0) @binding(2) var<storage, read_write> answer: array<f32>;   // from `offset`: (chosen heads, count)
struct Parameters {
    numbers: u32,        // chosen heads · count
    count: u32,          // rows of a head
    first_head: u32,
    group: u32,          // heads that share the numbers of a row
    head_size: u32,
    first: u32, stride: u32,
    first_row: u32,      // of the sequence, in rows
    width: u32, columns: u32,
    offset: u32,
}
@group(0) @binding(3) var<uniform> p: Parameters;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let at = group.x + group.y * groups.x;
    if at >= p.numbers { return; }
    let head = p.first_head + at / p.count;
    let start = (p.first_row + at % p.count) * p.stride + p.first + head / p.group * p.head_size;
    var squares = 0.0;
    if projects {
        for (var column = invocation; column < p.width; column += INVOCATIONS) {
            let weights = column * row_words(p.columns);
            var sum = 0.0;
            for (var i = 0u; i < p.head_size; i++) { sum += rows[start + i] * number(weights, head * p.head_size + i, p.columns); }
            squares += sum * sum;
        }
    } else {
        for (var i = invocation; i < p.head_size; i += INVOCATIONS) { squares += rows[start + i] * rows[start + i]; }
    }
    let total = workgroup_sum(squares, invocation);
    if invocation == 0u { answer[p.offset + at] = sqrt(total); }
}
