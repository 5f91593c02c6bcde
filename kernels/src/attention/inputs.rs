//! Attention of slices.

use super::job::QUERY_BLOCK;
use super::mask::MaskPattern;
use std::ops::Range;

/// Rows of all heads side by side: (batch · pitch, stride).
#[derive(Clone, Copy)]
pub struct StridedHeads<'a> {
    /// From the first number of the first head on.
    pub data: &'a [f32],
    /// Numbers from one row to the next.
    pub stride: usize,
    /// Rows from one sequence to the next.
    pub pitch: usize,
}

/// The operands of softmax(q kᵀ · scale + mask) v.
pub struct AttentionInputs<'a> {
    /// (batch, length, query heads, head size)
    pub query: StridedHeads<'a>,
    /// (batch, keys, key heads, head size)
    pub key: StridedHeads<'a>,
    /// (batch, keys, key heads, head size)
    pub value: StridedHeads<'a>,
    /// (batch, keys), added to scores.
    pub mask: &'a [f32],
    /// Query heads and key heads; the first are a multiple of the second.
    pub heads: [usize; 2],
    /// Numbers of a head's row.
    pub head_size: usize,
    /// Sequences.
    pub batch: usize,
    /// Queries of a sequence.
    pub length: usize,
    /// Keys of a sequence.
    pub keys: usize,
    /// The keys that a query sees.
    pub pattern: MaskPattern,
    /// Scores are multiplied by it: usually 1 / √(head size).
    pub scale: f32,
}

