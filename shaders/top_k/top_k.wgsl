// The k largest logits of each row as logarithms of the softmax of the whole row; ties go to the lower id, NaN ranks last.
// A wide row takes two dispatches: the k largest of each slice by a workgroup, then the k largest of those. An invocation remembers the
// best of its own entries, and looks for another one only when that one is the best of all.
@group(0) @binding(0) var<storage, read>       entries: array<f32>;  // logits (rows, count), or what slices left (rows, merged, 2k + 2)
@group(0) @binding(1) var<storage, read_write> top:     array<f32>;  // (rows, 2k): k logarithms of probabilities, then k ids as exact f32; of a slice k logits, k ids, the largest, ln Σ e^(logit − largest)
struct Parameters {
    rows: u32,
    count: u32,    // entries of a row
    k: u32,
    slices: u32,   // that a row is cut into, none of fewer than k entries; 1: the row is finished
    merged: u32,   // slices whose entries these are; 0: logits
}
@group(0) @binding(2) var<uniform> p: Parameters;

const THREADS: u32 = 64u;
const LINES: u32 = 4u;    // what all invocations have is joined in two steps
const LOWEST: f32 = -0x1.fffffep+127f;
const NONE: u32 = 0xffffffffu;
var<workgroup> values: array<f32, THREADS>;
var<workgroup> places: array<u32, THREADS>;
var<workgroup> joined_values: array<f32, LINES>;
var<workgroup> joined_places: array<u32, LINES>;

// Where entry `at` of a row lies.
fn place_of(row: u32, at: u32) -> u32 {
    if p.merged == 0u { return row * p.count + at; }
    return (row * p.merged + at / p.k) * (2u * p.k + 2u) + at % p.k;
}

fn id_of(row: u32, at: u32) -> f32 {
    if p.merged == 0u { return f32(at); }
    return entries[place_of(row, at) + p.k];
}

// Whether a number is one: compilers may take `x != x` to be false.
fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// Whether entry (value, at) ranks before (other, other_at); NaN and what is not there (NONE) come last. Ids rise with entries.
fn before(value: f32, at: u32, other: f32, other_at: u32) -> bool {
    if at == NONE || other_at == NONE { return at != NONE; }
    let broken = is_nan(value);
    let other_broken = is_nan(other);
    if broken != other_broken { return other_broken; }
    if broken { return at < other_at; }
    return value > other || (value == other && at < other_at);
}

// Their sum over the workgroup.
fn sum_of_all(value: f32, invocation: u32) -> f32 {
    values[invocation] = value;
    workgroupBarrier();
    if invocation < LINES {
        var sum = 0.0;
        for (var i = invocation; i < THREADS; i += LINES) { sum += values[i]; }
        joined_values[invocation] = sum;
    }
    workgroupBarrier();
    var sum = 0.0;
    for (var i = 0u; i < LINES; i++) { sum += joined_values[i]; }
    return sum;
}

@compute @workgroup_size(THREADS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let workgroup = group.x + group.y * groups.x;
    let row = workgroup / p.slices;
    if row >= p.rows { return; }
    let slice = workgroup % p.slices;
    let first = slice * (p.count / p.slices) + min(slice, p.count % p.slices);
    let end = first + p.count / p.slices + u32(slice < p.count % p.slices);
    let finishes = p.slices == 1u;
    let to = workgroup * select(2u * p.k + 2u, 2u * p.k, finishes);

    var last = LOWEST;
    var last_at = NONE;
    var best = LOWEST;       // of its own entries, behind the last one
    var best_at = NONE;
    var largest = 0.0;
    var log_total = 0.0;
    for (var round = 0u; round < p.k; round++) {
        if last_at == best_at {
            best = LOWEST;
            best_at = NONE;
            for (var at = first + invocation; at < end; at += THREADS) {
                let value = entries[place_of(row, at)];
                if (round == 0u || before(last, last_at, value, at)) && before(value, at, best, best_at) {
                    best = value;
                    best_at = at;
                }
            }
        }
        values[invocation] = best;
        places[invocation] = best_at;
        workgroupBarrier();
        if invocation < LINES {
            last = best;
            last_at = best_at;
            for (var i = invocation + LINES; i < THREADS; i += LINES) {
                if before(values[i], places[i], last, last_at) {
                    last = values[i];
                    last_at = places[i];
                }
            }
            joined_values[invocation] = last;
            joined_places[invocation] = last_at;
        }
        workgroupBarrier();
        last = joined_values[0];
        last_at = joined_places[0];
        for (var i = 1u; i < LINES; i++) {
            if before(joined_values[i], joined_places[i], last, last_at) {
                last = joined_values[i];
                last_at = joined_places[i];
            }
        }

        if round == 0u {
            largest = last;
            var sum = 0.0;
            if p.merged == 0u {
                for (var at = first + invocation; at < end; at += THREADS) {
                    // A slice of −∞ alone is nothing beside the others.
                    sum += select(exp(entries[row * p.count + at] - largest), 1.0, largest < LOWEST);
                }
            } else {
                for (var other = invocation; other < p.merged; other += THREADS) {
                    let behind = (row * p.merged + other + 1u) * (2u * p.k + 2u);
                    sum += exp(entries[behind - 2u] - largest + entries[behind - 1u]);
                }
            }
            workgroupBarrier();
            log_total = log(sum_of_all(sum, invocation));
            workgroupBarrier();
        }
        if invocation == 0u {
            top[to + round] = select(last, last - largest - log_total, finishes);
            top[to + p.k + round] = id_of(row, last_at);
        }
    }
    if invocation == 0u && !finishes {
        top[to + 2u * p.k] = largest;
        top[to + 2u * p.k + 1u] = log_total;
    }
}
