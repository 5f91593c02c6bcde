//! Linear layers: y = epilogue(x Wᵀ + b). x: (…, inner), y: (…, columns). A GEMM, or a GEMV where a plan has few rows.
//! If a GPU would get too few workgroups, the inner axis is split (split-K): slices are summed separately, and a second step adds them.

use super::epilogue::{Append, Epilogue, GemmOutput};
use super::gemm_tiling::{FOUR, Tiling};
use super::norm::{LinearInput, NormKind, NormWeights};
use crate::kernels::{Activation, Format, LinearEpilogue, linear, normalise};
use crate::plan::{
    Chunks, Derivation, Inputs, Kernel, Launch, LinearCell, Op, PlanBuilder, Shape, Sizes, Use, Value, WORKGROUP,
    Weight,
};
use std::ops::Range;

/// A linear layer as PyTorch stores it. weight: (columns, inner), bias: (columns).
#[derive(Debug, Clone, Copy)]
pub struct LinearWeights {
    pub weight: Weight,
    pub bias: Option<Weight>,
}

struct Gemm {
    x: Value,
    /// An RMS norm of x that the GEMV computes itself.
    norm: Option<NormWeights>,
    shape: Shape,
    weight: Weight,
    format: Format,
    /// The weight is f16, and the GPU reads it as 16-bit floats.
    f16_weights: bool,
    tiling: Tiling,
    /// With split-K: no bias and no epilogue, (…, split_k · columns).
    output: GemmOutput,
}

/// The second step of split-K: y = epilogue(sum over slices + b).
struct GemmReduce {
    /// (…, slices · columns)
    sums: Value,
    /// The shape of x.
    shape: Shape,
    slices: usize,
    output: GemmOutput,
}

impl PlanBuilder {
    /// y = epilogue(x Wᵀ + b). x: (…, inner), weight: (columns, inner), bias: (columns), y: (…, columns); with a gate
    /// (…, columns / 2).
    pub fn linear(&mut self, x: impl Into<LinearInput>, weights: &LinearWeights, epilogue: Epilogue) -> Value {
        self.linear_of(x.into(), weights, epilogue)
    }

    fn linear_of(
        &mut self,
        LinearInput { mut x, mut norm }: LinearInput,
        weights: &LinearWeights,
        epilogue: Epilogue,
    ) -> Value {
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
            Epilogue::Append(append) => {
                if let Some(rotary) = append.rotary {
                    self.check_rotary(out, rotary);
                }
                if append.first + append.to.width != columns || append.columns > columns || !shape.is_tokens() {
                    let (first, width) = (append.first, append.to.width);
                    let what = format!("x is {}, columns from {first} on of {columns}", shape.describe());
                    self.fail("linear", format!("{what} into a state of {width}"));
                }
                out = shape.with_width(append.columns);
            }
            _ => {}
        }
        let rows = usize::try_from(shape.matrix_rows(self.capacity().into())).unwrap_or(usize::MAX);
        let (weight, bias, format) = (weights.weight, weights.bias, self.format(weights.weight));
        let f16_weights = format == Format::F16 && self.options().f16_weights;
        let tiling = Tiling::of([rows, inner, columns], format, self.options().splits_work);
        let fusible = |norm: &NormWeights| {
            let gain = norm.gain.is_some_and(|gain| gain.columns == inner);
            norm.kind == NormKind::Rms && gain && norm.shift.is_none()
        };
        let unsplit = tiling.tile.is_none() && tiling.split_k == 1;
        if let Some(before) = norm.take_if(|norm| !(self.options().splits_work && unsplit && fusible(norm))) {
            x = self.norm(x, &before);
        }
        let sums = (tiling.split_k > 1).then(|| {
            let sums = self.value(shape.with_width(tiling.split_k * columns));
            let output =
                GemmOutput { columns: tiling.split_k * columns, bias: None, epilogue: Epilogue::None, y: sums };
            self.step(Gemm { x, norm, shape, weight, format, f16_weights, tiling, output });
            sums
        });
        let y = self.value(out);
        let output = GemmOutput { columns, bias, epilogue, y };
        match sums {
            Some(sums) => self.step(GemmReduce { sums, shape, slices: tiling.split_k, output }),
            None => self.step(Gemm { x, norm, shape, weight, format, f16_weights, tiling, output }),
        }
        y
    }
}

impl Gemm {
    /// The inner size and the columns.
    fn sizes(&self) -> (usize, usize) {
        (self.weight.columns, self.weight.rows)
    }

    /// Rows and columns of a chunk: all columns, except for a single row of a wide weight, whose columns are divided into chunks.
    fn chunk_shape(&self, sizes: Sizes) -> [usize; 2] {
        let (inner, columns) = self.sizes();
        let most = if self.format == Format::F32 { CHUNK_ROWS } else { QUANTISED_CHUNK_ROWS };
        let rows = (CHUNK_WORK / (inner * columns).max(1)).clamp(1, most);
        let lone = rows == 1 || self.shape.matrix_rows(sizes) == 1;
        if lone && inner * columns > ROW_WORK && self.output.epilogue == Epilogue::None {
            return [1, (ROW_WORK / inner).max(1).next_multiple_of(PANEL)];
        }
        [if rows < BLOCK { rows } else { rows - rows % BLOCK }, columns]
    }

