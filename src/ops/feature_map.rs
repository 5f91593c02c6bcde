//! φ(x) = elu(x) + 1 of queries and keys (Katharopoulos et al. 2020): positive, so that linear attention has a denominator.

use crate::kernels::feature_map;
use crate::plan::{Derivation, Function, Inputs, Kernel, Launch, Op, PlanBuilder, Sizes, Use, Value, parameters};
use std::ops::Range;

struct FeatureMap {
    x: Value,
    width: usize,
    mapped: usize,
    y: Value,
}

impl PlanBuilder {
    /// φ of columns 0 .. mapped; the others are copied. x: (batch, length, width).
    pub fn feature_map(&mut self, x: Value, mapped: usize) -> Value {
        let shape = self.shape(x);
        let width = shape.fixed_width().unwrap_or(0);
        if !shape.is_tokens() || mapped > width {
            self.fail("feature_map", format!("x is {}, {mapped} columns are mapped", shape.describe()));
        }
        let y = self.value(shape);
        self.step(FeatureMap { x, width, mapped, y });
        y
    }
}

impl Op for FeatureMap {
    fn uses(&self) -> Vec<Use> {
        vec![Use::read("x", self.x), Use::write("y", self.y)]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("feature_map/feature_map")
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let elements = sizes.tokens() * self.width;
        let params = parameters! {
            elements: u32 = elements,
            width: u32 = self.width,
            mapped_columns: u32 = self.mapped,
        };
        Launch::for_elements(elements, params)
    }

    fn run(&self, _chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        outputs[0].copy_from_slice(inputs.value(self.x));
        outputs[0].chunks_exact_mut(self.width).for_each(|row| feature_map(&mut row[..self.mapped]));
    }

    fn derive(&self, _value: Value, row: usize, column: usize) -> Option<Derivation> {
        let x = Derivation::value("x", self.x, row, column);
        Some(if column < self.mapped { x.apply(Function::FeatureMap) } else { x })
    }
}
