// Draws a token of each row from its whole distribution, behind temperature, top-k, top-p and min-p. One workgroup per row.
// A radix select finds where a cut-off falls, digit by digit in histograms. Its seven digits have 8 bits: four of a key, which is an integer that
// rises with the logit, and three of the inverted id.
// Probabilities are summed as integers, so that no order of the sum changes it: as multiples of 2^-31 of the sum. With n tokens their rounding
// moves top-p's limit by up to n * 2^-32, besides that of f32.
#import shared/group
#if bans
#import shared/bans
#endif
@group(0) @binding(0) var<storage, read>       logits:  array<f32>;   // (rows, vocabulary)
@group(0) @binding(1) var<storage, read>       bans:    array<u32>;   // (rows, ⌈vocabulary / 32⌉), as shared/bans
// (rows, 6): bits of 1 / temperature, top-k, bits of 1 − top-p, bits of ln min-p, two random words
@group(0) @binding(2) var<storage, read>       draws:   array<u32>;
// (rows, 4): bits of f32: id, count of tokens left, ln Σ of their weights, the logit less the best one
@group(0) @binding(3) var<storage, read_write> samples: array<u32>;
struct Parameters { rows: u32, vocabulary: u32 }
@group(0) @binding(4) var<uniform> p: Parameters;

const INVOCATIONS: u32 = 256u;
const BINS: u32 = 256u;              // of a digit of 8 bits
const KEY_DIGITS: u32 = 4u;
const ID_DIGITS: u32 = 3u;           // ids are below 2^24
const MINUS_INFINITE: u32 = 0xff800000u;
const INFINITE: u32 = 0x7f800000u;
const NOT_A_NUMBER: u32 = 0x7fc00000u;
const SIGN: u32 = 0x80000000u;
const NONE: u32 = 0xffffffffu;
const FAR: f32 = 0x1.fffffep+127f;
const UNIT: f32 = 0x1p+31f;          // probability 1 as an integer
var<workgroup> bins: array<atomic<u32>, BINS>;
var<workgroup> best_key: atomic<u32>;
var<workgroup> not_finite: atomic<u32>;
var<workgroup> count: atomic<u32>;
var<workgroup> numbers: array<f32, INVOCATIONS>;
var<workgroup> ids: array<u32, INVOCATIONS>;
var<workgroup> digit_of_all: LimitDigit;

// A digit of a limit.
struct LimitDigit {
    digit: u32,
    needed: u32,       // what tokens with this digit must add to the target: a number of tokens for top-k, of units of probability for top-p
    separates: bool,   // whether tokens of equal keys are on both sides of the limit
}

// Rises with the logit, and is at least 1; −0 has the key of 0.
fn key_of(bits: u32) -> u32 {
    if bits == SIGN { return SIGN; }
    return select(bits | SIGN, ~bits, bits >= SIGN);
}

fn logit_of(key: u32) -> f32 { return bitcast<f32>(select(~key, key & ~SIGN, key >= SIGN)); }

// The key of a token; 0 of one that cannot be drawn.
fn key_at(row: u32, id: u32) -> u32 {
#if bans
    if is_banned(row, id, p.vocabulary) { return 0u; }
#endif
    let bits = bitcast<u32>(logits[row * p.vocabulary + id]);
    return select(key_of(bits), 0u, bits == MINUS_INFINITE);
}

// A random number in (0, 1): pcg3d of an id and random words.
fn uniform_of(id: u32, random: vec2u) -> f32 {
    var v = vec3u(id, random) * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> vec3u(16u);
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    // At most 24 digits, so that nothing rounds.
    let bits = select(v.z & ~0xffu, v.z, v.z < (1u << 24u));
    let half = select(0.0, 0.5, v.z < (1u << 23u));
    return (f32(bits) + half) * 0x1p-32f;
}

