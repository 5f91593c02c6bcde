//! Scales columns of each token: queries by Su's log-n scaling of scores (kexue.fm/archives/8823), or ESM's embeddings.

use crate::kernels;
use crate::plan::{
    Cell, Derivation, Input, Inputs, Kernel, Launch, Op, Operand, PlanBuilder, Sizes, Use, Value, View, parameters,
};
use std::ops::Range;

struct ScaleTokens {
    of: View,
    by: Input,
}

impl PlanBuilder {
    /// Multiplies the view's columns of each token by the token's number in `by`, in place. The view is of a value over tokens.
    pub fn scale_tokens(&mut self, of: View, by: Input) {
        if !matches!(of.operand, Operand::Value(_)) || !self.contains(of) {
            return self.fail("token_scale", format!("rows are {}", of.describe()));
        }
        self.step(ScaleTokens { of, by });
    }
}

impl Op for ScaleTokens {
    fn uses(&self) -> Vec<Use> {
        vec![Use::read("scales", self.by), Use::change("rows", self.of.operand)]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("token_scale/token_scale")
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let (width, View { first, stride, .. }) = (self.of.width(), self.of);
        let elements = sizes.tokens() * width;
        let params = parameters! {
            elements: u32 = elements,
            width: u32 = width,
            first: u32 = first,
            stride: u32 = stride,
        };
        Launch::for_elements(elements, params)
    }

    fn run(&self, _chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        let columns = self.of.first..self.of.first + self.of.width();
        let scales = inputs.numbers(self.by);
        for (row, scale) in outputs[0].chunks_exact_mut(self.of.stride).zip(scales) {
            kernels::scale(&mut row[columns.clone()], *scale);
        }
    }

    fn derive(&self, value: Value, row: usize, column: usize) -> Option<Derivation> {
        let x = Derivation::value("x", value, row, column);
        let is_scaled = (self.of.first..self.of.first + self.of.width()).contains(&column);
        let scale = Derivation::Cell("scale", Cell::Input { input: self.by, token: row });
        Some(x.times(is_scaled.then_some(scale)))
    }
}
