// Copies rows, and puts numbers in columns of heads: the last entry of the tensor that names a number counts. One invocation per number.
#import shared/group
@group(0) @binding(0) var<storage, read>       entries: array<u32>;   // the first entry of each target and of none; then head, row, column and bits of each entry
@group(0) @binding(1) var<storage, read>       x:       array<f32>;   // (tokens, width)
@group(0) @binding(2) var<storage, read_write> y:       array<f32>;   // (tokens, width)
struct Parameters {
    elements: u32,       // tokens · width
    width: u32,          // numbers of a row
    length: u32,         // rows of a text
    first: u32,          // the first column of the tensor
    head_columns: u32,   // columns of all heads
    head_size: u32,
    halves: u32,         // columns of a head that are adjacent pairs here, and half-split in the entries
    target_index: u32,   // the tensor and layer
    targets: u32,
}
@group(0) @binding(3) var<uniform> p: Parameters;

const EVERY: u32 = 0xffffffffu;
const ENTRY_WORDS: u32 = 4u;

// The column of a head by which entries name a column of it.
fn named(column: u32) -> u32 {
    if column >= p.halves { return column; }
    return column / 2u + column % 2u * (p.halves / 2u);
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let element = index_of(group) * WORKGROUP + invocation;
    if element >= p.elements { return; }
    var number = x[element];
    let row = element / p.width % p.length;
    // Columns in front of the first wrap around, beyond all heads.
    let at = element % p.width - p.first;
    if at < p.head_columns {
        let head = at / p.head_size;
        let column = named(at % p.head_size);
        let end = entries[p.target_index + 1u];
        for (var entry = entries[p.target_index]; entry < end; entry++) {
            let words = p.targets + 1u + entry * ENTRY_WORDS;
            let of_head = entries[words] == EVERY || entries[words] == head;
            let of_row = entries[words + 1u] == EVERY || entries[words + 1u] == row;
            let of_column = entries[words + 2u] == EVERY || entries[words + 2u] == column;
            if of_head && of_row && of_column { number = bitcast<f32>(entries[words + 3u]); }
        }
    }
    y[element] = number;
}