// −ln(1 − u). Near 1 a logarithm has few digits: there it is 2 artanh(u / (2 − u)).
fn exponential_of(u: f32) -> f32 {
    if u > 0.5 { return -log(1.0 - u); }
    let z = u / (2.0 - u);
    let s = z * z;
    return 2.0 * z * (1.0 + s * (1.0 / 3.0 + s * (0.2 + s * (1.0 / 7.0 + s * (1.0 / 9.0 + s * (1.0 / 11.0 + s / 13.0))))));
}

// The sum of `value` over the workgroup.
fn sum_of_all(value: f32, invocation: u32) -> f32 {
    workgroupBarrier();
    numbers[invocation] = value;
    workgroupBarrier();
    for (var width = INVOCATIONS / 2u; width > 0u; width /= 2u) {
        if invocation < width { numbers[invocation] += numbers[invocation + width]; }
        workgroupBarrier();
    }
    return numbers[0];
}

struct Settings {
    best: f32,                  // the best logit
    inverse_temperature: f32,
    scale: f32,                 // makes integers of weights; 0: every token counts 1
    tail: f32,                  // the share that the tokens below the limit have at most, where weights are summed
}

// ln of a token's weight: 0 of the best.
fn log_weight(key: u32, settings: Settings) -> f32 {
    return (logit_of(key) - settings.best) * settings.inverse_temperature;
}

fn amount_of(key: u32, settings: Settings) -> u32 {
    if settings.scale == 0.0 { return 1u; }
    return u32(exp(log_weight(key, settings)) * settings.scale + 0.5);
}

// Digit `level` of a token, from the highest on: of its key, then of its id, where lower ids come first.
fn digit_of(key: u32, id: u32, level: u32) -> u32 {
    if level < KEY_DIGITS { return (key >> (24u - 8u * level)) & 255u; }
    return (~id >> (8u * (KEY_DIGITS + ID_DIGITS - 1u - level))) & 255u;
}

// Whether a token has the digits before `level` that were found.
fn has_prefix(key: u32, id: u32, level: u32, found: vec2u) -> bool {
    if level == 0u { return true; }
    if level <= KEY_DIGITS { return (key >> (32u - 8u * level)) == found.x; }
    let digits = level - KEY_DIGITS;
    return key == found.x && (((~id) & 0xffffffu) >> (24u - 8u * digits)) == found.y;
}

// The last token, by key and id, of the fewest best ones among those of keys from `least` on that have an amount of `target_count`
// (without a scale), or all but a share of the settings' `tail`.
// The key is at least 1, which no banned token has, also where there are fewer tokens or none.
fn limit_of(row: u32, invocation: u32, least: u32, target_count: u32, settings: Settings) -> vec2u {
    var found = vec2u(0u);   // digits of the key, of the inverted id
    var needed = target_count;
    for (var level = 0u; level < KEY_DIGITS + ID_DIGITS; level++) {
        atomicStore(&bins[invocation], 0u);
        workgroupBarrier();
        for (var id = invocation; id < p.vocabulary; id += INVOCATIONS) {
            let key = key_at(row, id);
            if key >= least && has_prefix(key, id, level, found) {
                atomicAdd(&bins[digit_of(key, id, level)], amount_of(key, settings));
            }
        }
        workgroupBarrier();
        if invocation == 0u {
            if level == 0u && settings.scale > 0.0 {
                var total = 0u;
                for (var bin = 0u; bin < BINS; bin++) { total += atomicLoad(&bins[bin]); }
                needed = max(total - min(u32(f32(total) * settings.tail), total), 1u);
            }
            var digit = BINS - 1u;
            while digit > 0u && atomicLoad(&bins[digit]) < needed {
                needed -= atomicLoad(&bins[digit]);
                digit--;
            }
            // Tokens of equal logits stay together at top-k's limit, but not at top-p's.
            var separates = false;
            if level == KEY_DIGITS - 1u && settings.scale > 0.0 {
                separates = atomicLoad(&bins[digit]) >= needed + amount_of((found.x << 8u) | digit, settings);
            }
            digit_of_all = LimitDigit(digit, needed, separates);
        }
        let choice = workgroupUniformLoad(&digit_of_all);
        needed = choice.needed;
        if level < KEY_DIGITS { found.x = (found.x << 8u) | choice.digit; } else { found.y = (found.y << 8u) | choice.digit; }
        if level == KEY_DIGITS - 1u && !choice.separates { return vec2u(max(found.x, 1u), NONE); }
    }
    return vec2u(max(found.x, 1u), (~found.y) & 0xffffffu);
}

