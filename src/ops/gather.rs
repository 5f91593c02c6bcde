//! Gathers the prediction rows: (batch, length, width) → (rows, width).

use crate::plan::{Input, Inputs, Kernel, Launch, Op, PlanBuilder, Shape, Sizes, Use, Value, parameters};
use std::ops::Range;

struct Gather {
    x: Value,
    width: usize,
    y: Value,
}

impl PlanBuilder {
    /// Rows of `x` at the run's row indices. x: (batch, length, width).
    pub fn gather(&mut self, x: Value) -> Value {
        let shape = self.shape(x);
        let Some(width) = shape.fixed_width().filter(|_| shape.is_tokens()) else {
            self.fail("gather", format!("x is {}, expected (batch, length, width)", shape.describe()));
            return x;
        };
        let y = self.value(Shape::rows(width));
        self.step(Gather { x, width, y });
        y
    }
}

impl Op for Gather {
    fn uses(&self) -> Vec<Use> {
        vec![Use::read("x", self.x), Use::read("rows", Input::RowIndices), Use::write("y", self.y)]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("gather/gather")
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        Launch::new(sizes.rows, parameters! { rows: u32 = sizes.rows, width: u32 = self.width })
    }

    fn run(&self, _chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        let x = inputs.value(self.x);
        for (row, out) in inputs.indices(Input::RowIndices).iter().zip(outputs[0].chunks_exact_mut(self.width)) {
            let start = *row as usize * self.width;
            out.copy_from_slice(&x[start..start + self.width]);
        }
    }
}
