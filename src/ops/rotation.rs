//! Rotary position embedding of adjacent pairs, eq. 34. x: (batch, length, width), table: (length, head_size / 2, 2) of cos, sin.
//! On its own only where the unrotated projection is tapped; otherwise it is the product's epilogue.

use crate::plan::{Access, Binding, Dispatch, Input, Inputs, Kernel, Launch, Op, Plan, Shape, Sizes, Value, grid};

/// Which columns of a packed projection turn with their position: the first `rotated_columns`, in heads of `head_size`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rotary {
    pub head_size: usize,
    pub rotated_columns: usize,
}

struct Rotation {
    x: Value,
    width: usize,
    rotary: Rotary,
    y: Value,
}

impl Plan {
    /// Rotates the first `rotated_columns` of each row to its position. x: (batch, length, width).
    pub fn rotate(&mut self, x: Value, rotary: Rotary) -> Value {
        let shape = self.shape(x);
        self.check_rotary(shape, rotary);
        let width = shape.width().unwrap_or(0);
        let y = self.value(shape);
        self.step(Rotation { x, width, rotary, y });
        y
    }

    /// Fails the plan unless x is over tokens and its rotated columns are whole heads of an even size.
    pub(super) fn check_rotary(&mut self, shape: Shape, rotary: Rotary) {
        let Rotary { head_size, rotated_columns } = rotary;
        let whole_heads = head_size >= 2 && head_size.is_multiple_of(2) && rotated_columns.is_multiple_of(head_size);
        let fits = matches!(shape, Shape::Tokens { width } if width.is_multiple_of(2) && rotated_columns <= width);
        if !whole_heads || !fits {
            self.fail(
                "rotation",
                format!("x is {}, {rotated_columns} rotated columns, head size {head_size}", shape.describe()),
            );
        }
    }
}

/// Rotates one row in place to `position`. table: (length, head_size / 2, 2).
pub(super) fn rotate_row(row: &mut [f32], rotary: Rotary, position: usize, table: &[f32]) {
    let Rotary { head_size, rotated_columns } = rotary;
    let turns = &table[position * head_size..(position + 1) * head_size];
    for head in row[..rotated_columns].chunks_exact_mut(head_size) {
        for (pair, turn) in head.chunks_exact_mut(2).zip(turns.chunks_exact(2)) {
            let (x, y, cos, sin) = (pair[0], pair[1], turn[0], turn[1]);
            pair[0] = x * cos - y * sin;
            pair[1] = y * cos + x * sin;
        }
    }
}

impl Op for Rotation {
    fn name(&self) -> &'static str {
        "rotation"
    }

    fn reads(&self) -> Vec<Value> {
        vec![self.x]
    }

    fn writes(&self) -> Vec<Value> {
        vec![self.y]
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let y = &mut *outputs[0];
        y.copy_from_slice(inputs.value(self.x));
        let table = inputs.numbers(Input::RotaryTable);
        for (row, out) in y.chunks_exact_mut(self.width).enumerate() {
            rotate_row(out, self.rotary, row % sizes.length, table);
        }
    }

    fn dispatches(&self, _binding_limit: u64) -> Vec<Dispatch> {
        vec![Dispatch {
            kernel: Kernel {
                name: "rotation",
                source: include_str!("../../shaders/rotation.wgsl"),
                entry: "main",
                constants: Vec::new(),
                accesses: &[Access::Read, Access::Read, Access::ReadWrite],
            },
            bindings: vec![Binding::Value(self.x), Binding::Input(Input::RotaryTable), Binding::Value(self.y)],
        }]
    }

    fn launch(&self, _part: usize, sizes: Sizes, _binding_limit: u64) -> Launch {
        let Rotary { head_size, rotated_columns } = self.rotary;
        let (rows, pairs) = (sizes.tokens(), self.width / 2);
        Launch {
            workgroups: grid((rows * pairs).div_ceil(64)),
            parameters: [rows, pairs, sizes.length, head_size / 2, rotated_columns / 2]
                .map(|size| size as u32)
                .to_vec(),
        }
    }
}
