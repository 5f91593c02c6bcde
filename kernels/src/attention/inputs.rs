//! Attention of slices.

use super::job::{AttentionJob, QUERY_BLOCK, RawHeads};
use super::mask::MaskPattern;
use crate::run::run;
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
    pub fn attend(&self, head_outputs: &mut [f32], (statistics, rows): (&mut [f32], usize), blocks: Range<usize>) {
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
        unsafe { run(&job) };
    }
}

#[cfg(test)]
mod tests {
    use super::{AttentionInputs, MaskPattern, StridedHeads};
    use crate::tests::sines;

    /// Head outputs and statistics, query by query.
    fn in_f64(of: &AttentionInputs<'_>) -> (Vec<f64>, Vec<f64>) {
        let AttentionInputs { heads: [heads, key_heads], head_size, batch, length, keys, pattern, .. } = *of;
        let row = |rows: &StridedHeads<'_>, sequence: usize, row: usize, head: usize| {
            let at = (sequence * rows.pitch + row) * rows.stride + head * head_size;
            rows.data[at..][..head_size].iter().map(|x| f64::from(*x)).collect::<Vec<_>>()
        };
        let (mut outputs, mut statistics) = (Vec::new(), Vec::new());
        for (sequence, query) in (0..batch).flat_map(|sequence| (0..length).map(move |query| (sequence, query))) {
            let (first, end) = pattern.visible(query);
            for head in 0..heads {
                let (q, key_head) = (row(&of.query, sequence, query, head), head / (heads / key_heads));
                let score = |key: usize| {
                    let k = row(&of.key, sequence, key, key_head);
                    let product: f64 = q.iter().zip(&k).map(|(q, k)| q * k).sum();
                    let mask = if (first..end).contains(&key) { of.mask[sequence * keys + key] } else { f32::MIN };
                    // In f32 every score is lost beside f32::MIN.
                    if mask == f32::MIN { f64::from(f32::MIN) } else { product * f64::from(of.scale) }
                };
                let scores: Vec<f64> = (0..keys).map(score).collect();
                let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let weights: Vec<f64> = scores.iter().map(|score| (score - largest).exp()).collect();
                let total: f64 = weights.iter().sum();
                let values: Vec<Vec<f64>> = (0..keys).map(|key| row(&of.value, sequence, key, key_head)).collect();
                let output = |column: usize| {
                    weights.iter().zip(&values).map(|(weight, value)| weight * value[column]).sum::<f64>() / total
                };
                outputs.extend((0..head_size).map(output));
                statistics.extend([largest, total]);
            }
        }
        (outputs, statistics)
    }

    /// Several blocks of queries and keys with tails, head sizes that are no whole panels, shared keys, a KV cache, a window.
    #[test]
    fn agrees_with_sums_in_f64() {
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
            let (mut head_outputs, mut statistics) =
                (vec![7.0; batch * length * width], vec![7.0; batch * length * 2 * heads[0]]);
            of.attend(&mut head_outputs, (&mut statistics, length), 0..of.blocks());
            let (expected_outputs, expected_statistics) = in_f64(&of);
            for (what, found, expected) in
                [("head_outputs", head_outputs, expected_outputs), ("statistics", statistics, expected_statistics)]
            {
                for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
                    let off = (f64::from(*found) - expected).abs();
                    assert!(
                        off <= 5e-6 * expected.abs().max(1.0),
                        "{what} {at} of {length} × {keys}: {found}, not {expected}"
                    );
                }
            }
        }
    }
}
