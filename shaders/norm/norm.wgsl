// LayerNorm or RMS norm over the last axis: y = (x − mean) / √(mean of squares + ε) · gain + shift + residual. The mean is 0 for an RMS norm;
// gain, shift and residual are optional; the variance is the biased one. One workgroup per row.
// `whole_fours`: the width is a multiple of 4, and each access is to four numbers.
#import shared/workgroup_sum
#import shared/group

#if whole_fours
alias Numbers = vec4f;
const AT_ONCE: u32 = 4u;

fn sum_of(numbers: Numbers) -> f32 { return dot(numbers, vec4f(1.0)); }
#else
alias Numbers = f32;
const AT_ONCE: u32 = 1u;

fn sum_of(numbers: Numbers) -> f32 { return numbers; }
#endif

override centres: bool = true;   // true: LayerNorm; false: RMS norm
override has_gain: bool = true;
override has_shift: bool = true;
override has_residual: bool = false;

@group(0) @binding(0) var<storage, read>       x:        array<Numbers>;   // (rows, width / AT_ONCE)
@group(0) @binding(1) var<storage, read>       gain:     array<Numbers>;   // (width / AT_ONCE)
@group(0) @binding(2) var<storage, read>       shift:    array<Numbers>;   // (width / AT_ONCE)
@group(0) @binding(3) var<storage, read>       residual: array<Numbers>;   // (rows, width / AT_ONCE)
@group(0) @binding(4) var<storage, read_write> y:        array<Numbers>;   // (rows, width / AT_ONCE)
struct Parameters { rows: u32, width: u32, epsilon: f32 }
@group(0) @binding(5) var<uniform> p: Parameters;

@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let row = index_of(group);
    if row >= p.rows { return; }
    let steps = p.width / AT_ONCE;
    let start = row * steps;

    var mean = 0.0;
    if centres {
        var sum = Numbers();
        for (var i = invocation; i < steps; i += WORKGROUP) { sum += x[start + i]; }
        mean = workgroup_sum(sum_of(sum), invocation) / f32(p.width);
    }
    var squares = Numbers();
    for (var i = invocation; i < steps; i += WORKGROUP) {
        let centred = x[start + i] - mean;
        squares += centred * centred;
    }
    let scale = inverseSqrt(workgroup_sum(sum_of(squares), invocation) / f32(p.width) + p.epsilon);
    for (var i = invocation; i < steps; i += WORKGROUP) {
        var value = (x[start + i] - mean) * scale;
        if has_gain { value *= gain[i]; }
        if has_shift { value += shift[i]; }
        if has_residual { value += residual[start + i]; }
        y[start + i] = value;
    }
}
