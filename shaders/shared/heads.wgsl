// The heads of a layer: their parameters, and where the rows of queries and keys begin.
// Requires parameters `p` with a member `heads: Heads`; `main` sets `sequence` first.
@group(0) @binding(2) var<storage, read>       key_mask:   array<f32>;     // (batch, keys): 0, or f32::MIN where the attention mask is 0

// HeadParams of src/ops/head_score.rs.
struct Heads {
    keys: u32,             // of each sequence
    first_position: u32,   // position of query row 0 in its sequence
    query_heads: u32,
    group: u32,            // query heads that share a key head
    head_size: u32,
    query_first: u32, query_stride: u32, query_pitch: u32,   // first column, numbers of a row, rows of a sequence
    key_first: u32, key_stride: u32, key_pitch: u32,
    statistics_pitch: u32,
    causal: u32,           // 1: keys after the query are masked
    window: u32,           // keys at this distance or farther are masked; 0: none
    sequence: u32,         // the sequence of a probe; attention has its own
    past: u32,             // tokens of earlier runs
    length: u32,           // tokens of the run
    max_distance: u32,     // the largest distance, where distances are clamped
    scale: f32,
    padding: u32,          // a nested struct in a uniform takes a multiple of 16 bytes
}

const LOWEST: f32 = -0x1.fffffep+127f;
var<private> sequence: u32;

fn query_start(head: u32, query: u32) -> u32 {
    return (sequence * p.heads.query_pitch + query) * p.heads.query_stride + p.heads.query_first + head * p.heads.head_size;
}

fn key_start(head: u32, key: u32) -> u32 {
    return (sequence * p.heads.key_pitch + key) * p.heads.key_stride + p.heads.key_first + head / p.heads.group * p.heads.head_size;
}
