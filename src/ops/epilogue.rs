//! What a product does with its sums, `shaders/gemm/epilogue.wgsl`: bias, then rotation, an activation or a gate, then a residual.

use super::rotation::{Rotary, turns};
use crate::kernels::{Activation, LinearEpilogue, add, gate, rotate};
use crate::plan::{Input, Inputs, Launch, Use, Value, Weight, parameters};
use std::ops::Range;

/// What follows a product where its sums are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Epilogue {
    None,
    /// Rotates query and key to their positions, eq. 34; the product must be over tokens.
    Rotate(Rotary),
    Activate(Activation),
    /// Adds a value of the product's own shape.
    Add(Value),
    /// Of each pair of adjacent columns (gate, up) makes one: activation(gate) · up. Writes half the columns.
    Gate(Activation),
}

/// Of a product with so many columns, which writes y: (rows, columns), or half of them after a gate.
pub(super) struct Output {
    pub columns: usize,
    pub bias: Option<Weight>,
    pub epilogue: Epilogue,
    pub y: Value,
}

parameters! {
    struct Params {
        rows: u32,
        inner: u32,
        columns: u32,
        first_column: u32,
        stride: u32,
        head_size: u32,
        rotated_columns: u32,
        activation: u32,
        has_bias: u32,
        has_residual: u32,
        gates: u32,
        slices: u32,
        slice_steps: u32,
        slice_columns: u32,
        epsilon: f32,
    }
}

impl Output {
    fn residual(&self) -> Option<Value> {
        match self.epilogue {
            Epilogue::Add(residual) => Some(residual),
            _ => None,
        }
    }

    fn rotary(&self) -> Option<Rotary> {
        match self.epilogue {
            Epilogue::Rotate(rotary) => Some(rotary),
            _ => None,
        }
    }

    /// Bindings of these operands and its own.
    pub fn uses(&self, operands: &[Use]) -> Vec<Use> {
        let own = [
            Use::read_if(self.bias),
            Use::read_if(self.residual()),
            Use::read_if(self.rotary().map(|rotary| rotary.table())),
            Use::read_if(self.rotary().map(|_| Input::Positions)),
            Use::write(self.y),
        ];
        [operands, &own].concat()
    }

    /// So many workgroups for a product with these rows and inner size, of these columns, and so many slices of the inner axis; ε of a
    /// norm on the way.
    pub fn launch(
        &self,
        workgroups: usize,
        [rows, inner, slices]: [usize; 3],
        columns: Range<usize>,
        epsilon: f32,
    ) -> Launch {
        let (head_size, rotated) = self.rotary().map_or((0, 0), |rotary| (rotary.head_size, rotary.rotated_columns));
        let (activation, gates) = match self.epilogue {
            Epilogue::Activate(activation) => (Some(activation), false),
            Epilogue::Gate(activation) => (Some(activation), true),
            _ => (None, false),
        };
        let params = Params {
            rows: rows as u32,
            inner: inner as u32,
            columns: columns.len() as u32,
            first_column: columns.start as u32,
            stride: self.columns as u32,
            head_size: head_size as u32,
            rotated_columns: rotated as u32,
            activation: Activation::code(activation) as u32,
            has_bias: u32::from(self.bias.is_some()),
            has_residual: u32::from(self.residual().is_some()),
            gates: u32::from(gates),
            slices: slices as u32,
            slice_steps: inner.div_ceil(4).div_ceil(slices) as u32,
            slice_columns: (self.columns / slices) as u32,
            epsilon,
        };
        Launch::new(workgroups, params)
    }

    /// The activation of a gate, which writes half the columns.
    pub fn gates(&self) -> Option<Activation> {
        match self.epilogue {
            Epilogue::Gate(activation) => Some(activation),
            _ => None,
        }
    }

    /// activation(gate) · up of sums, (rows, columns), on the CPU.
    pub fn gate(&self, inputs: &dyn Inputs, sums: &mut [f32], y: &mut [f32], activation: Activation) {
        let bias = self.bias.map(|bias| inputs.weight(bias));
        for (row, out) in sums.chunks_exact_mut(self.columns).zip(y.chunks_exact_mut(self.columns / 2)) {
            if let Some(bias) = bias {
                add(row, bias);
            }
            gate(out, row, activation);
        }
    }

    /// What follows in the product itself, from this row on: all but rotations and gates.
    pub fn epilogue<'a>(&self, inputs: &'a dyn Inputs, first: usize) -> LinearEpilogue<'a> {
        let activation = if let Epilogue::Activate(activation) = self.epilogue { Some(activation) } else { None };
        let residual = self.residual().map(|residual| &inputs.value(residual)[first * self.columns..]);
        LinearEpilogue { bias: self.bias.map(|bias| inputs.weight(bias)), activation, residual }
    }

    /// Rotates these rows, (rows, columns), where a rotation follows.
    pub fn rotate(&self, inputs: &dyn Inputs, rows: Range<usize>, y: &mut [f32]) {
        let Some(rotary) = self.rotary() else { return };
        let turns = turns(inputs, rotary);
        for (row, out) in rows.zip(y.chunks_exact_mut(self.columns)) {
            rotate(&mut out[..rotary.rotated_columns], turns(row));
        }
    }

    /// What follows the sums of these rows, in their place, where it is no gate: (rows, columns).
    pub fn apply(&self, inputs: &dyn Inputs, rows: Range<usize>, y: &mut [f32]) {
        self.epilogue(inputs, rows.start).apply(y, self.columns);
        self.rotate(inputs, rows, y);
    }
}
