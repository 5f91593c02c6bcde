//! Copies the prediction rows out of all tokens: (batch, length, width) → (rows, width).

use crate::plan::{Access, Binding, Dispatch, Input, Inputs, Kernel, Launch, Op, Plan, Shape, Sizes, Value, grid};

struct Gather {
    x: Value,
    width: usize,
    y: Value,
}

impl Plan {
    /// Rows of `x` at the run's row indices. x: (batch, length, width).
    pub fn gather(&mut self, x: Value) -> Value {
        let shape = self.shape(x);
        let Shape::Tokens { width } = shape else {
            self.fail("gather", format!("x is {}, expected (batch, length, width)", shape.describe()));
            return x;
        };
        let y = self.value(Shape::Rows { width });
        self.step(Gather { x, width, y });
        y
    }
}

impl Op for Gather {
    fn name(&self) -> &'static str {
        "gather"
    }

    fn reads(&self) -> Vec<Value> {
        vec![self.x]
    }

    fn writes(&self) -> Vec<Value> {
        vec![self.y]
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        let x = inputs.value(self.x);
        for (row, out) in inputs.indices(Input::RowIndices).iter().zip(outputs[0].chunks_exact_mut(self.width)) {
            let start = *row as usize * self.width;
            out.copy_from_slice(&x[start..start + self.width]);
        }
    }

    fn dispatches(&self, _binding_limit: u64) -> Vec<Dispatch> {
        vec![Dispatch {
            kernel: Kernel {
                name: "gather",
                source: include_str!("../../shaders/gather.wgsl"),
                entry: "main",
                constants: Vec::new(),
                accesses: &[Access::Read, Access::Read, Access::ReadWrite],
            },
            bindings: vec![Binding::Value(self.x), Binding::Input(Input::RowIndices), Binding::Value(self.y)],
        }]
    }

    fn launch(&self, _part: usize, sizes: Sizes, _binding_limit: u64) -> Launch {
        Launch { workgroups: grid(sizes.rows), parameters: vec![sizes.rows as u32, self.width as u32] }
    }
}
