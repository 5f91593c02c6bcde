// The k largest logits of each row as log-probabilities, softmax over the whole row; ties go to the lower id, NaN ranks last.
// A wide row takes two dispatches: the k largest of each slice, one workgroup each, then the k largest of those. An invocation keeps the best
// of its own entries, and searches again only after that entry was ranked.
#import shared/group
#if bans
#import shared/bans
#endif
@group(0) @binding(0) var<storage, read>       entries: array<f32>;   // logits (rows, count), or results of slices (rows, merged_slices, 2k + 2)
@group(0) @binding(1) var<storage, read>       bans:    array<u32>;   // (rows, ⌈vocabulary / 32⌉), as shared/bans: these rank last, and stay in the sum
@group(0) @binding(2) var<storage, read_write> top:     array<f32>;   // (rows, 2k): k log-probabilities, k ids as exact f32. Of a slice (rows, slices, 2k + 2): k logits, k ids, max, ln Σ e^(logit − max)
struct Parameters {
    rows: u32,
    count: u32,           // entries of a row
    k: u32,
    slices: u32,          // of a row, each of at least k entries; 1: this dispatch finishes the row
    merged_slices: u32,   // slices of a row whose results are the entries; 0: the entries are logits
}
@group(0) @binding(3) var<uniform> p: Parameters;

const PARTIALS: u32 = 4u;   // reductions take two steps: 64 → 4 → 1
const LOWEST: f32 = -0x1.fffffep+127f;
const NONE: u32 = 0xffffffffu;
var<workgroup> values: array<f32, WORKGROUP>;
var<workgroup> places: array<u32, WORKGROUP>;
var<workgroup> partial_values: array<f32, PARTIALS>;
var<workgroup> partial_places: array<u32, PARTIALS>;

// Index of entry `at` of a row.
fn place_of(row: u32, at: u32) -> u32 {
    if p.merged_slices == 0u { return row * p.count + at; }
    return (row * p.merged_slices + at / p.k) * (2u * p.k + 2u) + at % p.k;
}

// The number by which entry `at` of a row ranks.
fn value_of(row: u32, at: u32) -> f32 {
#if bans
    if p.merged_slices == 0u && is_banned(row, at, p.count) { return LOWEST; }
#endif
    return entries[place_of(row, at)];
}

fn id_of(row: u32, at: u32) -> f32 {
    if p.merged_slices == 0u { return f32(at); }
    return entries[place_of(row, at) + p.k];
}

// Compilers may take `x != x` to be false.
fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// Whether entry (value, at) ranks before (other, other_at). NaN ranks after numbers, NONE after everything. Ids rise with `at`.
fn ranks_before(value: f32, at: u32, other: f32, other_at: u32) -> bool {
    if at == NONE || other_at == NONE { return at != NONE; }
    let broken = is_nan(value);
    let other_broken = is_nan(other);
    if broken != other_broken { return other_broken; }
    if broken { return at < other_at; }
    return value > other || (value == other && at < other_at);
}

// The sum of `value` over the workgroup.
fn sum_of_all(value: f32, invocation: u32) -> f32 {
    values[invocation] = value;
    workgroupBarrier();
    if invocation < PARTIALS {
        var sum = 0.0;
        for (var i = invocation; i < WORKGROUP; i += PARTIALS) { sum += values[i]; }
        partial_values[invocation] = sum;
    }
    workgroupBarrier();
    var sum = 0.0;
    for (var i = 0u; i < PARTIALS; i++) { sum += partial_values[i]; }
    return sum;
}

#if bans
// The largest `value` of the workgroup.
fn largest_of_all(value: f32, invocation: u32) -> f32 {
    values[invocation] = value;
    workgroupBarrier();
    var largest = LOWEST;
    for (var i = 0u; i < WORKGROUP; i++) { largest = max(largest, values[i]); }
    return largest;
}

#endif
@compute @workgroup_size(WORKGROUP)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let workgroup = index_of(group);
    let row = workgroup / p.slices;
    if row >= p.rows { return; }
    let slice = workgroup % p.slices;
    let first = slice * (p.count / p.slices) + min(slice, p.count % p.slices);
    let end = first + p.count / p.slices + u32(slice < p.count % p.slices);
    let finishes = p.slices == 1u;
    let output_start = workgroup * select(2u * p.k + 2u, 2u * p.k, finishes);

    var ranked = LOWEST;
    var ranked_at = NONE;
    var best = LOWEST;       // of its own entries, that come after `ranked`
    var best_at = NONE;
    var largest = 0.0;
    var log_total = 0.0;
    for (var round = 0u; round < p.k; round++) {
        if ranked_at == best_at {
            best = LOWEST;
            best_at = NONE;
            for (var at = first + invocation; at < end; at += WORKGROUP) {
                let value = value_of(row, at);
                if (round == 0u || ranks_before(ranked, ranked_at, value, at)) && ranks_before(value, at, best, best_at) {
                    best = value;
                    best_at = at;
                }
            }
        }
        values[invocation] = best;
        places[invocation] = best_at;
        workgroupBarrier();
        if invocation < PARTIALS {
            ranked = best;
            ranked_at = best_at;
            for (var i = invocation + PARTIALS; i < WORKGROUP; i += PARTIALS) {
                if ranks_before(values[i], places[i], ranked, ranked_at) {
                    ranked = values[i];
                    ranked_at = places[i];
                }
            }
            partial_values[invocation] = ranked;
            partial_places[invocation] = ranked_at;
        }
        workgroupBarrier();
        ranked = partial_values[0];
        ranked_at = partial_places[0];
        for (var i = 1u; i < PARTIALS; i++) {
            if ranks_before(partial_values[i], partial_places[i], ranked, ranked_at) {
                ranked = partial_values[i];
                ranked_at = partial_places[i];
            }
        }

        if round == 0u {
            largest = ranked;
#if bans
            // The best of all, so that e^x of a banned one is finite.
            var own = LOWEST;
            if p.merged_slices == 0u {
                for (var at = first + invocation; at < end; at += WORKGROUP) { own = max(own, entries[row * p.count + at]); }
            } else {
                for (var other = invocation; other < p.merged_slices; other += WORKGROUP) {
                    own = max(own, entries[(row * p.merged_slices + other + 1u) * (2u * p.k + 2u) - 2u]);
                }
            }
            workgroupBarrier();
            largest = largest_of_all(own, invocation);
#endif
            var sum = 0.0;
            if p.merged_slices == 0u {
                for (var at = first + invocation; at < end; at += WORKGROUP) {
                    // In a slice of −∞ alone: 1, which adds nothing to other slices.
                    sum += select(exp(entries[row * p.count + at] - largest), 1.0, largest < LOWEST);
                }
            } else {
                for (var other = invocation; other < p.merged_slices; other += WORKGROUP) {
                    let next = (row * p.merged_slices + other + 1u) * (2u * p.k + 2u);
                    sum += exp(entries[next - 2u] - largest + entries[next - 1u]);
                }
            }
            workgroupBarrier();
            log_total = log(sum_of_all(sum, invocation));
            workgroupBarrier();
        }
        if invocation == 0u {
            top[output_start + round] = select(ranked, ranked - largest - log_total, finishes);
            top[output_start + p.k + round] = id_of(row, ranked_at);
        }
    }
    if invocation == 0u && !finishes {
        top[output_start + 2u * p.k] = largest;
        top[output_start + 2u * p.k + 1u] = log_total;
    }
}
