//! Joins attention over slices of the keys: each slice is weighted by its statistics.

use crate::plan::{Heads, Inputs, Kernel, Launch, Op, Sizes, Use, Value, first_row, parameters, pitch};
use crate::transcendental::exp;
use std::ops::Range;

pub(super) struct AttentionReduce {
    /// (batch, length, slices · query heads · head_size)
    pub contexts: Value,
    /// (batch, length, slices · query heads · 2): max of scores and sum of e^(score − max) of each slice.
    pub slice_statistics: Value,
    /// Their statistics, over all keys, are written.
    pub heads: Heads,
    pub slices: usize,
    pub context: Value,
}

impl Op for AttentionReduce {
    fn uses(&self) -> Vec<Use> {
        vec![
            Use::read(self.contexts),
            Use::read(self.slice_statistics),
            Use::write(self.context),
            Use::write(self.heads.statistics),
        ]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("attention/reduce")
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let Heads { query, statistics, .. } = self.heads;
        let params = parameters! {
            rows: u32 = sizes.tokens(),
            length: u32 = sizes.length,
            heads: u32 = query.heads,
            head_size: u32 = query.head_size,
            slices: u32 = self.slices,
            statistics_first: u32 = first_row(statistics, sizes),
            statistics_pitch: u32 = pitch(statistics, sizes),
        };
        Launch::new(sizes.tokens() * query.heads, params)
    }

    fn run(&self, _parts: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let Heads { query, statistics, .. } = self.heads;
        let (contexts, slice_statistics) = (inputs.value(self.contexts), inputs.value(self.slice_statistics));
        let [context, rows, ..] = outputs else { return };
        for (at, out) in context.chunks_exact_mut(query.head_size).enumerate() {
            let (row, head) = (at / query.heads, at % query.heads);
            let place = |slice: usize| (row * self.slices + slice) * query.heads + head;
            let largest = (0..self.slices).map(|slice| slice_statistics[2 * place(slice)]).fold(f32::MIN, f32::max);
            let share = |slice: usize| {
                slice_statistics[2 * place(slice) + 1]
                    * exp(f64::from(slice_statistics[2 * place(slice)] - largest)) as f32
            };
            let total: f32 = (0..self.slices).map(share).sum();
            out.fill(0.0);
            for slice in 0..self.slices {
                let (share, from) = (share(slice) / total, &contexts[place(slice) * query.head_size..]);
                out.iter_mut().zip(from).for_each(|(sum, number)| *sum += share * number);
            }
            let (sequence, of_run) = (row / sizes.length, row % sizes.length);
            let to = sequence * pitch(statistics, sizes) + first_row(statistics, sizes) + of_run;
            rows[2 * (to * query.heads + head)..][..2].copy_from_slice(&[largest, total]);
        }
    }
}
