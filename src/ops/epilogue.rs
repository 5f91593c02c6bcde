//! The epilogue of a GEMM, `shaders/gemm/epilogue.wgsl`: bias, then a rotation, an activation or a gate, then a residual.

use super::rotation::{Rotary, cos_sin};
use crate::kernels::{Activation, Format, LinearEpilogue, add, for_each_row, gate, rotate};
use crate::plan::{
    Derivation, Function, Input, Inputs, Kernel, Launch, LinearCell, Sizes, State, Use, Value, Weight, first_row,
    parameters, pitch,
};
use std::ops::Range;

/// The time on the CPU of a number of a gate, in multiply-adds.
const GATE_COST: usize = 16;

/// The time on the CPU of a number of a rotation, in multiply-adds.
const ROTATION_COST: usize = 4;

/// The operation of a linear layer on its sums, after the bias and before it stores them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Epilogue {
    None,
    /// Rotates queries and keys to their positions, eq. 34. x must have a row per token.
    Rotate(Rotary),
    Activate(Activation),
    /// Adds a residual with the shape of y.
    Add(Value),
    /// activation(gate) · up for each pair of adjacent columns (gate, up). y has half the columns.
    Gate(Activation),
    /// Rotates queries and keys if there is a rope, and appends the last columns to a KV cache. y has the first columns.
    Append(Append),
}

/// Columns of a projection that are rows of a KV cache.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Append {
    /// As in [`Epilogue::Rotate`].
    pub rotary: Option<Rotary>,
    /// (batch, cache capacity, columns from `first` on)
    pub to: State,
    /// The first column that is appended.
    pub first: usize,
    /// Columns of y.
    pub columns: usize,
}

/// The output of a GEMM, and the epilogue of its sums. y: (rows, columns); with a gate (rows, columns / 2).
pub(super) struct GemmOutput {
    pub columns: usize,
    pub bias: Option<Weight>,
    pub epilogue: Epilogue,
    pub y: Value,
}

impl GemmOutput {
    fn residual(&self) -> Option<Value> {
        match self.epilogue {
            Epilogue::Add(residual) => Some(residual),
            _ => None,
        }
    }

    fn rotary(&self) -> Option<Rotary> {
        match self.epilogue {
            Epilogue::Rotate(rotary) => Some(rotary),
            Epilogue::Append(append) => append.rotary,
            _ => None,
        }
    }

    pub fn append(&self) -> Option<Append> {
        match self.epilogue {
            Epilogue::Append(append) => Some(append),
            _ => None,
        }
    }

    /// The kernel with the conditions of `shaders/gemm/epilogue.wgsl`. out_fours: whether it writes four columns at a time.
    pub fn with_conditions(&self, kernel: Kernel, out_fours: bool) -> Kernel {
        let append = self.append();
        kernel
            .when("out_fours", out_fours)
            .when("appends", append.is_some())
            .when("f16_cache", append.is_some_and(|append| append.to.is_f16))
    }

    /// Columns of a row of y, or of y and a gate.
    fn stride(&self) -> usize {
        self.append().map_or(self.columns, |append| append.columns)
    }

    /// Whether y is written by four columns, and the cache, too.
    pub fn in_fours(&self) -> bool {
        let append = self.append().map_or(0, |append| append.first | append.columns);
        (self.columns | append).is_multiple_of(4) && self.gate_activation().is_none()
    }

    /// The operands of the GEMM, then those of the epilogue.
    pub fn uses(&self, operands: &[Use]) -> Vec<Use> {
        let own = [
            Use::read_if("bias", self.bias),
            match self.append() {
                Some(append) => Use::change("cache", append.to),
                None => Use::read_if("residual", self.residual()),
            },
            Use::read_if("table", self.rotary().map(|rotary| rotary.table())),
            Use::read_if("positions", self.rotary().map(|_| Input::Positions)),
            Use::write("y", self.y),
        ];
        [operands, &own].concat()
    }