impl AttentionInputs<'_> {
    /// Number of query blocks: up to [`QUERY_BLOCK`] queries of one head of one sequence each, numbered (batch, heads, blocks of a head).
    pub fn blocks(&self) -> usize {
        self.batch * self.heads[0] * self.length.div_ceil(QUERY_BLOCK)
    }

    /// Computes some query blocks.
    ///
    /// head_outputs: (batch, length, heads · head size). statistics: (batch, rows, heads, 2) with its `rows`: each row's largest score, and
    /// its sum of e^(score − largest). Panics if a slice is smaller than its shape; plans check shapes before they run.
    pub fn attend(&self, head_outputs: &mut [f32], statistics: (&mut [f32], usize), blocks: Range<usize>) {
        #[cfg(target_arch = "wasm32")]
        self.by_job(head_outputs, statistics, blocks);
        #[cfg(not(target_arch = "wasm32"))]
        self.by_gemm(head_outputs, statistics, blocks);
    }

    /// By the fused kernel, which threads share.
    #[cfg(any(target_arch = "wasm32", test))]
    fn by_job(&self, head_outputs: &mut [f32], (statistics, rows): (&mut [f32], usize), blocks: Range<usize>) {
        use super::job::{AttentionJob, RawHeads};
        let (Some(_), [heads, key_heads]) = (self.batch.checked_sub(1), self.heads) else { return };
        if self.length == 0 || heads == 0 {
            return;
        }
        assert!(key_heads > 0 && heads.is_multiple_of(key_heads) && self.keys > 0, "heads or keys are missing");
        assert!(
            blocks.end <= self.blocks() && self.mask.len() >= self.batch * self.keys,
            "more blocks or keys than there are"
        );
        // In u64: usize would wrap on wasm32.
        let end = |pitch: usize, last: usize, stride: usize, width: usize| {
            ((self.batch as u64 - 1) * pitch as u64 + last as u64 - 1) * stride as u64 + width as u64
        };
        let raw = |of: &StridedHeads<'_>, last: usize, heads: usize| {
            let end = end(of.pitch, last, of.stride, heads * self.head_size);
            assert!(end <= of.data.len() as u64, "a matrix is smaller than its shape");
            RawHeads { data: of.data.as_ptr(), stride: of.stride, pitch: of.pitch }
        };
        let width = heads * self.head_size;
        assert!(
            end(self.length, self.length, width, width) <= head_outputs.len() as u64,
            "the head outputs do not fit"
        );
        assert!(end(rows, self.length, 2 * heads, 2 * heads) <= statistics.len() as u64, "statistics do not fit");
        let job = AttentionJob {
            head_outputs: head_outputs.as_mut_ptr(),
            statistics: statistics.as_mut_ptr(),
            statistics_pitch: rows,
            query: raw(&self.query, self.length, heads),
            key: raw(&self.key, self.keys, key_heads),
            value: raw(&self.value, self.keys, key_heads),
            mask: self.mask.as_ptr(),
            heads,
            group: heads / key_heads,
            head_size: self.head_size,
            length: self.length,
            keys: self.keys,
            pattern: self.pattern,
            scale: self.scale,
            first: blocks.start,
            end: blocks.end,
        };
        // SAFETY: the last number of each matrix is in its slice, as asserted; results are borrowed mutably, and blocks write rows and
        // columns of their own.
        unsafe { crate::run::run(&job) };
    }

    /// By GEMM of a head's queries with their visible keys: natively the gemm crate has wider vectors.
    #[cfg(not(target_arch = "wasm32"))]
    fn by_gemm(&self, head_outputs: &mut [f32], (statistics, rows): (&mut [f32], usize), blocks: Range<usize>) {
        use crate::gemm::{Matrix, gemm};
        use crate::softmax::{add_mask, softmax};
        let Self { query, key, value, heads: [heads, key_heads], head_size, length, keys, .. } = *self;
        let (width, blocks_of_head) = (heads * head_size, length.div_ceil(QUERY_BLOCK));
        let mut scores = vec![0.0; QUERY_BLOCK.min(length) * keys];
        for block in blocks {
            let (sequence, head) = (block / blocks_of_head / heads, block / blocks_of_head % heads);
            let first = block % blocks_of_head * QUERY_BLOCK;
            let count = QUERY_BLOCK.min(length - first);
            let of = |rows: &StridedHeads<'_>, head: usize, row: usize| {
                (sequence * rows.pitch + row) * rows.stride + head * head_size
            };
            let key_head = head / (heads / key_heads);
            let mask = &self.mask[sequence * keys..][..keys];
            let left = Matrix::rows(&query.data[of(&query, head, first)..], query.stride);
            let (mut from, mut to) = self.pattern.visible_to_block(first, count, keys);
            loop {
                let (columns, scores) = (to - from, &mut scores[..count * (to - from)]);
                let transposed = Matrix::transposed(&key.data[of(&key, key_head, from)..], key.stride);
                gemm(scores, columns, left, transposed, [count, head_size, columns], self.scale);
                let mut uniform = false;
                for (row, scores) in scores.chunks_exact_mut(columns).enumerate() {
                    let (start, end) = self.pattern.visible(first + row);
                    add_mask(scores, &mask[from..to], start.max(from) - from..end.max(from) - from);
                    let row_statistics = softmax(scores);
                    uniform |= row_statistics[0] == f32::MIN;
                    let at = 2 * ((sequence * rows + first + row) * heads + head);
                    statistics[at..][..2].copy_from_slice(&row_statistics);
                }
                // A row whose keys are all masked is uniform over every key, visible to the block or not.
                if !uniform || columns == keys {
                    break;
                }
                (from, to) = (0, keys);
            }
            let out = &mut head_outputs[(sequence * length + first) * width + head * head_size..];
            let values = Matrix::rows(&value.data[of(&value, key_head, from)..], value.stride);
            let weights = Matrix::rows(&scores, to - from);
            gemm(out, width, weights, values, [count, to - from, head_size], 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AttentionInputs, MaskPattern, StridedHeads};
    use crate::tests::sines;

    /// Several blocks of queries and keys with tails, head sizes that are no whole panels, shared keys, a KV cache, a window.
    #[test]
    fn the_fused_kernel_agrees_with_gemm_and_softmax() {
        let full = MaskPattern { past: 0, causal: false, window: usize::MAX };
        let cached = |past: usize, window: usize| MaskPattern { past, causal: true, window };
        for (batch, length, keys, heads, head_size, pattern) in [
            (1, 1, 1, [1, 1], 4, full),
            (2, 7, 7, [4, 2], 8, cached(0, usize::MAX)),
            (1, 33, 33, [2, 2], 12, full),
            (2, 2, 141, [3, 1], 20, cached(139, 50)),
            (1, 70, 261, [2, 1], 7, cached(191, usize::MAX)),
            (1, 40, 40, [2, 2], 32, MaskPattern { past: 0, causal: false, window: 9 }),
        ] {
            let [width, key_width] = heads.map(|heads| heads * head_size);
            let (query, rows) = (sines(batch * length * (width + 3), 1), batch * (keys + 1));
            let (key, value) = (sines(rows * (key_width + 5), 2), sines(rows * key_width, 3));
            let mut mask = vec![0.0; batch * keys];
            mask.iter_mut().step_by(5).skip(1).for_each(|mask| *mask = f32::MIN);
            // A sequence whose keys are all masked.
            if batch > 1 {
                mask[keys..].fill(f32::MIN);
            }
            let of = AttentionInputs {
                query: StridedHeads { data: &query, stride: width + 3, pitch: length },
                key: StridedHeads { data: &key, stride: key_width + 5, pitch: keys + 1 },
                value: StridedHeads { data: &value, stride: key_width, pitch: keys + 1 },
                mask: &mask,
                heads,
                head_size,
                batch,
                length,
                keys,
                pattern,
                scale: 0.7,
            };
            let results = || (vec![7.0; batch * length * width], vec![7.0; batch * length * 2 * heads[0]]);
            let (mut expected, mut found) = (results(), results());
            of.by_gemm(&mut expected.0, (&mut expected.1, length), 0..of.blocks());
            of.by_job(&mut found.0, (&mut found.1, length), 0..of.blocks());
            for (what, found, expected) in [("head_outputs", found.0, expected.0), ("statistics", found.1, expected.1)]
            {
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
