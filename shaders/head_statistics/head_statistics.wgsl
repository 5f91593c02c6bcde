// Means over the query rows of one sequence, for each head of a layer: entropy in nats; distance |query − key|; weight on the previous, the
// same, the next and the first token; the largest weight; weight on the same token elsewhere, on special tokens, and on tokens that follow
// an earlier occurrence of the query's token. Special tokens do not count as queries. Signed weights (linear attention) count by their share
// of the row's sum of magnitudes. One workgroup per head: its invocations divide the keys of each query.
#import shared/head_score
#import shared/group

@group(0) @binding(6) var<storage, read_write> results: array<f32>;   // from `tokens`: (keys) ids, negative for special tokens; from `own`: the same for queries; from `offset`: (heads, 10)
struct Parameters {
    heads: Heads,
    first_query: u32,
    queries: u32,
    with_padding: u32,   // 1: queries that are padding count, too
    tokens: u32,         // index in `results`
    own: u32,            // index in `results`; differs from `tokens` if keys are of another text
    offset: u32,         // index in `results`
}
@group(0) @binding(7) var<uniform> p: Parameters;

const STATISTICS: u32 = 10u;
const INVOCATIONS: u32 = 256u;
var<workgroup> sums: array<f32, INVOCATIONS>;

// The logarithm of a weight's magnitude, up to a constant of its row.
fn logarithm(head: u32, query: u32, key: u32) -> f32 {
    let number = score(head, query, key);
    let added = mask(p.heads.first_position + query, key);
    if linear { return select(LOWEST, log(max(abs(number), 1e-37)), added == 0.0); }
    return number + added;
}

// Statistics of the magnitudes of a row of signed weights: max of logarithms, sum of e^(logarithm − max).
fn magnitudes(head: u32, query: u32, invocation: u32) -> vec2f {
    var largest = LOWEST;
    for (var key = invocation; key < p.heads.keys; key += INVOCATIONS) { largest = max(largest, logarithm(head, query, key)); }
    workgroupBarrier();
    sums[invocation] = largest;
    workgroupBarrier();
    for (var width = INVOCATIONS / 2u; width > 0u; width /= 2u) {
        if invocation < width { sums[invocation] = max(sums[invocation], sums[invocation + width]); }
        workgroupBarrier();
    }
    largest = sums[0];
    workgroupBarrier();
    var total = 0.0;
    for (var key = invocation; key < p.heads.keys; key += INVOCATIONS) { total += exp(logarithm(head, query, key) - largest); }
    sums[invocation] = total;
    workgroupBarrier();
    for (var width = INVOCATIONS / 2u; width > 0u; width /= 2u) {
        if invocation < width { sums[invocation] += sums[invocation + width]; }
        workgroupBarrier();
    }
    return vec2f(largest, sums[0]);
}

@compute @workgroup_size(INVOCATIONS)
fn main(group: Group, @builtin(local_invocation_index) invocation: u32) {
    let head = index_of(group);
    if head >= p.heads.query_heads { return; }
    sequence = p.heads.sequence;
    let has_own_ids = p.own != p.tokens;
    var totals = array<f32, STATISTICS>();
    var counted = 0u;
    for (var query = p.first_query; query < p.first_query + p.queries; query++) {
        let position = p.heads.first_position + query;
        var row = row_statistics(head, query);
        if linear { row = magnitudes(head, query, invocation); }
        let own = results[p.own + position];
        let is_padding = p.with_padding == 0u && key_mask[sequence * p.heads.keys + position] != 0.0;
        if own >= 0.0 && !is_padding {
            counted++;
            let row_logarithm = log(row.y);
            // Summed per query first: small terms would be lost in the total of a long text.
            var entropy = 0.0;
            var distance = 0.0;
            for (var key = invocation; key < p.heads.keys; key += INVOCATIONS) {
                let shifted = logarithm(head, query, key) - row.x;
                let weight = exp(shifted) / row.y;
                // 0 · ln 0 is 0.
                if weight != 0.0 { entropy += weight * (row_logarithm - shifted); }
                distance += weight * f32(max(position, key) - min(position, key));
                if key + 1u == position { totals[2] += weight; }
                if key == position { totals[3] += weight; }
                if key == position + 1u { totals[4] += weight; }
                if key == 0u { totals[5] += weight; }
                let token = results[p.tokens + key];
                if token == own && (has_own_ids || key != position) { totals[7] += weight; }
                if token < 0.0 { totals[8] += weight; }
                if key > 0u && (has_own_ids || key <= position) && results[p.tokens + max(key, 1u) - 1u] == own { totals[9] += weight; }
            }
            totals[0] += entropy;
            totals[1] += distance;
            // The largest weight is e^0 / sum.
            if invocation == 0u { totals[6] += 1.0 / row.y; }
        }
    }
    for (var at = 0u; at < STATISTICS; at++) {
        sums[invocation] = totals[at];
        workgroupBarrier();
        for (var width = INVOCATIONS / 2u; width > 0u; width /= 2u) {
            if invocation < width { sums[invocation] += sums[invocation + width]; }
            workgroupBarrier();
        }
        if invocation == 0u { results[p.offset + head * STATISTICS + at] = sums[0] / f32(max(counted, 1u)); }
        workgroupBarrier();
    }
}
