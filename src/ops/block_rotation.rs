//! Rotary position embedding by stored matrices: y_m = R_m x_m with one block-diagonal matrix a position (eq. 15). The paper's eq. 34 computes
//! the same from two numbers a pair; this op exists to be measured against it.

use crate::kernels::gemm_transposed;
use crate::plan::{Chunks, Inputs, Kernel, Launch, Op, PlanBuilder, Sizes, Use, Value, Weight, parameters};
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

impl Op for BlockRotation {
    fn uses(&self) -> Vec<Use> {
        vec![Use::read("x", self.x), Use::read("matrices", self.matrices), Use::write("y", self.y)]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("block_rotation/block_rotation")
    }

    fn split(&self) -> Option<Weight> {
        Some(self.matrices)
    }

    fn launch(&self, rows: Range<usize>, sizes: Sizes) -> Launch {
        let numbers = rows.len() * sizes.batch * self.heads;
        let params = parameters! {
            batch: u32 = sizes.batch,
            length: u32 = sizes.length,
            heads: u32 = self.heads,
            head_size: u32 = self.matrices.columns,
            first_row: u32 = rows.start,
            rows: u32 = rows.len(),
        };
        Launch::for_elements(numbers, params)
    }

    /// A chunk: a token.
    fn chunks(&self, sizes: Sizes) -> Chunks {
        let count = sizes.tokens();
        let work = self.heads * self.matrices.columns * self.matrices.columns;
        Chunks { count, work }
    }

    fn run(&self, chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let size = self.matrices.columns;
        let width = self.heads * size;
        let (x, matrices) = (inputs.value(self.x), inputs.weight(self.matrices));
        for token in chunks {
            let matrix = &matrices[token % sizes.length * size * size..][..size * size];
            let (x, y) = (&x[token * width..][..width], &mut outputs[0][token * width..][..width]);
            gemm_transposed(y, x, matrix, [self.heads, size, size]);
        }
    }
}
