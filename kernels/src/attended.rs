//! Attention of slices: what each query's values come to, and its row's statistics.

use super::attending::{QUERIES, Sight};
use std::ops::Range;

/// Rows of a matrix with all heads beside each other, from the first number of the first head on.
#[derive(Clone, Copy)]
pub struct HeadRows<'a> {
    pub data: &'a [f32],
    /// Numbers from one row to the next, and rows from one sequence to the next.
    pub stride: usize,
    pub pitch: usize,
}

/// What softmax(q kᵀ · scale + mask) v is made of.
pub struct Attended<'a> {
    pub query: HeadRows<'a>,
    pub key: HeadRows<'a>,
    pub value: HeadRows<'a>,
    /// (batch, keys)
    pub mask: &'a [f32],
    /// Query heads, and key heads, each of which serves as many of them.
    pub heads: [usize; 2],
    pub head_size: usize,
    pub batch: usize,
    /// Queries of a sequence, and its keys.
    pub length: usize,
    pub keys: usize,
    pub sight: Sight,
    pub scale: f32,
}

impl Attended<'_> {
    /// Up to [`QUERIES`] queries of one head of one sequence are a part.
    pub fn parts(&self) -> usize {
        self.batch * self.heads[0] * self.length.div_ceil(QUERIES)
    }

    /// Makes some parts. context: (batch, length, heads · head size); statistics: (batch, rows, heads, 2), of so many rows: each row's largest score, and the
    /// sum of e^(score − largest). Panics where a slice is smaller than its shape: plans have checked the shapes.
    pub fn attend(&self, context: &mut [f32], statistics: (&mut [f32], usize), parts: Range<usize>) {
        #[cfg(target_arch = "wasm32")]
        self.by_job(context, statistics, parts);
        #[cfg(not(target_arch = "wasm32"))]
        self.by_products(context, statistics, parts);
    }

    /// By the kernel that threads share.
    #[cfg(any(target_arch = "wasm32", test))]
    fn by_job(&self, context: &mut [f32], (statistics, rows): (&mut [f32], usize), parts: Range<usize>) {
        use super::attending::{Attention, Packed};
        use super::job::{Work, have_done};
        let (Some(_), [heads, key_heads]) = (self.batch.checked_sub(1), self.heads) else { return };
        if self.length == 0 || heads == 0 {
            return;
        }
        assert!(key_heads > 0 && heads.is_multiple_of(key_heads) && self.keys > 0, "heads or keys are missing");
        assert!(
            parts.end <= self.parts() && self.mask.len() >= self.batch * self.keys,
            "more parts or keys than there are"
        );
        // 64 bits: an address that has gone round would pass.
        let end = |pitch: usize, last: usize, stride: usize, width: usize| {
            ((self.batch as u64 - 1) * pitch as u64 + last as u64 - 1) * stride as u64 + width as u64
        };
        let packed = |of: &HeadRows<'_>, last: usize, heads: usize| {
            let end = end(of.pitch, last, of.stride, heads * self.head_size);
            assert!(end <= of.data.len() as u64, "a matrix is smaller than its shape");
            Packed { data: of.data.as_ptr(), stride: of.stride, pitch: of.pitch }
        };
        let width = heads * self.head_size;
        assert!(end(self.length, self.length, width, width) <= context.len() as u64, "the context does not fit");
        assert!(end(rows, self.length, 2 * heads, 2 * heads) <= statistics.len() as u64, "statistics do not fit");
        let attention = Attention {
            context: context.as_mut_ptr(),
            statistics: statistics.as_mut_ptr(),
            statistics_pitch: rows,
            query: packed(&self.query, self.length, heads),
            key: packed(&self.key, self.keys, key_heads),
            value: packed(&self.value, self.keys, key_heads),
            mask: self.mask.as_ptr(),
            heads,
            group: heads / key_heads,
            head_size: self.head_size,
            length: self.length,
            keys: self.keys,
            sight: self.sight,
            scale: self.scale,
            first: parts.start,
            end: parts.end,
        };
        // SAFETY: the assertions above say that the last number of each matrix lies in its slice; what is written is borrowed mutably, and parts write
        // rows and columns of their own.
        unsafe { have_done(Work::Attention(attention)) };
    }

    /// By products of a head's queries with the keys that they see, which natively have wider vectors.
    #[cfg(not(target_arch = "wasm32"))]
    fn by_products(&self, context: &mut [f32], (statistics, rows): (&mut [f32], usize), parts: Range<usize>) {
        use super::attention::{add_mask, softmax};
        use super::matrix::{Matrix, multiply};
        let Self { query, key, value, heads: [heads, key_heads], head_size, length, keys, .. } = *self;
        let (width, blocks) = (heads * head_size, length.div_ceil(QUERIES));
        let mut scores = vec![0.0; QUERIES.min(length) * keys];
        for part in parts {
            let (sequence, head) = (part / blocks / heads, part / blocks % heads);
            let first = part % blocks * QUERIES;
            let count = QUERIES.min(length - first);
            let of = |rows: &HeadRows<'_>, head: usize, row: usize| {
                (sequence * rows.pitch + row) * rows.stride + head * head_size
            };
            let group = head / (heads / key_heads);
            let mask = &self.mask[sequence * keys..][..keys];
            let left = Matrix::rows(&query.data[of(&query, head, first)..], query.stride);
            let (mut from, mut to) = self.sight.of_block(first, count, keys);
            loop {
                let (some, scores) = (to - from, &mut scores[..count * (to - from)]);
                let transposed = Matrix::transposed(&key.data[of(&key, group, from)..], key.stride);
                multiply(scores, some, left, transposed, [count, head_size, some], self.scale);
                let mut uniform = false;
                for (row, scores) in scores.chunks_exact_mut(some).enumerate() {
                    let (start, end) = self.sight.of(first + row);
                    add_mask(scores, &mask[from..to], start.max(from) - from..end.max(from) - from);
                    let kept = softmax(scores);
                    uniform |= kept[0] == f32::MIN;
                    statistics[2 * ((sequence * rows + first + row) * heads + head)..][..2].copy_from_slice(&kept);
                }
                // A row without any key left is uniform over those, too, that nobody sees.
                if !uniform || some == keys {
                    break;
                }
                (from, to) = (0, keys);
            }
            let out = &mut context[(sequence * length + first) * width + head * head_size..];
            let values = Matrix::rows(&value.data[of(&value, group, from)..], value.stride);
            let weights = Matrix::rows(&scores, to - from);
            multiply(out, width, weights, values, [count, to - from, head_size], 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Attended, HeadRows, Sight};

    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|at| ((at * 37 + seed * 11) as f32).sin()).collect()
    }

    /// Blocks of queries and of keys and what is left of both, heads that are no whole panels, shared keys, a cache, a window.
    #[test]
    fn the_kernel_of_threads_agrees_with_products_and_softmax() {
        let everything = Sight { past: 0, causal: false, window: usize::MAX };
        let cached = |past: usize, window: usize| Sight { past, causal: true, window };
        for (batch, length, keys, heads, head_size, sight) in [
            (1, 1, 1, [1, 1], 4, everything),
            (2, 7, 7, [4, 2], 8, cached(0, usize::MAX)),
            (1, 33, 33, [2, 2], 12, everything),
            (2, 2, 141, [3, 1], 20, cached(139, 50)),
            (1, 70, 261, [2, 1], 7, cached(191, usize::MAX)),
            (1, 40, 40, [2, 2], 32, Sight { past: 0, causal: false, window: 9 }),
        ] {
            let [width, key_width] = heads.map(|heads| heads * head_size);
            let (query, rows) = (numbers(batch * length * (width + 3), 1), batch * (keys + 1));
            let (key, value) = (numbers(rows * (key_width + 5), 2), numbers(rows * key_width, 3));
            let mut mask = vec![0.0; batch * keys];
            mask.iter_mut().step_by(5).skip(1).for_each(|mask| *mask = f32::MIN);
            // A sequence without any key left.
            if batch > 1 {
                mask[keys..].fill(f32::MIN);
            }
            let of = Attended {
                query: HeadRows { data: &query, stride: width + 3, pitch: length },
                key: HeadRows { data: &key, stride: key_width + 5, pitch: keys + 1 },
                value: HeadRows { data: &value, stride: key_width, pitch: keys + 1 },
                mask: &mask,
                heads,
                head_size,
                batch,
                length,
                keys,
                sight,
                scale: 0.7,
            };
            let room = || (vec![7.0; batch * length * width], vec![7.0; batch * length * 2 * heads[0]]);
            let (mut expected, mut found) = (room(), room());
            of.by_products(&mut expected.0, (&mut expected.1, length), 0..of.parts());
            of.by_job(&mut found.0, (&mut found.1, length), 0..of.parts());
            for (what, found, expected) in [("context", found.0, expected.0), ("statistics", found.1, expected.1)] {
                for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
                    let off = (found - expected).abs();
                    assert!(
                        off <= 2e-6 * expected.abs().max(1.0),
                        "{what} {at} of {length} × {keys}: {found}, not {expected}"
                    );
                }
            }
        }
    }
}