    /// x: (…, inner), after the norm if the op has one, which is computed in `scratch`.
    fn read<'a>(&self, inputs: &'a dyn Inputs, scratch: &'a mut Vec<f32>) -> &'a [f32] {
        let x = inputs.value(self.x);
        let Some(norm) = &self.norm else { return x };
        scratch.extend_from_slice(x);
        let norm = norm.filled(inputs);
        scratch.chunks_exact_mut(self.weight.columns).for_each(|row| normalise(row, &norm));
        scratch
    }

    /// y = activation(gate) · up. The product before the gate is computed for some rows at a time, to save memory.
    fn run_gate(&self, inputs: &dyn Inputs, y: &mut [f32], rows: Range<usize>, activation: Activation) {
        let (inner, columns) = self.sizes();
        let mut scratch = Vec::new();
        let (x, weight) = (self.read(inputs, &mut scratch), inputs.matrix(self.weight));
        let mut pairs = vec![0.0; QUANTISED_CHUNK_ROWS.min(rows.len()) * columns];
        for first in rows.clone().step_by(QUANTISED_CHUNK_ROWS) {
            let count = QUANTISED_CHUNK_ROWS.min(rows.end - first);
            let pairs = &mut pairs[..count * columns];
            let epilogue = LinearEpilogue::default();
            linear(pairs, &x[first * inner..][..count * inner], weight, [count, inner, columns], &epilogue);
            self.output.gate(inputs, pairs, &mut y[first * columns / 2..], activation);
        }
    }

    /// y and the cache of these rows. The projection is computed for some rows at a time, to save memory.
    fn run_append(
        &self,
        inputs: &dyn Inputs,
        outputs: &mut [&mut [f32]],
        rows: Range<usize>,
        append: Append,
        sizes: Sizes,
    ) {
        let (inner, columns) = self.sizes();
        let mut scratch = Vec::new();
        let (x, weight) = (self.read(inputs, &mut scratch), inputs.matrix(self.weight));
        let [cache, y] = outputs else { return };
        let mut projected = vec![0.0; QUANTISED_CHUNK_ROWS.min(rows.len()) * columns];
        for first in rows.clone().step_by(QUANTISED_CHUNK_ROWS) {
            let some = first..rows.end.min(first + QUANTISED_CHUNK_ROWS);
            let projected = &mut projected[..some.len() * columns];
            let x = &x[some.start * inner..some.end * inner];
            linear(projected, x, weight, [some.len(), inner, columns], &self.output.epilogue(inputs, some.start));
            self.output.rotate(inputs, some.clone(), projected);
            self.output.append_rows(append, projected, some, [&mut **cache, &mut **y], sizes);
        }
    }

    /// y of these rows, with any other epilogue.
    fn run_rows(&self, inputs: &dyn Inputs, y: &mut [f32], rows: Range<usize>) {
        let (inner, columns) = self.sizes();
        let mut scratch = Vec::new();
        let (x, weight) = (self.read(inputs, &mut scratch), inputs.matrix(self.weight));
        let y = &mut y[rows.start * columns..rows.end * columns];
        let epilogue = self.output.epilogue(inputs, rows.start);
        linear(y, &x[rows.start * inner..rows.end * inner], weight, [rows.len(), inner, columns], &epilogue);
        self.output.rotate(inputs, rows, y);
    }

    /// Some columns of one row; without an epilogue other than a bias.
    fn run_columns(&self, inputs: &dyn Inputs, y: &mut [f32], row: usize, some: Range<usize>) {
        let (inner, columns) = self.sizes();
        let mut scratch = Vec::new();
        let x = &self.read(inputs, &mut scratch)[row * inner..][..inner];
        let weight = inputs.matrix(self.weight).slice(some.clone(), inner);
        let epilogue = self.output.epilogue(inputs, row);
        let epilogue = LinearEpilogue { bias: epilogue.bias.map(|bias| &bias[some.clone()]), ..epilogue };
        linear(&mut y[row * columns..][some.clone()], x, weight, [1, inner, some.len()], &epilogue);
    }
}

/// Most rows of a chunk: enough to pay for reading the weight.
const CHUNK_ROWS: usize = 16;

/// The same with a quantised weight, which every chunk converts or packs again.
const QUANTISED_CHUNK_ROWS: usize = 256;

/// Multiplications of a chunk: 8 to 16 ms on one core. A single row may have more.
const CHUNK_WORK: usize = 1 << 28;

/// The same of a single row.
const ROW_WORK: usize = 1 << 23;

/// A single row is bound by memory: one of its multiplications takes as long as this many of a block of rows.
const STREAMED: usize = 4;

