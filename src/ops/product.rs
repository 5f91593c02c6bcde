//! The matrix product of a linear layer and what is fused behind it: y = epilogue(x Wᵀ + b). x: (…, inner) → (…, columns).

use super::rotation::{Rotary, turns};
use crate::kernels::{Activation, Format, add, gate, multiply_kept, rotate};
use crate::plan::{ByParts, Input, Inputs, Kernel, Launch, Op, Plan, Shape, Sizes, Use, Value, Weight};
use std::ops::Range;

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
    /// Of each pair of adjacent columns (gate, up) makes one: activation(gate) · up. Writes half the columns.
    Gate(Activation),
}

struct Product {
    x: Value,
    shape: Shape,
    weights: LinearWeights,
    /// Of the weight.
    format: Format,
    /// Its plan holds no more than [`FEW_ROWS`].
    few_rows: bool,
    epilogue: Epilogue,
    y: Value,
}

/// Rows and columns of the tile that one workgroup makes: `TILE` of `shaders/product.wgsl`.
const TILE: usize = 32;

/// A plan for no more rows than these makes them one by one: `shaders/row_product.wgsl`.
const FEW_ROWS: u64 = 4;

/// Adjacent columns that one of its workgroups makes.
const ROW_COLUMNS: usize = 4;

/// The kernel for few rows and that for many, with their operands.
macro_rules! kernels {
    ($($operands:literal),+) => {
        [
            concat!(shader!("activation"), shader!("product_end"), $(shader!($operands),)+ shader!("row_product")),
            concat!(shader!("activation"), shader!("product_end"), $(shader!($operands),)+ shader!("product")),
        ]
    };
}

impl Plan {
    /// y = epilogue(x Wᵀ + b). x: (…, inner), weight: (columns, inner), bias: (columns), y: (…, columns), or half of them after
    /// a gate.
    pub fn linear(&mut self, x: Value, weights: &LinearWeights, epilogue: Epilogue) -> Value {
        let shape = self.shape(x);
        let Weight { rows: columns, columns: inner, .. } = weights.weight;
        let fits = shape.fixed_width() == Some(inner) && weights.bias.is_none_or(|bias| bias.columns == columns);
        if !fits {
            let bias = weights.bias.map_or("none".into(), |bias| format!("({})", bias.columns));
            self.fail(
                "linear",
                format!("x is {}, the weight is ({columns}, {inner}), the bias is {bias}", shape.describe()),
            );
            return x;
        }
        let mut out = shape.with_width(columns);
        match epilogue {
            Epilogue::Add(residual) if self.shape(residual) != out => {
                self.fail(
                    "linear",
                    format!("y is {}, the residual is {}", out.describe(), self.shape(residual).describe()),
                );
            }
            Epilogue::Rotate(rotary) => self.check_rotary(out, rotary),
            Epilogue::Gate(_) if !columns.is_multiple_of(2) => {
                self.fail("linear", format!("{columns} columns are no pairs of gate and up"));
            }
            Epilogue::Gate(_) => out = shape.with_width(columns / 2),
            _ => {}
        }
        let y = self.value(out);
        let format = self.format(weights.weight);
        let few_rows = shape.matrix_rows(self.capacity().into()) <= FEW_ROWS;
        self.step(Product { x, shape, weights: *weights, format, few_rows, epilogue, y });
        y
    }
}

impl Product {
    /// Columns of x, and of the product.
    fn sizes(&self) -> (usize, usize) {
        (self.weights.weight.columns, self.weights.weight.rows)
    }

    /// Rows that one part makes.
    fn part(&self) -> usize {
        let (inner, columns) = self.sizes();
        let most = if self.format == Format::F32 { PART } else { PACKED_PART };
        let rows = (PART_WORK / (inner * columns).max(1)).clamp(1, most);
        if rows < BLOCK { rows } else { rows - rows % BLOCK }
    }

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

    /// y = activation(gate) · up of pairs of columns. The product is made a few rows at a time, so that it needs little room.
    fn run_gate(&self, inputs: &dyn Inputs, y: &mut [f32], rows: Range<usize>, activation: Activation) {
        const ROWS: usize = 64;
        let (inner, columns) = self.sizes();
        let (x, weight) = (inputs.value(self.x), inputs.matrix(self.weights.weight));
        let bias = self.weights.bias.map(|bias| inputs.weight(bias));
        let mut pairs = vec![0.0; ROWS.min(rows.len()) * columns];
        for first in rows.clone().step_by(ROWS) {
            let count = ROWS.min(rows.end - first);
            let pairs = &mut pairs[..count * columns];
            multiply_kept(pairs, &x[first * inner..][..count * inner], weight, [count, inner, columns]);
            for (row, out) in
                pairs.chunks_exact_mut(columns).zip(y[first * columns / 2..].chunks_exact_mut(columns / 2))
            {
                if let Some(bias) = bias {
                    add(row, bias);
                }
                gate(out, row, activation);
            }
        }
    }

