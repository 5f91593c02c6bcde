//! Rotary position embedding of adjacent pairs, eq. 34, after an optional RMS norm of each head (Qwen3's `q_norm`, `k_norm`). An op of its own where
//! heads are normed or the unrotated projection is tapped; otherwise the epilogue of the GEMM rotates.

use crate::kernels::{self, normalise, rotate, rotate_by_mode};
use crate::plan::{
    Cell, Derivation, Input, Inputs, Kernel, Launch, Op, PlanBuilder, RowStatistic, Shape, Sizes, Use, Value, Weight,
    parameters,
};
use std::ops::Range;

/// Columns of a fused projection that are rotated to their position: the first `rotated_columns`, heads of `head_size`, by one of the model's
/// ropes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rotary {
    pub rope: usize,
    pub head_size: usize,
    pub rotated_columns: usize,
}

impl Rotary {
    /// The rope's table of cos and sin, (keys, head_size / 2, 2).
    pub fn table(&self) -> Input {
        Input::Rotary { rope: self.rope, head_size: self.head_size }
    }
}

/// RMS norms of single query heads and key heads. query, key: gains, (head_size).
#[derive(Debug, Clone, Copy)]
pub struct HeadNorms {
    pub query: Weight,
    pub key: Weight,
    pub query_heads: usize,
    pub key_heads: usize,
    pub epsilon: f32,
}

impl HeadNorms {
    /// The gain of a head of a fused projection, which has queries, keys and values side by side; none for value heads.
    fn gain(&self, head: usize) -> Option<Weight> {
        match head {
            _ if head < self.query_heads => Some(self.query),
            _ if head < self.query_heads + self.key_heads => Some(self.key),
            _ => None,
        }
    }
}

/// Modes of the pairs of one layer's query and key heads, see [`PairMode`](crate::plan::PairMode).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairModes {
    /// u32 modes of all layers, (layers · heads, head_size / 2).
    pub input: Input,
    /// Row of this layer's first head.
    pub first: usize,
    /// Query and key heads of the layer.
    pub heads: usize,
}

struct Rotation {
    x: Value,
    width: usize,
    head_size: usize,
    rotary: Option<Rotary>,
    norms: Option<HeadNorms>,
    pairs: Option<PairModes>,
    y: Value,
}

impl PlanBuilder {
    /// Norms heads if there are `norms`, then rotates columns if there is a `rotary`. x: (batch, length, width), heads of `head_size`.
    pub fn rotate(&mut self, x: Value, head_size: usize, rotary: Option<Rotary>, norms: Option<HeadNorms>) -> Value {
        self.rotate_with_modes(x, head_size, rotary, norms, None)
    }

    /// The same with pairs that may be frozen or ablated.
    pub fn rotate_with_modes(
        &mut self,
        x: Value,
        head_size: usize,
        rotary: Option<Rotary>,
        norms: Option<HeadNorms>,
        pairs: Option<PairModes>,
    ) -> Value {
        let shape = self.shape(x);
        let width = shape.fixed_width().unwrap_or(0);
        if let Some(rotary) = rotary {
            self.check_rotary(shape, rotary);
        }
        let norm_fits = norms.is_none_or(|norms| {
            let normed = (norms.query_heads + norms.key_heads) * head_size;
            norms.query.columns == head_size && norms.key.columns == head_size && normed <= width
        });
        if head_size == 0 || !width.is_multiple_of(head_size) || !norm_fits {
            self.fail("rotation", format!("x is {}, heads or their norms of {head_size}", shape.describe()));
        }
        let y = self.value(shape);
        self.step(Rotation { x, width, head_size, rotary, norms, pairs, y });
        y
    }

    /// Fails the plan unless x has a row per token and its rotated columns are whole heads of an even size.
    pub(super) fn check_rotary(&mut self, shape: Shape, rotary: Rotary) {
        let Rotary { head_size, rotated_columns, .. } = rotary;
        let rotates_heads = head_size >= 2 && head_size.is_multiple_of(2) && rotated_columns.is_multiple_of(head_size);
        let width = shape.fixed_width().unwrap_or(0);
        let fits = shape.is_tokens() && width.is_multiple_of(2) && rotated_columns <= width;
        if !rotates_heads || !fits {
            self.fail(
                "rotation",
                format!("x is {}, {rotated_columns} rotated columns, head size {head_size}", shape.describe()),
            );
        }
    }
}

/// The table's row of cos and sin for each token of the run.
pub(super) fn cos_sin<'a>(inputs: &'a dyn Inputs, rotary: Rotary) -> impl Fn(usize) -> &'a [f32] {
    let (table, positions) = (inputs.numbers(rotary.table()), inputs.indices(Input::Positions));
    move |token| &table[positions[token] as usize * rotary.head_size..][..rotary.head_size]
}