/// Rows that the WASM kernel computes together.
const BLOCK: usize = 4;

/// Columns of a packed panel of the weight.
const PANEL: usize = 8;

impl Op for Gemm {
    fn uses(&self) -> Vec<Use> {
        let gain = Use::read_if("gain", self.norm.and_then(|norm| norm.gain));
        let operands = [Use::read("x", self.x), Use::read("weight", self.weight), gain];
        self.output.uses(if self.tiling.tile.is_none() { &operands } else { &operands[..2] })
    }

    fn kernel(&self) -> Kernel {
        let tiled = self.tiling.tile.is_some();
        let quantised = self.format != Format::F32 && !self.f16_weights;
        let large_units = !tiled && self.tiling.has_large_units();
        let large_words = large_units && quantised;
        let row_words = self.format.row_words(self.weight.columns);
        let kernel = Kernel::new(if tiled { "gemm/gemm" } else { "gemm/gemv" })
            .when("inner_fours", self.weight.columns.is_multiple_of(4))
            .when("f16_weights", self.f16_weights)
            .when("quantised", quantised)
            .when("word_fours", large_words && row_words.is_multiple_of(4))
            .when("unit_of_words", large_words);
        let out_fours = tiled && self.weight.rows.is_multiple_of(4) && self.output.in_fours();
        let mut kernel = self.output.with_conditions(kernel, out_fours);
        if quantised {
            kernel = kernel.set("format", self.format.code());
        }
        if let Some(tile) = self.tiling.tile {
            kernel = kernel.set("TILE", tile as u32);
        }
        if large_units {
            kernel = kernel.set("UNIT", (self.tiling.unit / FOUR) as u32);
        }
        if self.norm.is_some() { kernel.set("normed", true) } else { kernel }
    }

    fn split(&self) -> Option<Weight> {
        Some(self.weight)
    }

    fn launch(&self, columns: Range<usize>, sizes: Sizes) -> Launch {
        let (rows, (inner, _)) = (self.shape.matrix_rows(sizes) as usize, self.sizes());
        let workgroups = self.tiling.workgroups([rows, columns.len()]);
        let lanes = self.tiling.lanes([rows, columns.len()]);
        let epsilon = self.norm.map_or(0.0, |norm| norm.epsilon);
        self.output.launch(workgroups, [rows, inner, self.tiling.split_k], columns, (epsilon, lanes), sizes)
    }

    fn chunks(&self, sizes: Sizes) -> Chunks {
        let [rows, columns] = self.chunk_shape(sizes);
        let each = if columns < self.weight.rows { STREAMED } else { 1 };
        let count = (self.shape.matrix_rows(sizes) as usize).div_ceil(rows) * self.weight.rows.div_ceil(columns);
        Chunks { count, work: rows * columns * self.weight.columns * each }
    }

    fn run(&self, chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let [chunk_rows, chunk_columns] = self.chunk_shape(sizes);
        let columns = self.weight.rows;
        if chunk_columns < columns {
            let y = &mut *outputs[0];
            let across = columns.div_ceil(chunk_columns);
            for row in chunks.start / across..chunks.end.div_ceil(across) {
                let of_row = |chunk: usize| columns.min(chunk.saturating_sub(row * across) * chunk_columns);
                self.run_columns(inputs, y, row, of_row(chunks.start)..of_row(chunks.end));
            }
            return;
        }
        let rows = chunks.start * chunk_rows..(self.shape.matrix_rows(sizes) as usize).min(chunks.end * chunk_rows);
        match self.output.epilogue {
            Epilogue::Gate(activation) => self.run_gate(inputs, outputs[0], rows, activation),
            Epilogue::Append(append) => self.run_append(inputs, outputs, rows, append, sizes),
            _ => self.run_rows(inputs, outputs[0], rows),
        }
    }

    fn derive(&self, _value: Value, row: usize, column: usize) -> Option<Derivation> {
        if self.norm.is_some() || self.tiling.split_k > 1 {
            return None;
        }
        self.output.derive(
            |column| LinearCell { x: self.x, weight: self.weight, bias: self.output.bias, row, column },
            row,
            column,
        )
    }
}

/// Adjacent columns that an invocation of `shaders/gemm/reduce.wgsl` computes.
const REDUCED_COLUMNS: usize = 4;

impl Op for GemmReduce {
    fn uses(&self) -> Vec<Use> {
        self.output.uses(&[Use::read("sums", self.sums)])
    }

    fn kernel(&self) -> Kernel {
        self.output.with_conditions(Kernel::new("gemm/reduce"), self.output.in_fours())
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let rows = self.shape.matrix_rows(sizes) as usize;
        let workgroups = (rows * self.output.columns.div_ceil(REDUCED_COLUMNS)).div_ceil(WORKGROUP);
        self.output.launch(workgroups, [rows, 0, self.slices], 0..self.output.columns, (0.0, 0), sizes)
    }
}