    /// y = x · weightᵀ with bias and epilogue.
    fn run_rows(&self, inputs: &dyn Inputs, y: &mut [f32], rows: Range<usize>) {
        let (inner, columns) = self.sizes();
        let (x, weight) = (inputs.value(self.x), inputs.matrix(self.weights.weight));
        let y = &mut y[rows.start * columns..rows.end * columns];
        multiply_kept(y, &x[rows.start * inner..rows.end * inner], weight, [rows.len(), inner, columns]);
        let bias = self.weights.bias.map(|bias| inputs.weight(bias));
        let residual = self.residual().map(|residual| inputs.value(residual));
        for (row, out) in rows.zip(y.chunks_exact_mut(columns)) {
            if let Some(bias) = bias {
                add(out, bias);
            }
            match self.epilogue {
                Epilogue::None | Epilogue::Gate(_) => {}
                Epilogue::Rotate(rotary) => {
                    rotate(&mut out[..rotary.rotated_columns], turns(inputs, rotary)(row));
                }
                Epilogue::Activate(activation) => activation.apply(out),
                Epilogue::Add(_) => {
                    let residual = residual.map_or(&[][..], |values| &values[row * columns..]);
                    add(out, residual);
                }
            }
        }
    }
}

/// Most rows of one part: so many that a wide weight is worth being read.
const PART: usize = 16;

/// The same with a packed weight, which every part unpacks anew.
const PACKED_PART: usize = 64;

/// Multiplications of one part, unless a few rows have more: some 8 to 16 ms of them on one core.
const PART_WORK: usize = 1 << 28;

/// Rows of the WASM kernel's blocks.
const BLOCK: usize = 4;

impl ByParts for Product {
    fn parts(&self, sizes: Sizes) -> usize {
        (self.shape.matrix_rows(sizes) as usize).div_ceil(self.part())
    }

    fn work(&self, _sizes: Sizes) -> usize {
        let (inner, columns) = self.sizes();
        self.part() * inner * columns
    }

    fn run_parts(&self, parts: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let part = self.part();
        let rows = parts.start * part..(self.shape.matrix_rows(sizes) as usize).min(parts.end * part);
        let y = &mut *outputs[0];
        match self.epilogue {
            Epilogue::Gate(activation) => self.run_gate(inputs, y, rows, activation),
            _ => self.run_rows(inputs, y, rows),
        }
    }
}

impl Op for Product {
    fn name(&self) -> &'static str {
        "product"
    }

    fn uses(&self) -> Vec<Use> {
        vec![
            Use::read(self.x),
            Use::read(self.weights.weight),
            Use::read_if(self.weights.bias),
            Use::read_if(self.residual()),
            Use::read_if(self.rotary().map(|rotary| rotary.table())),
            Use::read_if(self.rotary().map(|_| Input::Positions)),
            Use::write(self.y),
        ]
    }

    fn kernel(&self) -> Kernel {
        let (sources, constants) = match self.format {
            Format::F32 if self.weights.weight.columns.is_multiple_of(4) => (kernels!("by_fours"), Vec::new()),
            Format::F32 => (kernels!("by_numbers"), Vec::new()),
            packed => (kernels!("packed", "by_packed"), vec![("format", packed.code())]),
        };
        let [few, many] = sources;
        let source = if self.few_rows { few } else { many };
        Kernel { name: "product", source, constants }
    }

    fn split(&self) -> Option<Weight> {
        Some(self.weights.weight)
    }

    fn launch(&self, columns: Range<usize>, sizes: Sizes) -> Launch {
        let (rows, (inner, stride)) = (self.shape.matrix_rows(sizes) as usize, self.sizes());
        let (head_size, rotated) = self.rotary().map_or((0, 0), |rotary| (rotary.head_size, rotary.rotated_columns));
        let (activation, gates) = match self.epilogue {
            Epilogue::Activate(activation) => (Some(activation), false),
            Epilogue::Gate(activation) => (Some(activation), true),
            _ => (None, false),
        };
        let workgroups = match self.few_rows {
            true => rows * columns.len().div_ceil(ROW_COLUMNS),
            false => columns.len().div_ceil(TILE) * rows.div_ceil(TILE),
        };
        let parameters = [
            rows,
            inner,
            columns.len(),
            columns.start,
            stride,
            head_size,
            rotated,
            Activation::code(activation),
            usize::from(self.weights.bias.is_some()),
            usize::from(self.residual().is_some()),
            usize::from(gates),
        ];
        Launch::new(workgroups, &parameters)
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        self.run_parts(0..self.parts(sizes), inputs, outputs, sizes);
    }

    fn by_parts(&self) -> Option<&dyn ByParts> {
        Some(self)
    }
}
