// The k largest logits of each row as logarithms of the softmax of the whole row; ties go to the lower id, NaN ranks last.
// One workgroup a row. Each round finds the best entry that comes after the last one found, so nothing is marked or moved.
@group(0) @binding(0) var<storage, read>       logits: array<f32>;   // (rows, vocabulary)
@group(0) @binding(1) var<storage, read_write> top:    array<f32>;   // (rows, 2k): k logarithms of probabilities, then k ids as exact f32
struct Parameters { rows: u32, vocabulary: u32, k: u32 }
@group(0) @binding(2) var<uniform> p: Parameters;

const THREADS: u32 = 128u;
const LOWEST: f32 = -0x1.fffffep+127f;
const NONE: u32 = 0xffffffffu;
var<workgroup> values: array<f32, THREADS>;
var<workgroup> ids: array<u32, THREADS>;

// Whether a number is one: compilers may take `x != x` to be false.
fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// Whether (value, id) ranks before (other, other_id); NaN and what is not there (id NONE) come last.
fn before(value: f32, id: u32, other: f32, other_id: u32) -> bool {
    if id == NONE || other_id == NONE { return id != NONE; }
    let broken = is_nan(value);
    let other_broken = is_nan(other);
    if broken != other_broken { return other_broken; }
    if broken { return id < other_id; }
    return value > other || (value == other && id < other_id);
}

@compute @workgroup_size(THREADS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let row = group.x + group.y * groups.x;
    if row >= p.rows { return; }
    let start = row * p.vocabulary;

    var last = LOWEST;
    var last_id = 0u;
    var largest = 0.0;
    var total = 1.0;
    for (var round = 0u; round < p.k; round++) {
        var best = LOWEST;
        var best_id = NONE;
        for (var id = invocation; id < p.vocabulary; id += THREADS) {
            let value = logits[start + id];
            if (round == 0u || before(last, last_id, value, id)) && before(value, id, best, best_id) {
                best = value;
                best_id = id;
            }
        }
        values[invocation] = best;
        ids[invocation] = best_id;
        workgroupBarrier();
        for (var width = THREADS / 2u; width > 0u; width /= 2u) {
            if invocation < width {
                let other = invocation + width;
                if before(values[other], ids[other], values[invocation], ids[invocation]) {
                    values[invocation] = values[other];
                    ids[invocation] = ids[other];
                }
            }
            workgroupBarrier();
        }
        last = values[0];
        last_id = ids[0];
        workgroupBarrier();

        if round == 0u {
            largest = last;
            var sum = 0.0;
            for (var id = invocation; id < p.vocabulary; id += THREADS) { sum += exp(logits[start + id] - largest); }
            values[invocation] = sum;
            workgroupBarrier();
            for (var width = THREADS / 2u; width > 0u; width /= 2u) {
                if invocation < width { values[invocation] += values[invocation + width]; }
                workgroupBarrier();
            }
            total = values[0];
            workgroupBarrier();
        }
        if invocation == 0u {
            top[row * 2u * p.k + round] = (last - largest) - log(total);
            top[row * 2u * p.k + p.k + round] = f32(last_id);
        }
    }
}
