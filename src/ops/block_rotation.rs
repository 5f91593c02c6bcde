//! Rotary position embedding by stored matrices: y_m = R_m x_m with one block-diagonal matrix a position (eq. 15). The paper's eq. 34 computes
//! the same from two numbers a pair; this op exists to be measured against it.

use crate::kernels::gemm_transposed;
use crate::plan::{ByParts, Inputs, Kernel, Launch, Op, PlanBuilder, Sizes, Use, Value, Weight, parameters};
use std::ops::Range;

struct BlockRotation {
    x: Value,
    heads: usize,
    matrices: Weight,
    y: Value,
}

impl PlanBuilder {
    /// Rotates every head of each token to its position. x: (batch, length, heads · head_size); matrices: (positions · head_size,
    /// head_size), R_0, then R_1 and so on, with at least as many positions as the capacity's length.
    pub fn rotate_by_blocks(&mut self, x: Value, matrices: Weight) -> Value {
        let shape = self.shape(x);
        let (width, size) = (shape.fixed_width().unwrap_or(0), matrices.columns);
        if !shape.is_tokens() || size == 0 || !width.is_multiple_of(size) || !matrices.rows.is_multiple_of(size) {
            let Weight { rows, columns, .. } = matrices;
            self.fail("block_rotation", format!("x is {}, the matrices are ({rows}, {columns})", shape.describe()));
        }
        let y = self.value(shape);
        self.step(BlockRotation { x, heads: width / size.max(1), matrices, y });
        y
    }
}

parameters! {
    struct Params {
        batch: u32,
        length: u32,
        heads: u32,
        head_size: u32,
        first_row: u32,
        rows: u32,
    }
}

impl Op for BlockRotation {
    fn name(&self) -> &'static str {
        "block_rotation"
    }

    fn uses(&self) -> Vec<Use> {
        vec![Use::read(self.x), Use::read(self.matrices), Use::write(self.y)]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("block_rotation/block_rotation")
    }

    fn split(&self) -> Option<Weight> {
        Some(self.matrices)
    }

    fn launch(&self, rows: Range<usize>, sizes: Sizes) -> Launch {
        let numbers = rows.len() * sizes.batch * self.heads;
        let params = Params {
            batch: sizes.batch as u32,
            length: sizes.length as u32,
            heads: self.heads as u32,
            head_size: self.matrices.columns as u32,
            first_row: rows.start as u32,
            rows: rows.len() as u32,
        };
        Launch::for_elements(numbers, params)
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        self.run_parts(0..self.parts(sizes), inputs, outputs, sizes);
    }

    fn by_parts(&self) -> Option<&dyn ByParts> {
        Some(self)
    }
}

/// A part: a token.
impl ByParts for BlockRotation {
    fn parts(&self, sizes: Sizes) -> usize {
        sizes.tokens()
    }

    fn work(&self, _sizes: Sizes) -> usize {
        self.heads * self.matrices.columns * self.matrices.columns
    }

    fn run_parts(&self, parts: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let size = self.matrices.columns;
        let width = self.heads * size;
        let (x, matrices) = (inputs.value(self.x), inputs.weight(self.matrices));
        for token in parts {
            let matrix = &matrices[token % sizes.length * size * size..][..size * size];
            let (x, y) = (&x[token * width..][..width], &mut outputs[0][token * width..][..width]);
            gemm_transposed(y, x, matrix, [self.heads, size, size]);
        }
    }
}
