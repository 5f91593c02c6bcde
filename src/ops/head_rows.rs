//! Query and key rows of the chosen head, (2, length, head_size), copied out of the packed projection to be read back.

use super::Attention;
use crate::plan::{Access, Binding, Dispatch, Inputs, Kernel, Launch, Op, Plan, Shape, Sizes, Value, grid};

struct HeadRows {
    projected: Value,
    attention: Attention,
    rows: Value,
}

impl Plan {
    /// Rows of the chosen head where `layer` is the chosen layer; first sequence only. projected: (batch, length, 3 · hidden_size).
    /// All layers may share one `rows` value, since only one of them runs.
    pub fn head_rows(&mut self, layer: usize, projected: Value, attention: Attention, rows: Value) {
        let expected = Shape::Tokens { width: 3 * attention.heads * attention.head_size };
        let head = Shape::Head { head_size: attention.head_size };
        for (name, found, expected) in
            [("projected is", self.shape(projected), expected), ("rows are", self.shape(rows), head)]
        {
            if found != expected {
                self.fail("head_rows", format!("{name} {}, expected {}", found.describe(), expected.describe()));
            }
        }
        self.selection_step(layer, HeadRows { projected, attention, rows });
    }
}

impl Op for HeadRows {
    fn name(&self) -> &'static str {
        "head_rows"
    }

    fn reads(&self) -> Vec<Value> {
        vec![self.projected]
    }

    fn writes(&self) -> Vec<Value> {
        vec![self.rows]
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let Attention { heads, head_size, .. } = self.attention;
        let projected = inputs.value(self.projected);
        for (row, out) in outputs[0].chunks_exact_mut(head_size).enumerate() {
            let (third, position) = (row / sizes.length, row % sizes.length);
            let source = ((position * 3 + third) * heads + sizes.head) * head_size;
            out.copy_from_slice(&projected[source..source + head_size]);
        }
    }

    fn dispatches(&self, _binding_limit: u64) -> Vec<Dispatch> {
        vec![Dispatch {
            kernel: Kernel {
                name: "head_rows",
                source: include_str!("../../shaders/head_rows.wgsl"),
                entry: "main",
                constants: Vec::new(),
                accesses: &[Access::Read, Access::ReadWrite],
            },
            bindings: vec![Binding::Value(self.projected), Binding::Value(self.rows)],
        }]
    }

    fn launch(&self, _part: usize, sizes: Sizes, _binding_limit: u64) -> Launch {
        let Attention { heads, head_size, .. } = self.attention;
        Launch {
            workgroups: grid(2 * sizes.length),
            parameters: vec![sizes.length as u32, heads as u32, head_size as u32, sizes.head as u32],
        }
    }
}
