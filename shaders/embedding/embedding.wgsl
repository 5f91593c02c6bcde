// y = norm(scale · word[id] + added[row]). The added table (token types or positions) and the norm are optional. One workgroup per token.
// A word table in parts takes one dispatch a part, which writes the tokens whose id is in it.
#import shared/workgroup_sum
#import shared/quantised
#import shared/group

override centres: bool = true;   // true: LayerNorm; false: RMS norm
override has_added: bool = true;
override has_norm: bool = true;
override has_gain: bool = true;
override has_shift: bool = true;

@group(0) @binding(0) var<storage, read>       ids:         array<u32>;   // (batch, length)
@group(0) @binding(1) var<storage, read>       rows:        array<u32>;   // (batch, length): row of `added` less first_row
@group(0) @binding(2) var<storage, read>       weight:      array<u32>;   // (ids_in_part, row_words(width)): word embeddings of this part
@group(0) @binding(3) var<storage, read>       added:       array<f32>;   // (first_row + rows, width)
@group(0) @binding(4) var<storage, read>       gain:        array<f32>;   // (width)
@group(0) @binding(5) var<storage, read>       shift:       array<f32>;   // (width)
@group(0) @binding(6) var<storage, read_write> y:           array<f32>;   // (batch, length, width)
struct Parameters {
    tokens: u32,      // batch · length
    width: u32,
    first_id: u32,    // of this part
    ids_in_part: u32,
    first_row: u32,   // of `added`
    epsilon: f32,
    scale: f32,
}
@group(0) @binding(7) var<uniform> p: Parameters;

fn sum_at(word: u32, token: u32, i: u32) -> f32 {
    var value = weight_at(word, i, p.width) * p.scale;
    if has_added { value += added[(p.first_row + rows[token]) * p.width + i]; }
    return value;
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let token = index_of(group);
    if token >= p.tokens { return; }
    let id = ids[token] - p.first_id;     // wraps around for an id before this part, and then fails the test below
    if id >= p.ids_in_part { return; }
    let word = id * row_words(p.width);

    var mean = 0.0;
    var scale = 1.0;
    if has_norm {
        if centres {
            var sum = 0.0;
            for (var i = invocation; i < p.width; i += WORKGROUP) { sum += sum_at(word, token, i); }
            mean = workgroup_sum(sum, invocation) / f32(p.width);
        }
        var squares = 0.0;
        for (var i = invocation; i < p.width; i += WORKGROUP) {
            let centred = sum_at(word, token, i) - mean;
            squares += centred * centred;
        }
        scale = inverseSqrt(workgroup_sum(squares, invocation) / f32(p.width) + p.epsilon);
    }
    for (var i = invocation; i < p.width; i += WORKGROUP) {
        var value = (sum_at(word, token, i) - mean) * scale;
        if has_gain { value *= gain[i]; }
        if has_shift { value += shift[i]; }
        y[token * p.width + i] = value;
    }
}
