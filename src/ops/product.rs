//! The matrix product of a linear layer and what is fused behind it: y = epilogue(x Wᵀ + b). x: (…, inner) → (…, columns).

use super::Activation;
use super::matrix::{Matrix, multiply};
use super::rotation::{Rotary, rotate_row};
use super::row_products::multiply_rows;
use crate::plan::{Access, Binding, Dispatch, Input, Inputs, Kernel, Launch, Op, Plan, Shape, Sizes, Value, Weight};

/// A linear layer as PyTorch stores it. weight: (columns, inner), bias: (columns).
#[derive(Debug, Clone, Copy)]
pub struct LinearWeights {
    pub weight: Weight,
    pub bias: Option<Weight>,
}

/// What follows a product in the same dispatch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Epilogue {
    None,
    /// Rotates query and key to their positions, eq. 34; the product must be over tokens.
    Rotate(Rotary),
    Activate(Activation),
    /// Adds a value of the product's own shape.
    Add(Value),
}

struct Product {
    x: Value,
    shape: Shape,
    weights: LinearWeights,
    epilogue: Epilogue,
    y: Value,
}

/// Rows and columns of the tile that one workgroup makes: `TILE` of `shaders/product.wgsl`.
const TILE: usize = 32;

/// How many rows of x are multiplied by the weight as it lies. In WASM that is quicker than packing it, but for one row;
/// natively the packed product has wider vectors.
const UNPACKED: std::ops::Range<usize> = if cfg!(target_arch = "wasm32") { 2..usize::MAX } else { 0..0 };

impl Plan {
    /// y = epilogue(x Wᵀ + b). x: (…, inner), weight: (columns, inner), bias: (columns), y: (…, columns).
    pub fn linear(&mut self, x: Value, weights: &LinearWeights, epilogue: Epilogue) -> Value {
        let shape = self.shape(x);
        let Weight { rows: columns, columns: inner, .. } = weights.weight;
        let fits = shape.width() == Some(inner) && weights.bias.is_none_or(|bias| bias.columns == columns);
        let Some(out) = shape.with_width(columns).filter(|_| fits) else {
            let bias = weights.bias.map_or("none".into(), |bias| format!("({})", bias.columns));
            self.fail(
                "linear",
                format!("x is {}, the weight is ({columns}, {inner}), the bias is {bias}", shape.describe()),
            );
            return x;
        };
        match epilogue {
            Epilogue::Add(residual) if self.shape(residual) != out => {
                self.fail(
                    "linear",
                    format!("y is {}, the residual is {}", out.describe(), self.shape(residual).describe()),
                );
            }
            Epilogue::Rotate(rotary) => self.check_rotary(out, rotary),
            _ => {}
        }
        let y = self.value(out);
        self.step(Product { x, shape, weights: *weights, epilogue, y });
        y
    }
}

impl Product {
    /// Columns of x, and columns of y.
    fn sizes(&self) -> (usize, usize) {
        (self.weights.weight.columns, self.weights.weight.rows)
    }
}

impl Op for Product {
    fn name(&self) -> &'static str {
        "product"
    }

    fn reads(&self) -> Vec<Value> {
        match self.epilogue {
            Epilogue::Add(residual) => vec![self.x, residual],
            _ => vec![self.x],
        }
    }

    fn writes(&self) -> Vec<Value> {
        vec![self.y]
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let (rows, (inner, columns)) = (self.shape.matrix_rows(sizes), self.sizes());
        let y = &mut *outputs[0];
        let (x, weight, shape) = (inputs.value(self.x), inputs.weight(self.weights.weight), [rows, inner, columns]);
        if UNPACKED.contains(&rows) {
            multiply_rows(y, x, weight, shape);
        } else {
            multiply(y, columns, Matrix::rows(x, inner), Matrix::transposed(weight, inner), shape, 1.0);
        }
        let bias = self.weights.bias.map(|bias| inputs.weight(bias));
        let residual = match self.epilogue {
            Epilogue::Add(residual) => Some(inputs.value(residual)),
            _ => None,
        };
        for (row, out) in y.chunks_exact_mut(columns).enumerate() {
            if let Some(bias) = bias {
                out.iter_mut().zip(bias).for_each(|(y, b)| *y += b);
            }
            match self.epilogue {
                Epilogue::None => {}
                Epilogue::Rotate(rotary) => {
                    rotate_row(out, rotary, row % sizes.length, inputs.numbers(Input::RotaryTable))
                }
                Epilogue::Activate(activation) => activation.apply(out),
                Epilogue::Add(_) => {
                    let residual = residual.map_or(&[][..], |values| &values[row * columns..]);
                    out.iter_mut().zip(residual).for_each(|(y, r)| *y += r);
                }
            }
        }
    }

    fn dispatches(&self, binding_limit: u64) -> Vec<Dispatch> {
        let (activation, residual, rotates) = match self.epilogue {
            Epilogue::None => (None, None, false),
            Epilogue::Rotate(_) => (None, None, true),
            Epilogue::Activate(activation) => (Some(activation), None, false),
            Epilogue::Add(residual) => (None, Some(residual), false),
        };
        let has = |present: bool| if present { 1.0 } else { 0.0 };
        let kernel = Kernel {
            name: "product",
            source: concat!(include_str!("../../shaders/activation.wgsl"), include_str!("../../shaders/product.wgsl")),
            entry: if self.weights.weight.columns.is_multiple_of(4) { "vec4_main" } else { "scalar_main" },
            constants: vec![
                ("activation", Activation::code(activation)),
                ("has_bias", has(self.weights.bias.is_some())),
                ("has_residual", has(residual.is_some())),
                ("rotates", has(rotates)),
            ],
            accesses: &[Access::Read, Access::Read, Access::Read, Access::Read, Access::Read, Access::ReadWrite],
        };
        let parts = self.weights.weight.parts(binding_limit).len();
        (0..parts)
            .map(|part| Dispatch {
                kernel: kernel.clone(),
                bindings: vec![
                    Binding::Value(self.x),
                    Binding::Weight { weight: self.weights.weight, part },
                    self.weights.bias.map_or(Binding::Unused, |weight| Binding::Weight { weight, part: 0 }),
                    residual.map_or(Binding::Unused, Binding::Value),
                    if rotates { Binding::Input(Input::RotaryTable) } else { Binding::Unused },
                    Binding::Value(self.y),
                ],
            })
            .collect()
    }

    fn launch(&self, part: usize, sizes: Sizes, binding_limit: u64) -> Launch {
        let columns = self.weights.weight.parts(binding_limit)[part].clone();
        let (rows, (inner, stride)) = (self.shape.matrix_rows(sizes), self.sizes());
        let rotary = match self.epilogue {
            Epilogue::Rotate(rotary) => rotary,
            _ => Rotary { head_size: 0, rotated_columns: 0 },
        };
        Launch {
            workgroups: [columns.len().div_ceil(TILE) as u32, rows.div_ceil(TILE) as u32, 1],
            parameters: [
                rows,
                inner,
                columns.len(),
                columns.start,
                stride,
                sizes.length,
                rotary.head_size,
                rotary.rotated_columns,
            ]
            .map(|size| size as u32)
            .to_vec(),
        }
    }
}
