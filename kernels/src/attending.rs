//! Attention as a [`Job`](super::job::Job): a chunk is some queries of one head, from scores to what they make of values.

use super::eight::{EIGHT, Eight};
use super::exponential::exp_of;
use super::lanes::{LANES, Lanes};
use super::panels::{ROWS, WIDTH, interleave, multiply_block};
use super::row_products::{REPAYING, multiply_row};

/// Queries of a chunk.
pub const QUERIES: usize = 32;

/// Keys that are laid out at once, and values that are gone through for all queries before the next: they stay in a near cache.
const KEYS: usize = 128;

/// Multiplications that take as long as what a score becomes a weight by.
const WEIGHT: u64 = 32;

/// Rows of a matrix with all heads beside each other, from the first head on.
#[repr(C)]
pub struct Packed {
    pub data: *const f32,
    /// Numbers from one row to the next, and rows from one sequence to the next.
    pub stride: usize,
    pub pitch: usize,
}

/// softmax(q kᵀ · scale + mask) v of some parts, each up to [`QUERIES`] queries of one head of one sequence.
#[repr(C)]
pub struct Attention {
    /// (batch, length, heads · head size).
    pub context: *mut f32,
    /// (batch, rows, heads, 2): each row's largest score, and the sum of e^(score − largest); so many rows from one sequence to the next.
    pub statistics: *mut f32,
    pub statistics_pitch: usize,
    pub query: Packed,
    pub key: Packed,
    pub value: Packed,
    /// (batch, keys), added to scores.
    pub mask: *const f32,
    /// Query heads, and how many of them share a key head.
    pub heads: usize,
    pub group: usize,
    pub head_size: usize,
    /// Queries of a sequence, and its keys.
    pub length: usize,
    pub keys: usize,
    pub sight: Sight,
    pub scale: f32,
    /// The parts first .. end.
    pub first: usize,
    pub end: usize,
}

/// Which keys a query sees.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Sight {
    /// Tokens before the first query.
    pub past: usize,
    /// Only keys that are not after it.
    pub causal: bool,
    /// Only keys that are nearer than this.
    pub window: usize,
}

impl Sight {
    /// The keys of a sequence that its query `row` sees, from one to before another.
    #[inline(always)]
    pub fn of(self, row: usize) -> (usize, usize) {
        let query = self.past + row;
        let first = (query + 1).saturating_sub(self.window);
        (first, if self.causal { query + 1 } else { query.saturating_add(self.window) })
    }

    /// The keys, of so many, that any of `count` queries from `row` on sees, from a whole panel on; all of them where it is none.
    #[inline(always)]
    pub fn of_block(self, row: usize, count: usize, keys: usize) -> (usize, usize) {
        let (first, end) = (self.of(row).0 / WIDTH * WIDTH, self.of(row + count - 1).1.min(keys));
        if first < end { (first, end) } else { (0, keys) }
    }
}

impl Attention {
    /// Multiplications, or what takes as long.
    pub fn work(&self) -> u64 {
        let numbers = (self.end - self.first) as u64 * (QUERIES.min(self.length) * self.keys) as u64;
        numbers * (2 * self.head_size as u64 + WEIGHT)
    }

    /// Scores of a query, with room for whole panels of keys.
    #[inline(always)]
    fn row(&self) -> usize {
        self.keys.next_multiple_of(WIDTH)
    }

    /// Numbers that a thread needs room for: scores, keys that are laid out, and rows that lie beside each other.
    pub fn room(&self) -> usize {
        QUERIES * self.row() + KEYS * self.head_size + ROWS * self.head_size.max(KEYS)
    }

