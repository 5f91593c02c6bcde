//! Scaled dot-product attention over packed projections: softmax(q kᵀ / √head_size + mask) v, eq. 2 with rotated q and k.
//! projected: (batch, length, 3 · hidden_size) → context: (batch, length, hidden_size). Two kernels: one keeps its
//! probabilities (batch, heads, length, length) for a tap, the other never stores them.

use super::exponential::exp;
use super::matrix::{Matrix, multiply};
use super::reduction::{largest, sum};
use crate::plan::{Access, Binding, Dispatch, Input, Inputs, Kernel, Launch, Op, Plan, Shape, Sizes, Value};

/// Heads of a layer, and whether a query sees only keys that are not after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attention {
    pub heads: usize,
    pub head_size: usize,
    pub causal: bool,
}

struct Attend {
    attention: Attention,
    projected: Value,
    context: Value,
    /// Kept probabilities, where tapped.
    maps: Option<Value>,
}

/// Query rows and context columns of one workgroup: `TILE` of `shaders/attention_tiles.wgsl`.
const TILE: usize = 32;

impl Plan {
    /// Context of each token. projected: (batch, length, 3 · heads · head_size), query and key rotated.
    pub fn attention(&mut self, projected: Value, attention: Attention) -> Value {
        self.attend(projected, attention, false).0
    }

    /// The same, and the probabilities (batch, heads, length, length).
    pub fn attention_with_maps(&mut self, projected: Value, attention: Attention) -> (Value, Value) {
        let (context, maps) = self.attend(projected, attention, true);
        (context, maps.unwrap_or(context))
    }

    fn attend(&mut self, projected: Value, attention: Attention, keep: bool) -> (Value, Option<Value>) {
        let hidden = attention.heads * attention.head_size;
        if self.shape(projected) != (Shape::Tokens { width: 3 * hidden }) {
            self.fail(
                "attention",
                format!("projected is {}, expected (batch, length, {})", self.shape(projected).describe(), 3 * hidden),
            );
        }
        let context = self.value(Shape::Tokens { width: hidden });
        let maps = keep.then(|| self.value(Shape::Maps { heads: attention.heads }));
        self.step(Attend { attention, projected, context, maps });
        (context, maps)
    }
}

impl Attend {
    fn scale(&self) -> f32 {
        (1.0 / (self.attention.head_size as f64).sqrt()) as f32
    }
}

/// Makes scores (length) into probabilities. mask: (length), added; keys after `last` get f32::MIN instead.
fn softmax(scores: &mut [f32], mask: &[f32], last: usize) {
    for (key, (score, mask)) in scores.iter_mut().zip(mask).enumerate() {
        *score += if key > last { f32::MIN } else { *mask };
    }
    let largest = largest(scores);
    scores.iter_mut().for_each(|score| *score = exp(*score - largest));
    let scale = (1.0 / sum(scores, |weight| weight)) as f32;
    scores.iter_mut().for_each(|score| *score *= scale);
}

impl Op for Attend {
    fn name(&self) -> &'static str {
        if self.maps.is_some() { "attention_maps" } else { "attention" }
    }

    fn reads(&self) -> Vec<Value> {
        vec![self.projected]
    }

    fn writes(&self) -> Vec<Value> {
        std::iter::once(self.context).chain(self.maps).collect()
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let Attention { heads, head_size, causal } = self.attention;
        let Sizes { batch, length, .. } = sizes;
        let (hidden, packed) = (heads * head_size, 3 * heads * head_size);
        let projected = inputs.value(self.projected);
        let mask = inputs.numbers(Input::KeyMask);
        let [context, kept @ ..] = outputs else { return };
        let mut scratch = if kept.is_empty() { vec![0.0; length * length] } else { Vec::new() };
        for sequence in 0..batch {
            let rows = &projected[sequence * length * packed..(sequence + 1) * length * packed];
            let mask = &mask[sequence * length..(sequence + 1) * length];
            for head in 0..heads {
                let map = match kept {
                    [maps, ..] => &mut maps[(sequence * heads + head) * length * length..][..length * length],
                    [] => &mut scratch[..],
                };
                let query = Matrix::rows(&rows[head * head_size..], packed);
                let key = Matrix::transposed(&rows[hidden + head * head_size..], packed);
                let value = Matrix::rows(&rows[2 * hidden + head * head_size..], packed);
                multiply(map, length, query, key, [length, head_size, length], self.scale());
                for (position, scores) in map.chunks_exact_mut(length).enumerate() {
                    softmax(scores, mask, if causal { position } else { length });
                }
                let out = &mut context[sequence * length * hidden + head * head_size..];
                multiply(out, hidden, Matrix::rows(map, length), value, [length, length, head_size], 1.0);
            }
        }
    }

    fn dispatches(&self, _binding_limit: u64) -> Vec<Dispatch> {
        let (source, accesses): (_, &[Access]) = match self.maps {
            Some(_) => (
                concat!(
                    include_str!("../../shaders/attention_tiles.wgsl"),
                    include_str!("../../shaders/attention_maps.wgsl")
                ),
                &[Access::Read, Access::Read, Access::ReadWrite, Access::ReadWrite],
            ),
            None => (
                concat!(
                    include_str!("../../shaders/attention_tiles.wgsl"),
                    include_str!("../../shaders/attention.wgsl")
                ),
                &[Access::Read, Access::Read, Access::ReadWrite],
            ),
        };
        let kernel = Kernel { name: self.name(), source, entry: "main", constants: Vec::new(), accesses };
        let mut bindings =
            vec![Binding::Value(self.projected), Binding::Input(Input::KeyMask), Binding::Value(self.context)];
        bindings.extend(self.maps.map(Binding::Value));
        vec![Dispatch { kernel, bindings }]
    }

    fn launch(&self, _part: usize, sizes: Sizes, _binding_limit: u64) -> Launch {
        let Attention { heads, head_size, causal } = self.attention;
        let column_tiles = if self.maps.is_some() { 1 } else { head_size.div_ceil(TILE) };
        Launch {
            workgroups: [sizes.length.div_ceil(TILE), column_tiles, sizes.batch * heads].map(|count| count as u32),
            parameters: vec![
                sizes.length as u32,
                heads as u32,
                head_size as u32,
                u32::from(causal),
                self.scale().to_bits(),
            ],
        }
    }
}
