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
    context: Value,
    ablations: HeadAblations,
    head_size: usize,
}

impl PlanBuilder {
    /// Ablates heads in place. context: (batch, length, heads · head_size). A mean is over the tokens of the run that are no padding, later
    /// ones included.
    pub fn ablate_heads(&mut self, context: Value, ablations: HeadAblations) {
        let shape = self.shape(context);
        let width =
            shape.fixed_width().filter(|width| shape.is_tokens() && width.is_multiple_of(ablations.heads.max(1)));
        let Some(width) = width.filter(|_| ablations.heads > 0) else {
            return self
                .fail("head_ablation", format!("contexts are {}, of {} heads", shape.describe(), ablations.heads));
        };
        self.step(AblateHeads { context, ablations, head_size: width / ablations.heads });
    }
}

impl Op for AblateHeads {
    fn uses(&self) -> Vec<Use> {
        vec![
            Use::read("modes", self.ablations.input),
            Use::read("key_mask", Input::KeyMask),
            Use::change("context", self.context),
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

    fn run(&self, _parts: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let HeadAblations { input, first, heads } = self.ablations;
        let (length, width) = (sizes.length, heads * self.head_size);
        let mask = inputs.numbers(Input::KeyMask).chunks_exact(sizes.keys());
        for (context, mask) in outputs[0].chunks_exact_mut(length * width).zip(mask) {
            let tokens: Vec<bool> = mask[sizes.past..].iter().map(|added| *added == 0.0).collect();
            let modes = inputs.indices(input)[first * length..].chunks_exact(length);
            for (head, modes) in modes.take(heads).enumerate().filter(|(_, modes)| modes.iter().any(|mode| *mode != 0))
            {
                for column in head * self.head_size..(head + 1) * self.head_size {
                    let mean = column_mean(&context[column..], width, &tokens);
                    for (x, mode) in
                        context[column..].iter_mut().step_by(width).zip(modes).filter(|(_, mode)| **mode != 0)
                    {
                        *x = if *mode == HeadAblation::Mean as u32 { mean } else { 0.0 };
                    }
                }
            }
        }
    }
}
