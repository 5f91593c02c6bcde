//! Norms over the last axis. LayerNorm: (x − mean) / √(variance + ε) · gain + shift, with the biased variance. RMS norm:
//! x / √(mean of squares + ε) · gain (Hugging Face's `LlamaRMSNorm`). A residual may be added to the result.

use crate::kernels::{self, normalise_rows};
use crate::plan::{
    Derivation, Inputs, Kernel, Launch, NormCell, Op, PlanBuilder, Sizes, Use, Value, Weight, parameters,
};
use std::ops::Range;

/// A kind of norm, by the number that it subtracts from x and the number that it divides by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NormKind {
    /// LayerNorm: the mean, and the standard deviation.
    Layer,
    /// RMS norm: nothing, and the root mean square.
    Rms,
}

/// A norm's gain and shift, (width) each, and its ε.
#[derive(Debug, Clone, Copy)]
pub struct NormWeights {
    pub kind: NormKind,
    pub gain: Option<Weight>,
    pub shift: Option<Weight>,
    pub epsilon: f32,
}

/// The input of a linear layer: a value, or its norm. The layer computes the norm itself where it can, so no other op can read the result.
#[derive(Debug, Clone, Copy)]
pub struct LinearInput {
    pub(super) x: Value,
    pub(super) norm: Option<NormWeights>,
}

impl From<Value> for LinearInput {
    fn from(x: Value) -> Self {
        Self { x, norm: None }
    }
}

struct Norm {
    x: Value,
    width: usize,
    weights: NormWeights,
    residual: Option<Value>,
    y: Value,
    shape: crate::plan::Shape,
}

impl PlanBuilder {
    /// The norm of each row. x: (…, width), gain and shift: (width).
    pub fn norm(&mut self, x: Value, weights: &NormWeights) -> Value {
        self.norm_and(x, weights, None)
    }

    /// The norm of each row plus a residual with the shape of x.
    pub fn norm_onto(&mut self, x: Value, weights: &NormWeights, residual: Value) -> Value {
        self.norm_and(x, weights, Some(residual))
    }

    fn norm_and(&mut self, x: Value, weights: &NormWeights, residual: Option<Value>) -> Value {
        let shape = self.shape(x);
        let width = shape.fixed_width().unwrap_or(0);
        let fits = |weight: Option<Weight>| weight.is_none_or(|weight| weight.columns == width);
        if shape.fixed_width().is_none() || !fits(weights.gain) || !fits(weights.shift) {
            let columns = |weight: Option<Weight>| weight.map_or("none".into(), |weight| weight.columns.to_string());
            let (gain, shift) = (columns(weights.gain), columns(weights.shift));
            self.fail("norm", format!("x is {}, gain and shift are ({gain}) and ({shift})", shape.describe()));
        }
        if residual.is_some_and(|residual| self.shape(residual) != shape) {
            self.fail("norm", format!("the residual is not {}, as x is", shape.describe()));
        }
        let y = self.value(shape);
        self.step(Norm { x, width, weights: *weights, residual, y, shape });
        y
    }
}

impl NormWeights {
    /// The norm of x, read by a linear layer only.
    pub fn of(self, x: Value) -> LinearInput {
        LinearInput { x, norm: Some(self) }
    }

    /// Whether the mean is subtracted: `centres` of shaders.
    pub fn centres(&self) -> bool {
        self.kind == NormKind::Layer
    }

    /// The norm with its weights, for the CPU.
    pub(super) fn filled<'a>(&self, inputs: &'a dyn Inputs) -> kernels::Norm<'a> {
        let of = |weight: Option<Weight>| weight.map(|weight| inputs.weight(weight));
        kernels::Norm { centres: self.centres(), gain: of(self.gain), shift: of(self.shift), epsilon: self.epsilon }
    }
}

impl Op for Norm {
    fn uses(&self) -> Vec<Use> {
        let NormWeights { gain, shift, .. } = self.weights;
        vec![
            Use::read("x", self.x),
            Use::read_if("gain", gain),
            Use::read_if("shift", shift),
            Use::read_if("residual", self.residual),
            Use::write("y", self.y),
        ]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("norm/norm")
            .when("whole_fours", self.width.is_multiple_of(4))
            .set("centres", self.weights.centres())
            .set("has_gain", self.weights.gain.is_some())
            .set("has_shift", self.weights.shift.is_some())
            .set("has_residual", self.residual.is_some())
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let rows = self.shape.matrix_rows(sizes) as usize;
        let params = parameters! {
            rows: u32 = rows,
            width: u32 = self.width,
            epsilon: f32 = self.weights.epsilon,
        };
        Launch::new(rows, params)
    }

    fn run(&self, _chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        let residual = self.residual.map(|residual| inputs.value(residual));
        let norm = self.weights.filled(inputs);
        normalise_rows(outputs[0], inputs.value(self.x), residual, self.width, &norm);
    }

    fn derive(&self, _value: Value, row: usize, column: usize) -> Option<Derivation> {
        let Self { x, width, weights, residual, .. } = *self;
        let NormWeights { gain, shift, epsilon, .. } = weights;
        let norm = NormCell { x, width, gain, shift, centres: weights.centres(), epsilon, row, column };
        Some(Derivation::Norm(norm).plus(residual.map(|residual| Derivation::value("residual", residual, row, column))))
    }
}
