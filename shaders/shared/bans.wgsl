// Tokens that a row must not have. `bans`: (rows, ⌈vocabulary / 32⌉), bit `id % 32` of word `id / 32` is set for a banned id.
fn is_banned(row: u32, id: u32, vocabulary: u32) -> bool {
    return ((bans[row * ((vocabulary + 31u) / 32u) + id / 32u] >> (id % 32u)) & 1u) == 1u;
}
