//! Norms over the last axis, x: (…, width). LayerNorm: (x − mean) / √(variance + ε) · gain + shift, biased variance.
//! RMS norm: x / √(mean of squares + ε) · gain (Hugging Face's `LlamaRMSNorm`).

use crate::kernels::sum;
use crate::plan::{Inputs, Kernel, Launch, Op, Plan, Sizes, Use, Value, Weight};
use std::ops::Range;

/// What is taken off and divided by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Mean, and standard deviation.
    Layer,
    /// Nothing, and root mean square.
    RootMeanSquare,
}

/// Gain and shift (width) of a norm, where it has them, and its ε.
#[derive(Debug, Clone, Copy)]
pub struct NormWeights {
    pub kind: Kind,
    pub gain: Option<Weight>,
    pub shift: Option<Weight>,
    pub epsilon: f32,
}

struct Norm {
    x: Value,
    width: usize,
    weights: NormWeights,
    y: Value,
    shape: crate::plan::Shape,
}

impl Plan {
    /// The norm of each row. x: (…, width), gain and shift: (width).
    pub fn norm(&mut self, x: Value, weights: &NormWeights) -> Value {
        let shape = self.shape(x);
        let width = shape.fixed_width().unwrap_or(0);
        let fits = |weight: Option<Weight>| weight.is_none_or(|weight| weight.columns == width);
        if shape.fixed_width().is_none() || !fits(weights.gain) || !fits(weights.shift) {
            let columns = |weight: Option<Weight>| weight.map_or("none".into(), |weight| weight.columns.to_string());
            let (gain, shift) = (columns(weights.gain), columns(weights.shift));
            self.fail("norm", format!("x is {}, gain and shift are ({gain}) and ({shift})", shape.describe()));
        }
        let y = self.value(shape);
        self.step(Norm { x, width, weights: *weights, y, shape });
        y
    }
}

impl NormWeights {
    /// Whether the mean is taken off: the shaders' `centres`.
    pub(super) fn centres(&self) -> f64 {
        if self.kind == Kind::Layer { 1.0 } else { 0.0 }
    }

    /// The norm of one row. row, out: (width).
    pub(super) fn apply(&self, inputs: &dyn Inputs, row: &[f32], out: &mut [f32]) {
        let width = row.len() as f32;
        let mean = if self.kind == Kind::Layer { sum(row, |x| x) as f32 / width } else { 0.0 };
        let squares = sum(row, |x| (x - mean) * (x - mean)) as f32 / width;
        let scale = 1.0 / (squares + self.epsilon).sqrt();
        for (y, x) in out.iter_mut().zip(row) {
            *y = (x - mean) * scale;
        }
        if let Some(gain) = self.gain {
            out.iter_mut().zip(inputs.weight(gain)).for_each(|(y, gain)| *y *= gain);
        }
        if let Some(shift) = self.shift {
            out.iter_mut().zip(inputs.weight(shift)).for_each(|(y, shift)| *y += shift);
        }
    }
}

impl Op for Norm {
    fn name(&self) -> &'static str {
        "norm"
    }

    fn uses(&self) -> Vec<Use> {
        let NormWeights { gain, shift, .. } = self.weights;
        vec![Use::read(self.x), Use::read_if(gain), Use::read_if(shift), Use::write(self.y)]
    }

    fn kernel(&self) -> Kernel {
        let has = |weight: Option<Weight>| if weight.is_some() { 1.0 } else { 0.0 };
        Kernel {
            name: "norm",
            source: concat!(shader!("workgroup_sum"), shader!("norm")),
            entry: "main",
            constants: vec![
                ("centres", self.weights.centres()),
                ("has_gain", has(self.weights.gain)),
                ("has_shift", has(self.weights.shift)),
            ],
        }
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let rows = self.shape.matrix_rows(sizes) as usize;
        Launch::new(rows, &[rows, self.width]).and(self.weights.epsilon)
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        for (row, out) in inputs.value(self.x).chunks_exact(self.width).zip(outputs[0].chunks_exact_mut(self.width)) {
            self.weights.apply(inputs, row, out);
        }
    }
}