impl Rotation {
    /// A number of x after the norm of its head, if it has one.
    fn derive_normed(&self, name: &'static str, row: usize, column: usize) -> Derivation {
        let x = Derivation::value(name, self.x, row, column);
        let head = column / self.head_size;
        let Some((norms, gain)) = self.norms.and_then(|norms| Some((norms, norms.gain(head)?))) else { return x };
        let columns = head * self.head_size..(head + 1) * self.head_size;
        let of = RowStatistic::Scale { centres: false, epsilon: norms.epsilon };
        let scale = Derivation::Statistic { value: self.x, row, columns, of };
        x.times([scale, Derivation::weight("gain", gain, 0, column % self.head_size)])
    }
}

impl Op for Rotation {
    fn uses(&self) -> Vec<Use> {
        vec![
            Use::read("x", self.x),
            Use::read_if("table", self.rotary.map(|rotary| rotary.table())),
            Use::read_if("positions", self.rotary.map(|_| Input::Positions)),
            Use::read_if("query_gain", self.norms.map(|norms| norms.query)),
            Use::read_if("key_gain", self.norms.map(|norms| norms.key)),
            Use::read_if("modes", self.pairs.map(|pairs| pairs.input)),
            Use::write("y", self.y),
        ]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("rotation/rotation")
            .set("rotates", self.rotary.is_some())
            .set("normalises", self.norms.is_some())
            .set("intervenes", self.pairs.is_some())
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let heads = self.width / self.head_size;
        let tokens = sizes.tokens();
        let params = parameters! {
            tokens: u32 = tokens,
            heads: u32 = heads,
            head_size: u32 = self.head_size,
            rotated: u32 = self.rotary.map_or(0, |rotary| rotary.rotated_columns / rotary.head_size),
            query_heads: u32 = self.norms.map_or(0, |norms| norms.query_heads),
            key_heads: u32 = self.norms.map_or(0, |norms| norms.key_heads),
            first_mode: u32 = self.pairs.map_or(0, |pairs| pairs.first),
            heads_with_modes: u32 = self.pairs.map_or(0, |pairs| pairs.heads),
            epsilon: f32 = self.norms.map_or(0.0, |norms| norms.epsilon),
        };
        Launch::new(tokens * heads, params)
    }

    fn run(&self, _chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        let y = &mut *outputs[0];
        y.copy_from_slice(inputs.value(self.x));
        for (token, out) in y.chunks_exact_mut(self.width).enumerate() {
            if let Some(norms) = self.norms {
                for (head, row) in out.chunks_exact_mut(self.head_size).enumerate() {
                    let Some(gain) = norms.gain(head) else { break };
                    let (gain, epsilon) = (Some(inputs.weight(gain)), norms.epsilon);
                    normalise(row, &kernels::Norm { centres: false, gain, shift: None, epsilon });
                }
            }
            if let Some(rotary) = self.rotary {
                let cos_sin = cos_sin(inputs, rotary)(token);
                let rotated = &mut out[..rotary.rotated_columns];
                match self.pairs {
                    Some(table) => {
                        let (size, pairs) = (rotary.head_size, rotary.head_size / 2);
                        let modes = &inputs.indices(table.input)[table.first * pairs..][..table.heads * pairs];
                        let (with_modes, rest) = rotated.split_at_mut((table.heads * size).min(rotary.rotated_columns));
                        rotate_by_mode(with_modes, cos_sin, modes);
                        rotate(rest, cos_sin);
                    }
                    None => rotate(rotated, cos_sin),
                }
            }
        }
    }

    fn derive(&self, _value: Value, row: usize, column: usize) -> Option<Derivation> {
        if self.pairs.is_some() {
            return None;
        }
        let rotary = self.rotary.filter(|rotary| column < rotary.rotated_columns);
        let Some(rotary) = rotary else { return Some(self.derive_normed("x", row, column)) };
        let pair = column % rotary.head_size / 2;
        let angle = |is_sine| {
            let name = if is_sine { "sin" } else { "cos" };
            Derivation::Cell(name, Cell::Angle { table: rotary.table(), token: row, pair, is_sine })
        };
        let [own, other] = [column, column ^ 1].map(|column| {
            let name = if column.is_multiple_of(2) { "x₀" } else { "x₁" };
            self.derive_normed(name, row, column)
        });
        let (along, across) = (own.times([angle(false)]), other.times([angle(true)]));
        // Equation 34: (x₀ cos − x₁ sin, x₁ cos + x₀ sin).
        Some(if column.is_multiple_of(2) { along.minus(across) } else { along.plus([across]) })
    }
}