    /// Makes a chunk; false where there is none of this number.
    ///
    /// # Safety
    /// What it describes lies there, and `room` has room for [`Attention::room`] numbers.
    #[inline(always)]
    pub unsafe fn make(&self, chunk: usize, room: *mut f32) -> bool {
        let part = self.first + chunk;
        let blocks = self.length.div_ceil(QUERIES);
        // Checked: the module that threads run has no data, and so no panic to speak of.
        let (Some(of), Some(block)) = (part.checked_div(blocks), part.checked_rem(blocks)) else { return false };
        let (Some(sequence), Some(head)) = (of.checked_div(self.heads), of.checked_rem(self.heads)) else {
            return false;
        };
        if part >= self.end {
            return false;
        }
        let first = block * QUERIES;
        let count = QUERIES.min(self.length - first);
        let group = head.checked_div(self.group).unwrap_or(0);
        // SAFETY: the part's queries, and the keys and values of their head, are among those that the caller has there.
        unsafe {
            let rows = |of: &Packed, head: usize, row: usize| {
                of.data.add((sequence * of.pitch + row) * of.stride + head * self.head_size)
            };
            let (query, key, value) =
                (rows(&self.query, head, first), rows(&self.key, group, 0), rows(&self.value, group, 0));
            let mask = self.mask.add(sequence * self.keys);
            let statistics = self.statistics.add(2 * ((sequence * self.statistics_pitch + first) * self.heads + head));
            let width = self.heads * self.head_size;
            let context = self.context.add((sequence * self.length + first) * width + head * self.head_size);
            let (mut from, mut to) = self.sight.of_block(first, count, self.keys);
            loop {
                self.score(room, query, key, count, (from, to));
                let (mut row, mut uniform) = (0, false);
                while row < count {
                    let (seen, end) = self.sight.of(first + row);
                    let seen = (seen.max(from) - from, end.max(from) - from);
                    let (scores, of_row) = (room.add(row * self.row() + from), statistics.add(2 * row * self.heads));
                    attend_row(scores, to - from, mask.add(from), seen, of_row);
                    uniform |= *of_row == f32::MIN;
                    row += 1;
                }
                // A row without any key left is uniform over those, too, that nobody sees.
                if !uniform || to - from == self.keys {
                    break;
                }
                (from, to) = (0, self.keys);
            }
            self.weigh((context, width), room, value, count, (from, to));
            let mut row = 0;
            while row < count {
                let total = *statistics.add(2 * row * self.heads + 1);
                scale_row(context.add(row * width), self.head_size, 1.0 / total);
                row += 1;
            }
        }
        true
    }

    /// The scores of `count` queries with some keys, from a whole panel on.
    ///
    /// # Safety
    /// That of [`Attention::make`].
    #[inline(always)]
    unsafe fn score(
        &self,
        scores: *mut f32,
        query: *const f32,
        key: *const f32,
        count: usize,
        (from, to): (usize, usize),
    ) {
        let (size, apart) = (self.head_size, self.row());
        // SAFETY: as the caller has it; panels are whole in each row's room.
        unsafe {
            if count < REPAYING {
                let mut row = 0;
                while row < count {
                    let (query, key) = (query.add(row * self.query.stride), key.add(from * self.key.stride));
                    let scores = scores.add(row * apart + from);
                    multiply_row(scores, query, (key, self.key.stride), (size, to - from), self.scale);
                    row += 1;
                }
                return;
            }
            let laid = scores.add(QUERIES * apart);
            let spare = laid.add(KEYS * size);
            let mut first = from;
            while first < to {
                let end = to.min(first + KEYS);
                let (mut panels, mut at) = (0, first);
                while at < end {
                    let panel = laid.add(panels * WIDTH * size);
                    interleave(panel, WIDTH, key.add(at * self.key.stride), self.key.stride, WIDTH.min(end - at), size);
                    (panels, at) = (panels + 1, at + WIDTH);
                }
                let out = (scores.add(first), apart);
                let (x, w) = ((query, self.query.stride), (laid.cast_const(), WIDTH));
                multiply_block(out, x, w, (WIDTH * size, panels), (count, size), (self.scale, false), spare);
                first = end;
            }
        }
    }

