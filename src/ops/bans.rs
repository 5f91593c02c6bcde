//! Tokens that a row must not have: a bit for each id of the vocabulary.

use crate::kernels::Bans;
use crate::plan::Input;

/// The bans of a row. bans: (rows, ⌈vocabulary / 32⌉).
pub fn banned(bans: &[u32], row: usize, vocabulary: usize) -> Bans<'_> {
    Bans(bans.chunks(vocabulary.div_ceil(32).max(1)).nth(row).unwrap_or(&[]))
}

/// The input of bans over a vocabulary.
pub fn bans_of(vocabulary: usize) -> Input {
    Input::Bans { words: vocabulary.div_ceil(32) }
}

/// (rows, ⌈vocabulary / 32⌉) from the banned ids of each row. Ids outside the vocabulary are ignored.
pub fn ban_words(rows: &[Vec<u32>], vocabulary: usize) -> Vec<u32> {
    let words = vocabulary.div_ceil(32);
    let mut bans = vec![0; rows.len() * words];
    for (ids, bans) in rows.iter().zip(bans.chunks_exact_mut(words.max(1))) {
        for id in ids.iter().map(|id| *id as usize).filter(|id| *id < vocabulary) {
            bans[id / 32] |= 1 << (id % 32);
        }
    }
    bans
}
