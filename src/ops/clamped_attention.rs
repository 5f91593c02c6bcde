//! Attention with clamped distances (Su's ReRoPE, kexue.fm/archives/9708): tokens farther apart than the heads' `max_distance` have the
//! score of that distance. It is slower than plain attention: far scores are computed from rows that are rotated back.

use super::head_score::{self, BLOCK, HeadParams, HeadScores};
use crate::kernels::{Matrix, gemm, softmax};
use crate::plan::{Chunks, Heads, Inputs, Kernel, Launch, Op, Sizes, Use, Value, View, first_row, parameters, pitch};
use std::ops::Range;

pub(super) struct ClampedAttention {
    pub heads: Heads,
    pub value: View,
    pub head_outputs: Value,
}

/// Context columns of a workgroup: `WORKGROUP` of `shaders/clamped_attention/clamped_attention.wgsl`.
const COLUMNS: usize = 64;

impl Op for ClampedAttention {
    fn uses(&self) -> Vec<Use> {
        let mut uses = head_score::uses(&self.heads, self.heads.clamping_table());
        uses.extend([
            Use::read("values", self.value.operand),
            Use::write("head_outputs", self.head_outputs),
            Use::write("statistics", self.heads.statistics),
        ]);
        uses
    }

    fn kernel(&self) -> Kernel {
        head_score::kernel("clamped_attention/clamped_attention", &self.heads)
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let Heads { query, statistics, .. } = self.heads;
        let sequence_heads = sizes.batch * query.heads;
        let params = parameters! {
            heads: HeadParams = HeadParams::new(&self.heads, 0, sizes),
            sequence_heads: u32 = sequence_heads,
            value_first: u32 = self.value.first,
            value_stride: u32 = self.value.stride,
            value_pitch: u32 = self.value.pitch(sizes),
            statistics_first: u32 = first_row(statistics, sizes),
        };
        let workgroups = sequence_heads * sizes.length * query.head_size.div_ceil(COLUMNS);
        Launch::new(workgroups, params)
    }

    /// A chunk: up to [`BLOCK`] queries of one head of one sequence.
    fn chunks(&self, sizes: Sizes) -> Chunks {
        let count = sizes.batch * self.heads.query.heads * sizes.length.div_ceil(BLOCK);
        let work = 2 * BLOCK.min(sizes.length) * sizes.keys() * self.heads.query.head_size;
        Chunks { count, work }
    }

    fn run(&self, chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let Heads { query, statistics, .. } = self.heads;
        let (length, keys, size) = (sizes.length, sizes.keys(), query.head_size);
        let [head_outputs, rows, ..] = outputs else { return };
        let (mut scores, blocks) = (vec![0.0; keys], length.div_ceil(BLOCK));
        // The head's unrotated keys are reused by its next chunks.
        let mut last: Option<(usize, HeadScores<'_>)> = None;
        for chunk in chunks {
            let of = chunk / blocks;
            let (sequence, head) = (of / query.heads, of % query.heads);
            let mut head_scores = match last.take() {
                Some((last, rows)) if last == of => rows,
                _ => HeadScores::new(&self.heads, [sequence, head], inputs, sizes),
            };
            let value = self.value.head(self.heads.key_head(head)).at(sequence, 0, sizes);
            let values = Matrix::rows(&inputs.of(self.value.operand)[value..], self.value.stride);
            let first = sequence * pitch(statistics, sizes) + first_row(statistics, sizes);
            let begin = chunk % blocks * BLOCK;
            for row in begin..length.min(begin + BLOCK) {
                head_scores.masked_scores(row, &mut scores);
                let softmax_statistics = softmax(&mut scores);
                rows[2 * ((first + row) * query.heads + head)..][..2].copy_from_slice(&softmax_statistics);
                let out = &mut head_outputs[(sequence * length + row) * query.width() + head * size..];
                let weights = Matrix::rows(&scores, keys);
                gemm(out, query.width(), weights, values, [1, keys, size], 1.0);
            }
            last = Some((of, head_scores));
        }
    }
}
