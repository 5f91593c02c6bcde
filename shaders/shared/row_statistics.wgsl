// What attention left of each query row, and the weights that it gave.
#import shared/head_score

override linear: bool = false;   // linear attention: a weight is the score over the sum, and may be negative

@group(0) @binding(5) var<storage, read>       statistics: array<vec2f>;  // (batch, statistics_pitch, heads): largest, sum; or 0, sum

fn row_statistics(head: u32, query: u32) -> vec2f {
    return statistics[(sequence * p.heads.statistics_pitch + query) * p.heads.query_heads + head];
}

// The weight that a query row gives a key; row: its statistics.
fn attention_weight(head: u32, query: u32, key: u32, row: vec2f) -> f32 {
    let number = score(head, query, key);
    let added = mask(p.heads.first_position + query, key);
    if linear { return select(0.0, number / row.y, added == 0.0); }
    return exp(number + added - row.x) / row.y;
}
