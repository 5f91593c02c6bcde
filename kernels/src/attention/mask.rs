//! The keys that a query attends to.

use crate::gemm::PANEL;

/// A causal mask, a sliding window, both or neither.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct MaskPattern {
    /// Tokens before the first query.
    pub past: usize,
    /// Keys after the query are masked.
    pub causal: bool,
    /// Keys that are not nearer than this are masked; `usize::MAX` for none.
    pub window: usize,
}

impl MaskPattern {
    /// The visible keys of query `row`: the first, and the one after the last.
    #[inline(always)]
    pub fn visible(self, row: usize) -> (usize, usize) {
        let query = self.past + row;
        let first = (query + 1).saturating_sub(self.window);
        (first, if self.causal { query + 1 } else { query.saturating_add(self.window) })
    }

    /// The keys, of `keys`, that are visible to any of `count` queries from `row` on, beginning with a whole panel; all keys if none is
    /// visible.
    #[inline(always)]
    pub fn visible_to_block(self, row: usize, count: usize, keys: usize) -> (usize, usize) {
        let (first, end) = (self.visible(row).0 / PANEL * PANEL, self.visible(row + count - 1).1.min(keys));
        if first < end { (first, end) } else { (0, keys) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_the_keys_visible_to_its_queries_and_few_others() {
        for (past, causal, window) in [
            (0, true, usize::MAX),
            (40, true, 7),
            (0, false, 9),
            (13, false, usize::MAX),
            (60, true, 1),
            (200, true, 3),
        ] {
            let mask = MaskPattern { past, causal, window };
            for (row, count, keys) in [(0, 1, 100), (32, 32, 100), (64, 3, 67), (5, 32, 261)] {
                let (from, to) = mask.visible_to_block(row, count, keys);
                let is_visible = |row: usize, key: usize| (mask.visible(row).0..mask.visible(row).1).contains(&key);
                let visible: Vec<usize> =
                    (0..keys).filter(|key| (row..row + count).any(|row| is_visible(row, *key))).collect();
                let expected = match visible[..] {
                    [first, .., last] => (first / PANEL * PANEL, last + 1),
                    [one] => (one / PANEL * PANEL, one + 1),
                    [] => (0, keys),
                };
                assert_eq!((from, to), expected, "{mask:?}, {count} queries from {row} on, {keys} keys");
            }
        }
    }
}
