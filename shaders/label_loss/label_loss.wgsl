// −log p of each row's label: log Σ e^logit − the label's logit. One workgroup per row. NaN and ∞ are recognised by their bits and written as
// bits: compilers may assume that there are none.
#import shared/group
@group(0) @binding(0) var<storage, read>       logits: array<f32>;   // (rows, vocabulary)
@group(0) @binding(1) var<storage, read>       labels: array<u32>;   // (rows); IGNORED: the row has no label
@group(0) @binding(2) var<storage, read_write> losses: array<u32>;   // (rows, 1): bits of f32
struct Parameters { rows: u32, vocabulary: u32 }
@group(0) @binding(3) var<uniform> p: Parameters;

const INVOCATIONS: u32 = 128u;
const IGNORED: u32 = 0xffffffffu;
const LOWEST: f32 = -0x1.fffffep+127f;
const INFINITE: u32 = 0x7f800000u;
const MINUS_INFINITE: u32 = 0xff800000u;
const NOT_A_NUMBER: u32 = 0x7fc00000u;
var<workgroup> numbers: array<f32, INVOCATIONS>;
var<workgroup> counts: array<vec2u, INVOCATIONS>;

@compute @workgroup_size(INVOCATIONS)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let row = index_of(group);
    if row >= p.rows { return; }
    let start = row * p.vocabulary;

    var largest = LOWEST;
    var count = vec2u(0u);   // finite logits; NaN and +∞
    for (var id = invocation; id < p.vocabulary; id += INVOCATIONS) {
        let bits = bitcast<u32>(logits[start + id]);
        if bits == MINUS_INFINITE { continue; }
        if (bits & INFINITE) == INFINITE {
            count.y++;
        } else {
            count.x++;
            largest = max(largest, logits[start + id]);
        }
    }
    numbers[invocation] = largest;
    counts[invocation] = count;
    workgroupBarrier();
    for (var width = INVOCATIONS / 2u; width > 0u; width /= 2u) {
        if invocation < width {
            numbers[invocation] = max(numbers[invocation], numbers[invocation + width]);
            counts[invocation] += counts[invocation + width];
        }
        workgroupBarrier();
    }
    largest = numbers[0];
    count = counts[0];
    workgroupBarrier();

    var sum = 0.0;
    for (var id = invocation; id < p.vocabulary; id += INVOCATIONS) {
        let logit = logits[start + id];
        if (bitcast<u32>(logit) & INFINITE) != INFINITE { sum += exp(logit - largest); }
    }
    numbers[invocation] = sum;
    workgroupBarrier();
    for (var width = INVOCATIONS / 2u; width > 0u; width /= 2u) {
        if invocation < width { numbers[invocation] += numbers[invocation + width]; }
        workgroupBarrier();
    }
    if invocation != 0u { return; }

    let label = labels[row];
    if label == IGNORED {
        losses[row] = 0u;
    } else if label >= p.vocabulary || count.x == 0u || count.y > 0u {
        losses[row] = NOT_A_NUMBER;
    } else if bitcast<u32>(logits[start + label]) == MINUS_INFINITE {
        losses[row] = INFINITE;
    } else {
        losses[row] = bitcast<u32>((largest - logits[start + label]) + log(numbers[0]));
    }
}
