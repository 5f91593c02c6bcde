// What attention left of each query row. After head_score.wgsl, before a question's own shader.
@group(0) @binding(5) var<storage, read>       statistics: array<vec2f>;  // (batch, statistics_pitch, heads): largest, sum

fn row_statistics(head: u32, query: u32) -> vec2f {
    return statistics[(sequence * p.statistics_pitch + query) * p.heads + head];
}
