//! Head ablation: zero, or the mean over the tokens of the sequence, replaces rows of a head's output before the output projection.

use crate::kernels::column_mean;
use crate::plan::{HeadAblation, Input, Inputs, Kernel, Launch, Op, PlanBuilder, Sizes, Use, Value, parameters};
use std::ops::Range;

/// The ablation modes of one layer's heads, see [`HeadAblation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeadAblations {
    /// u32 modes of all layers, (layers · heads, length).
    pub input: Input,
    /// Row of `input` of this layer's first head.
    pub first: usize,
    pub heads: usize,
}

struct AblateHeads {
    head_outputs: Value,
    ablations: HeadAblations,
    head_size: usize,
}

impl PlanBuilder {
    /// Ablates heads in place. head_outputs: (batch, length, heads · head_size). A mean is over the tokens of the run that are no padding, later
    /// ones included.
    pub fn ablate_heads(&mut self, head_outputs: Value, ablations: HeadAblations) {
        let shape = self.shape(head_outputs);
        let width =
            shape.fixed_width().filter(|width| shape.is_tokens() && width.is_multiple_of(ablations.heads.max(1)));
        let Some(width) = width.filter(|_| ablations.heads > 0) else {
            return self
                .fail("head_ablation", format!("head outputs are {}, of {} heads", shape.describe(), ablations.heads));
        };
        self.step(AblateHeads { head_outputs, ablations, head_size: width / ablations.heads });
    }
}

impl Op for AblateHeads {
    fn uses(&self) -> Vec<Use> {
        vec![
            Use::read("modes", self.ablations.input),
            Use::read("key_mask", Input::KeyMask),
            Use::change("head_outputs", self.head_outputs),
        ]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("head_ablation/head_ablation")
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let HeadAblations { first, heads, .. } = self.ablations;
        let workgroups = sizes.batch * heads;
        let params = parameters! {
            sequence_heads: u32 = workgroups,
            heads: u32 = heads,
            head_size: u32 = self.head_size,
            length: u32 = sizes.length,
            past: u32 = sizes.past,
            first_head: u32 = first,
        };
        Launch::new(workgroups, params)
    }

    fn run(&self, _chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let HeadAblations { input, first, heads } = self.ablations;
        let (length, width) = (sizes.length, heads * self.head_size);
        let mask = inputs.numbers(Input::KeyMask).chunks_exact(sizes.keys());
        for (head_outputs, mask) in outputs[0].chunks_exact_mut(length * width).zip(mask) {
            let tokens: Vec<bool> = mask[sizes.past..].iter().map(|added| *added == 0.0).collect();
            let modes = inputs.indices(input)[first * length..].chunks_exact(length);
            for (head, modes) in modes.take(heads).enumerate() {
                let columns = head * self.head_size..(head + 1) * self.head_size;
                let mut means = vec![0.0; self.head_size];
                if modes.contains(&(HeadAblation::Mean as u32)) {
                    let mean = |column: usize| column_mean(&head_outputs[column..], width, &tokens);
                    means = columns.clone().map(mean).collect();
                }
                for (row, mode) in head_outputs.chunks_exact_mut(width).zip(modes) {
                    match *mode {
                        0 => {}
                        mode if mode == HeadAblation::Mean as u32 => row[columns.clone()].copy_from_slice(&means),
                        _ => row[columns.clone()].fill(0.0),
                    }
                }
            }
        }
    }
}