    /// columns: of this slice of the weight. epsilon and lanes: of the GEMV, else not read.
    pub fn launch(
        &self,
        workgroups: usize,
        [rows, inner, slices]: [usize; 3],
        columns: Range<usize>,
        (epsilon, lanes): (f32, usize),
        sizes: Sizes,
    ) -> Launch {
        let (head_size, rotated) = self.rotary().map_or((0, 0), |rotary| (rotary.head_size, rotary.rotated_columns));
        let append = self.append();
        let (activation, gated) = match self.epilogue {
            Epilogue::Activate(activation) => (Some(activation), false),
            Epilogue::Gate(activation) => (Some(activation), true),
            _ => (None, false),
        };
        let params = parameters! {
            rows: u32 = rows,
            inner: u32 = inner,
            columns: u32 = columns.len(),
            first_column: u32 = columns.start,
            stride: u32 = self.stride(),
            head_size: u32 = head_size,
            rotated_columns: u32 = rotated,
            activation: u32 = Activation::code(activation),
            has_bias: u32 = self.bias.is_some(),
            has_residual: u32 = self.residual().is_some(),
            gated: u32 = gated,
            slices: u32 = slices,
            slice_steps: u32 = inner.div_ceil(Format::BLOCK).div_ceil(slices) * (Format::BLOCK / 4),
            slice_columns: u32 = self.columns / slices,
            epsilon: f32 = epsilon,
            lanes: u32 = lanes,
            first_appended: u32 = append.map_or(0, |append| append.first),
            cache_stride: u32 = append.map_or(0, |append| append.to.width),
            cache_pitch: u32 = append.map_or(0, |append| pitch(append.to.into(), sizes)),
            past: u32 = append.map_or(0, |append| first_row(append.to.into(), sizes)),
            length: u32 = sizes.length,
        };
        Launch::new(workgroups, params)
    }

    pub fn gate_activation(&self) -> Option<Activation> {
        match self.epilogue {
            Epilogue::Gate(activation) => Some(activation),
            _ => None,
        }
    }

    /// y = activation(gate) · up of sums + bias, on the CPU. sums: (rows, columns).
    pub fn gate(&self, inputs: &dyn Inputs, sums: &mut [f32], y: &mut [f32], activation: Activation) {
        let (columns, rows) = (self.columns, sums.len() / self.columns);
        if let Some(bias) = self.bias.map(|bias| inputs.weight(bias)) {
            for_each_row(sums, columns, columns, |_, row| add(row, bias));
        }
        let y = &mut y[..rows * columns / 2];
        for_each_row(y, columns / 2, GATE_COST * columns / 2, |row, out| {
            gate(out, &sums[row * columns..][..columns], activation);
        });
    }

    /// Divides rows of a projection between y and the cache, on the CPU. projected: (rows, columns). outputs: the cache, and y.
    pub fn append_rows(
        &self,
        append: Append,
        projected: &[f32],
        rows: Range<usize>,
        [cache, y]: [&mut [f32]; 2],
        sizes: Sizes,
    ) {
        for (row, columns) in rows.zip(projected.chunks_exact(self.columns)) {
            y[row * append.columns..][..append.columns].copy_from_slice(&columns[..append.columns]);
            let (sequence, token) = (row / sizes.length, row % sizes.length);
            let to = sequence * pitch(append.to.into(), sizes) + first_row(append.to.into(), sizes) + token;
            cache[to * append.to.width..][..append.to.width].copy_from_slice(&columns[append.first..]);
        }
    }

    /// The operations of the epilogue that the CPU's GEMM fuses, for rows from `first` on: all but a rotation and a gate.
    pub fn epilogue<'a>(&self, inputs: &'a dyn Inputs, first: usize) -> LinearEpilogue<'a> {
        let activation = if let Epilogue::Activate(activation) = self.epilogue { Some(activation) } else { None };
        let residual = self.residual().map(|residual| &inputs.value(residual)[first * self.columns..]);
        LinearEpilogue { bias: self.bias.map(|bias| inputs.weight(bias)), activation, residual }
    }

    /// How a number of y follows from the sums with their bias, `linear` of a column; `None` where the epilogue rotates.
    pub fn derive(&self, linear: impl Fn(usize) -> LinearCell, row: usize, column: usize) -> Option<Derivation> {
        let of = |column| Derivation::Linear(linear(column));
        match self.epilogue {
            Epilogue::None => Some(of(column)),
            Epilogue::Activate(activation) => Some(of(column).apply(Function::Activation(activation))),
            Epilogue::Add(residual) => Some(of(column).plus([Derivation::value("residual", residual, row, column)])),
            Epilogue::Gate(activation) => {
                let gate = of(2 * column).apply(Function::Activation(activation));
                Some(gate.times([of(2 * column + 1)]))
            }
            Epilogue::Rotate(_) | Epilogue::Append(_) => None,
        }
    }

    /// Rotates these rows if the epilogue is a rotation. y: (rows, columns).
    pub fn rotate(&self, inputs: &dyn Inputs, rows: Range<usize>, y: &mut [f32]) {
        let Some(rotary) = self.rotary() else { return };
        let (cos_sin, first) = (cos_sin(inputs, rotary), rows.start);
        let y = &mut y[..rows.len() * self.columns];
        for_each_row(y, self.columns, ROTATION_COST * rotary.rotated_columns, |row, out| {
            rotate(&mut out[..rotary.rotated_columns], cos_sin(first + row));
        });
    }
}
