// The softmax statistics that attention stored for each query row, and the attention weights that follow from them.
#import shared/head_score

override linear: bool = false;   // linear attention: a weight is score / sum, and may be negative

@group(0) @binding(5) var<storage, read>       statistics: array<vec2f>;   // (batch, statistics_pitch, heads): max, sum; linear: 0, sum

fn row_statistics(head: u32, query: u32) -> vec2f {
    return statistics[(sequence * p.heads.statistics_pitch + query) * p.heads.query_heads + head];
}

// The attention weight of a query row and a key. row: the statistics of the query row.
fn attention_weight(head: u32, query: u32, key: u32, row: vec2f) -> f32 {
    let number = score(head, query, key);
    let added = mask(p.heads.first_position + query, key);
    if linear { return select(0.0, number / row.y, added == 0.0); }
    return exp(number + added - row.x) / row.y;
}
