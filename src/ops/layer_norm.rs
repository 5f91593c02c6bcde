//! LayerNorm over the last axis: (x − mean) / √(variance + ε) · gain + shift, biased variance. x: (…, width).

use super::reduction::sum;
use crate::plan::{Access, Binding, Dispatch, Inputs, Kernel, Launch, Op, Plan, Sizes, Value, Weight, grid};

/// Gain and shift (width) of a LayerNorm, and its ε.
#[derive(Debug, Clone, Copy)]
pub struct LayerNormWeights {
    pub gain: Weight,
    pub shift: Weight,
    pub epsilon: f32,
}

struct LayerNorm {
    x: Value,
    weights: LayerNormWeights,
    y: Value,
    shape: crate::plan::Shape,
}

impl Plan {
    /// LayerNorm of each row. x: (…, width), gain and shift: (width).
    pub fn layer_norm(&mut self, x: Value, weights: &LayerNormWeights) -> Value {
        let shape = self.shape(x);
        if shape.width() != Some(weights.gain.columns) || weights.shift.columns != weights.gain.columns {
            self.fail(
                "layer_norm",
                format!(
                    "x is {}, gain and shift are ({}) and ({})",
                    shape.describe(),
                    weights.gain.columns,
                    weights.shift.columns
                ),
            );
        }
        let y = self.value(shape);
        self.step(LayerNorm { x, weights: *weights, y, shape });
        y
    }
}

/// LayerNorm of one row. row, gain, shift, out: (width).
pub(super) fn normalise(row: &[f32], gain: &[f32], shift: &[f32], epsilon: f32, out: &mut [f32]) {
    let width = row.len() as f32;
    let mean = sum(row, |x| x) as f32 / width;
    let variance = sum(row, |x| (x - mean) * (x - mean)) as f32 / width;
    let scale = 1.0 / (variance + epsilon).sqrt();
    for (((y, x), g), b) in out.iter_mut().zip(row).zip(gain).zip(shift) {
        *y = (x - mean) * scale * g + b;
    }
}

impl Op for LayerNorm {
    fn name(&self) -> &'static str {
        "layer_norm"
    }

    fn reads(&self) -> Vec<Value> {
        vec![self.x]
    }

    fn writes(&self) -> Vec<Value> {
        vec![self.y]
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        let width = self.weights.gain.columns;
        let (gain, shift) = (inputs.weight(self.weights.gain), inputs.weight(self.weights.shift));
        for (row, out) in inputs.value(self.x).chunks_exact(width).zip(outputs[0].chunks_exact_mut(width)) {
            normalise(row, gain, shift, self.weights.epsilon, out);
        }
    }

    fn dispatches(&self, _binding_limit: u64) -> Vec<Dispatch> {
        let weight = |weight| Binding::Weight { weight, part: 0 };
        vec![Dispatch {
            kernel: Kernel {
                name: "layer_norm",
                source: concat!(
                    include_str!("../../shaders/workgroup_sum.wgsl"),
                    include_str!("../../shaders/layer_norm.wgsl")
                ),
                entry: "main",
                constants: Vec::new(),
                accesses: &[Access::Read, Access::Read, Access::Read, Access::ReadWrite],
            },
            bindings: vec![
                Binding::Value(self.x),
                weight(self.weights.gain),
                weight(self.weights.shift),
                Binding::Value(self.y),
            ],
        }]
    }

    fn launch(&self, _part: usize, sizes: Sizes, _binding_limit: u64) -> Launch {
        let rows = self.shape.matrix_rows(sizes);
        let width = self.weights.gain.columns;
        Launch { workgroups: grid(rows), parameters: vec![rows as u32, width as u32, self.weights.epsilon.to_bits()] }
    }
}