    /// Values of some keys by their weights, which are not yet over their sum.
    ///
    /// # Safety
    /// That of [`Attention::make`].
    #[inline(always)]
    unsafe fn weigh(
        &self,
        (context, width): (*mut f32, usize),
        weights: *mut f32,
        value: *const f32,
        count: usize,
        (from, to): (usize, usize),
    ) {
        let (size, apart) = (self.head_size, self.row());
        let panels = size / WIDTH;
        // SAFETY: as the caller has it; keys stay below their number.
        unsafe {
            let spare = weights.add(QUERIES * apart + KEYS * size);
            let mut first = from;
            while first < to {
                let keys = KEYS.min(to - first);
                let (x, w) = (
                    (weights.add(first).cast_const(), apart),
                    (value.add(first * self.value.stride), self.value.stride),
                );
                multiply_block((context, width), x, w, (WIDTH, panels), (count, keys), (1.0, first > from), spare);
                first += KEYS;
            }
            let mut row = 0;
            while row < count {
                let mut column = panels * WIDTH;
                while column < size {
                    let (mut sum, mut key) = (0.0, from);
                    while key < to {
                        sum += *weights.add(row * apart + key) * *value.add(key * self.value.stride + column);
                        key += 1;
                    }
                    *context.add(row * width + column) = sum;
                    column += 1;
                }
                row += 1;
            }
        }
    }
}

/// From a query's scores to e^(score − largest), with the mask added where it sees keys and f32::MIN elsewhere: added, not −∞, as Hugging Face does, so
/// that a row without any key left is uniform. Writes the largest score and the sum of what it made.
///
/// # Safety
/// `keys` scores lie there, with room up to a multiple of [`EIGHT`], as many numbers of the mask, and there is room for two statistics.
#[inline(never)]
unsafe fn attend_row(
    scores: *mut f32,
    keys: usize,
    mask: *const f32,
    (first, end): (usize, usize),
    statistics: *mut f32,
) {
    let end = end.min(keys);
    let first = first.min(end);
    // SAFETY: as the caller has it; what is written lies below `keys`, or below the multiple behind it.
    unsafe {
        let mut key = 0;
        while key < keys {
            let sees = key >= first && key < end;
            *scores.add(key) += if sees { *mask.add(key) } else { f32::MIN };
            key += 1;
            // Whole vectors, most of them.
            while sees && key + LANES <= end {
                Lanes::at(scores.add(key)).plus(Lanes::at(mask.add(key))).put(scores.add(key));
                key += LANES;
            }
        }
        let padded = keys.next_multiple_of(EIGHT);
        while key < padded {
            *scores.add(key) = f32::NEG_INFINITY;
            key += 1;
        }
        let mut largest = Eight::all(f32::MIN);
        let mut key = 0;
        while key < padded {
            largest = largest.at_least(Eight::at(scores.add(key)));
            key += EIGHT;
        }
        let largest = largest.largest();
        let less = Eight::all(-largest);
        let mut sums = Eight::all(0.0);
        let mut key = 0;
        while key < padded {
            let weight = exp_of(Eight::at(scores.add(key)).plus(less));
            weight.put(scores.add(key));
            sums = sums.plus(weight);
            key += EIGHT;
        }
        *statistics = largest;
        *statistics.add(1) = sums.sum() as f32;
    }
}

/// # Safety
/// `count` numbers lie there.
#[inline(always)]
unsafe fn scale_row(row: *mut f32, count: usize, factor: f32) {
    let mut at = 0;
    // SAFETY: as the caller has it; `at` stays below `count`.
    unsafe {
        while at + LANES <= count {
            Lanes::at(row.add(at)).times(Lanes::all(factor)).put(row.add(at));
            at += LANES;
        }
        while at < count {
            *row.add(at) *= factor;
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_the_keys_that_its_queries_see_and_few_others() {
        for (past, causal, window) in [
            (0, true, usize::MAX),
            (40, true, 7),
            (0, false, 9),
            (13, false, usize::MAX),
            (60, true, 1),
            (200, true, 3),
        ] {
            let sight = Sight { past, causal, window };
            for (row, count, keys) in [(0, 1, 100), (32, 32, 100), (64, 3, 67), (5, 32, 261)] {
                let (from, to) = sight.of_block(row, count, keys);
                let sees = |row: usize, key: usize| (sight.of(row).0..sight.of(row).1).contains(&key);
                let seen: Vec<usize> = (0..keys).filter(|key| (row..row + count).any(|row| sees(row, *key))).collect();
                let expected = match seen[..] {
                    [first, .., last] => (first / WIDTH * WIDTH, last + 1),
                    [one] => (one / WIDTH * WIDTH, one + 1),
                    [] => (0, keys),
                };
                assert_eq!((from, to), expected, "{sight:?}, {count} queries from {row} on, {keys} keys");
            }
        }
    }
}
