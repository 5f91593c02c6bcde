//! What heads give, replaced before the output projection: by zero, or by its mean over the tokens of the same sequence.

use crate::kernels::average;
use crate::plan::{HeadFate, Input, Inputs, Kernel, Launch, Op, Plan, Sizes, Use, Value, parameters};
use std::ops::Range;

/// What becomes of one layer's heads: numbers `first` .. of a table for all layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeadTable {
    pub input: Input,
    pub first: usize,
    pub heads: usize,
}

struct Replace {
    context: Value,
    table: HeadTable,
    head_size: usize,
}

impl Plan {
    /// Replaces contexts in place as the table says, see [`HeadFate`]. context: (batch, length, heads · head size). A mean is over
    /// the tokens of the run that are no padding, later ones included.
    pub fn replace_heads(&mut self, context: Value, table: HeadTable) {
        let shape = self.shape(context);
        let width = shape.fixed_width().filter(|width| shape.is_tokens() && width.is_multiple_of(table.heads.max(1)));
        let Some(width) = width.filter(|_| table.heads > 0) else {
            return self.fail("head_fates", format!("contexts are {}, of {} heads", shape.describe(), table.heads));
        };
        self.step(Replace { context, table, head_size: width / table.heads });
    }
}

parameters! {
    struct Params {
        sequence_heads: u32,
        heads: u32,
        head_size: u32,
        length: u32,
        past: u32,
        first_fate: u32,
    }
}

impl Op for Replace {
    fn name(&self) -> &'static str {
        "head_fates"
    }

    fn uses(&self) -> Vec<Use> {
        vec![Use::read(self.table.input), Use::read(Input::KeyMask), Use::change(self.context)]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("head_fates/head_fates")
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let HeadTable { first, heads, .. } = self.table;
        let workgroups = sizes.batch * heads;
        let params = Params {
            sequence_heads: workgroups as u32,
            heads: heads as u32,
            head_size: self.head_size as u32,
            length: sizes.length as u32,
            past: sizes.past as u32,
            first_fate: first as u32,
        };
        Launch::new(workgroups, params)
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let HeadTable { input, first, heads } = self.table;
        let (length, width) = (sizes.length, heads * self.head_size);
        let mask = inputs.numbers(Input::KeyMask).chunks_exact(sizes.keys());
        for (context, mask) in outputs[0].chunks_exact_mut(length * width).zip(mask) {
            let kept: Vec<bool> = mask[sizes.past..].iter().map(|added| *added == 0.0).collect();
            for (head, fate) in inputs.indices(input)[first..first + heads].iter().enumerate() {
                let columns = head * self.head_size..(head + 1) * self.head_size;
                match *fate {
                    0 => {}
                    fate if fate == HeadFate::Mean as u32 => {
                        columns.for_each(|column| average(&mut context[column..], width, &kept));
                    }
                    _ => context.chunks_exact_mut(width).for_each(|row| row[columns.clone()].fill(0.0)),
                }
            }
        }
    }
}