@compute @workgroup_size(INVOCATIONS)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let row = index_of(group);
    if row >= p.rows { return; }

    var best = 0u;
    var broken = 0u;
    for (var id = invocation; id < p.vocabulary; id += INVOCATIONS) {
        let bits = bitcast<u32>(logits[row * p.vocabulary + id]);
        if (bits & INFINITE) == INFINITE && bits != MINUS_INFINITE { broken = 1u; }
        best = max(best, key_at(row, id));
    }
    atomicMax(&best_key, best);
    atomicMax(&not_finite, broken);
    workgroupBarrier();

    let top_k = draws[row * 6u + 1u];
    let tail = bitcast<f32>(draws[row * 6u + 2u]);
    let log_min_p = bitcast<f32>(draws[row * 6u + 3u]);
    let random = vec2u(draws[row * 6u + 4u], draws[row * 6u + 5u]);
    var settings: Settings;
    settings.best = logit_of(atomicLoad(&best_key));
    settings.inverse_temperature = bitcast<f32>(draws[row * 6u]);
    settings.tail = tail;

    var limit = vec2u(1u, NONE);   // the last key that stays, and its last id
    if top_k > 0u && top_k < p.vocabulary {
        limit = limit_of(row, invocation, 1u, top_k, settings);
    }
    if tail > 0.0 {
        var weights = 0.0;
        for (var id = invocation; id < p.vocabulary; id += INVOCATIONS) {
            let key = key_at(row, id);
            if key >= limit.x { weights += exp(log_weight(key, settings)); }
        }
        settings.scale = UNIT / sum_of_all(weights, invocation);
        limit = limit_of(row, invocation, limit.x, 0u, settings);
    }

    // Each token gets an exponential random number. The smallest ratio to the weight wins.
    var sum = 0.0;
    var left = 0u;
    var least = FAR;
    var winner = NONE;
    for (var id = invocation; id < p.vocabulary; id += INVOCATIONS) {
        let key = key_at(row, id);
        if key < limit.x || (key == limit.x && id > limit.y) { continue; }
        let logarithm = log_weight(key, settings);
        if logarithm < log_min_p { continue; }
        let weight = exp(logarithm);
        sum += weight;
        left++;
        let ratio = exponential_of(uniform_of(id, random)) / weight;
        if ratio < least {
            least = ratio;
            winner = id;
        }
    }
    atomicAdd(&count, left);
    let total = sum_of_all(sum, invocation);
    workgroupBarrier();
    numbers[invocation] = least;
    ids[invocation] = winner;
    workgroupBarrier();
    for (var width = INVOCATIONS / 2u; width > 0u; width /= 2u) {
        if invocation < width {
            let other = invocation + width;
            if numbers[other] < numbers[invocation] || (numbers[other] == numbers[invocation] && ids[other] < ids[invocation]) {
                numbers[invocation] = numbers[other];
                ids[invocation] = ids[other];
            }
        }
        workgroupBarrier();
    }
    if invocation != 0u { return; }

    let id = select(ids[0], 0u, ids[0] == NONE);
    let is_broken = atomicLoad(&not_finite) == 1u;
    samples[row * 4u] = bitcast<u32>(f32(id));
    samples[row * 4u + 1u] = bitcast<u32>(f32(atomicLoad(&count)));
    // Of no token there is no best one.
    let is_empty = atomicLoad(&count) == 0u;
    samples[row * 4u + 2u] = select(select(bitcast<u32>(log(total)), 0u, is_empty), NOT_A_NUMBER, is_broken);
    samples[row * 4u + 3u] = select(bitcast<u32>(logits[row * p.vocabulary + id] - settings.best), 0u, is_empty);
}
