//! Linear attention with rotation (eq. 19): (R_m φ(q_m))·(R_n φ(k_n)) over the sum of φ(q_m)·φ(k_n), which is not rotated. Weights may be
//! negative and do not sum to 1. Queries read sums over keys, which have the size of a head; no map is computed.

use super::attention::weighted_values;
use crate::kernels::{add, add_key, read_sums, scale};
use crate::plan::{
    Axis, CHUNK, Chunks, Derivation, Extent, Heads, Input, Inputs, Kernel, Launch, Op, Operand, PlanBuilder, Shape,
    Sizes, Use, Value, View, first_row, parameters, pitch,
};
use std::ops::Range;

/// Queries, keys and values, side by side in a row or in rows of their own; queries and keys after the feature map.
#[derive(Debug, Clone, Copy)]
pub struct LinearAttentionInputs {
    /// (batch, length, stride), with rotated queries and keys.
    pub rows: Value,
    /// The same without rotation; `rows` itself if the feature map comes after the rotation.
    pub plain: Value,
    pub query: View,
    pub key: View,
    pub value: View,
}

impl LinearAttentionInputs {
    /// Numbers of the sums of all key heads: head_size · (head_size + 1) each.
    fn sums_width(&self) -> usize {
        self.key.heads * self.key.head_size * (self.key.head_size + 1)
    }

    /// Sums of each sequence: one before each chunk, or one.
    fn chunks(&self, causal: bool, sizes: Sizes) -> usize {
        if causal { sizes.length.div_ceil(CHUNK) } else { 1 }
    }
}

struct LinearAttention {
    heads: Heads,
    mapped: LinearAttentionInputs,
    sums: Value,
    head_outputs: Value,
}

/// Context columns of a workgroup: `CHUNK` of `shaders/linear_attention/linear_attention.wgsl`.
const COLUMNS: usize = 64;

impl PlanBuilder {
    /// The head outputs of each token, (batch, length, query heads · head size). heads: for probes; their statistics are written. A causal plan
    /// with a cache has the sums of the text so far in a state.
    pub fn linear_attention(&mut self, heads: Heads, mapped: LinearAttentionInputs) -> Value {
        let LinearAttentionInputs { rows, plain, query, key, value } = mapped;
        let fits = heads.fits_values(value) && heads.window.is_none() && heads.max_distance.is_none();
        let inside = [query, key, value].iter().all(|view| {
            let of = |value: Value| self.shape(value) == Shape::tokens(view.stride);
            of(rows) && of(plain) && view.first + view.width() <= view.stride
        });
        if !fits || !inside {
            self.fail("linear_attention", "queries, keys and values are no heads of one size side by side");
        }
        let width = mapped.sums_width();
        let sums_shape =
            |chunks| Shape { rows: [Extent::Of(Axis::Batch), chunks, Extent::ONE], width: Extent::Fixed(width) };
        let state: Operand = match self.options().has_cache && heads.causal {
            true => self.state(Axis::Batch, width).into(),
            false => self.value(sums_shape(Extent::ONE)).into(),
        };
        let sums = self.value(sums_shape(if heads.causal { Extent::Of(Axis::Chunks) } else { Extent::ONE }));
        self.step(LinearSums { mapped, causal: heads.causal, state, sums });
        let head_outputs = self.value(Shape::tokens(query.width()));
        self.step(LinearAttention { heads, mapped, sums, head_outputs });
        head_outputs
    }
}

impl Op for LinearAttention {
    fn uses(&self) -> Vec<Use> {
        let LinearAttentionInputs { rows, plain, .. } = self.mapped;
        vec![
            Use::read("rows", rows),
            Use::read("plain", plain),
            Use::read("key_mask", Input::KeyMask),
            Use::read("sums", self.sums),
            Use::write("head_outputs", self.head_outputs),
            Use::write("statistics", self.heads.statistics),
        ]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("linear_attention/linear_attention")
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let LinearAttentionInputs { query, key, value, .. } = self.mapped;
        let sequence_heads = sizes.batch * query.heads;
        let params = parameters! {
            length: u32 = sizes.length,
            keys: u32 = sizes.keys(),
            past: u32 = sizes.past,
            sequence_heads: u32 = sequence_heads,
            heads: u32 = query.heads,
            group: u32 = query.heads / key.heads,
            head_size: u32 = query.head_size,
            stride: u32 = query.stride,
            query_first: u32 = query.first,
            key_first: u32 = key.first,
            value_first: u32 = value.first,
            statistics_first: u32 = first_row(self.heads.statistics, sizes),
            statistics_pitch: u32 = pitch(self.heads.statistics, sizes),
            causal: u32 = self.heads.causal,
            chunks: u32 = self.mapped.chunks(self.heads.causal, sizes),
        };
        Launch::new(sequence_heads * sizes.length * query.head_size.div_ceil(COLUMNS), params)
    }

    /// A chunk: one head of one sequence.
    fn chunks(&self, sizes: Sizes) -> Chunks {
        let count = sizes.batch * self.mapped.query.heads;
        let work = 2 * sizes.length * self.mapped.query.head_size * self.mapped.query.head_size;
        Chunks { count, work }
    }

    fn run(&self, sequence_heads: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let LinearAttentionInputs { rows, plain, query, key, value } = self.mapped;
        let (rows, plain, sums) = (inputs.value(rows), inputs.value(plain), inputs.value(self.sums));
        let mask = inputs.numbers(Input::KeyMask);
        let Heads { statistics, causal, .. } = self.heads;
        let [head_outputs, statistics_out, ..] = outputs else { return };
        let (width, size, chunks) = (self.mapped.sums_width(), key.head_size, self.mapped.chunks(causal, sizes));
        let each = size * (size + 1);
        let of = |view: View, head: usize, sequence: usize, row: usize| {
            let at = view.head(head).at(sequence, row, sizes);
            [&rows[at..][..size], &plain[at..][..size]]
        };
        let mut running_sums = vec![0.0; each];
        for (sequence, head) in sequence_heads.map(|at| (at / query.heads, at % query.heads)) {
            let group = self.heads.key_head(head);
            let mask = &mask[sequence * sizes.keys() + sizes.past..][..sizes.length];
            let first = sequence * pitch(statistics, sizes) + first_row(statistics, sizes);
            for (row, added) in mask.iter().enumerate() {
                if row == 0 || (causal && row % CHUNK == 0) {
                    let chunk = if causal { row / CHUNK } else { 0 };
                    running_sums.copy_from_slice(&sums[(sequence * chunks + chunk) * width + group * each..][..each]);
                }
                if causal && *added == 0.0 {
                    let [values, _] = of(value, group, sequence, row);
                    add_key(&mut running_sums, of(key, group, sequence, row), values);
                }
                let out = &mut head_outputs[(sequence * sizes.length + row) * query.width() + head * size..][..size];
                let read = read_sums(out, &running_sums, of(query, head, sequence, row));
                // All keys are masked: the output is 0.
                let denominator = if read == 0.0 { 1.0 } else { read };
                scale(out, 1.0 / denominator);
                statistics_out[2 * ((first + row) * query.heads + head)..][..2].copy_from_slice(&[0.0, denominator]);
            }
        }
    }

    fn derive(&self, value: Value, row: usize, column: usize) -> Option<Derivation> {
        (value == self.head_outputs).then(|| weighted_values(&self.heads, self.mapped.value, row, column))
    }
}

/// The first step: Σ R_n φ(k_n) v_nᵀ over keys, and Σ φ(k_n) as a last column. If causal, the sums before each chunk of tokens; the sums of
/// the text so far are a state of head_size · (head_size + 1) numbers a head.
struct LinearSums {
    mapped: LinearAttentionInputs,
    causal: bool,
    /// Sums over all keys so far, (batch, width): a state, or a value that nothing reads.
    state: Operand,
    /// Causal: sums before each chunk, (batch, chunks, width); else sums over all keys, (batch, width).
    sums: Value,
}

impl Op for LinearSums {
    fn uses(&self) -> Vec<Use> {
        let LinearAttentionInputs { rows, plain, .. } = self.mapped;
        vec![
            Use::read("rows", rows),
            Use::read("plain", plain),
            Use::read("key_mask", Input::KeyMask),
            Use::write("state", self.state),
            Use::write("sums", self.sums),
        ]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("linear_attention/sums")
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let LinearAttentionInputs { key, value, .. } = self.mapped;
        let params = parameters! {
            length: u32 = sizes.length,
            keys: u32 = sizes.keys(),
            past: u32 = sizes.past,
            batch: u32 = sizes.batch,
            key_heads: u32 = key.heads,
            head_size: u32 = key.head_size,
            stride: u32 = key.stride,
            key_first: u32 = key.first,
            value_first: u32 = value.first,
            causal: u32 = self.causal,
            chunks: u32 = self.mapped.chunks(self.causal, sizes),
        };
        Launch::for_elements(sizes.batch * self.mapped.sums_width(), params)
    }

    /// A chunk: one key head of one sequence.
    fn chunks(&self, sizes: Sizes) -> Chunks {
        let count = sizes.batch * self.mapped.key.heads;
        let work = sizes.length * self.mapped.key.head_size * self.mapped.key.head_size;
        Chunks { count, work }
    }

    fn run(&self, sequence_heads: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let LinearAttentionInputs { rows, plain, key, value, .. } = self.mapped;
        let (rows, plain) = (inputs.value(rows), inputs.value(plain));
        let mask = inputs.numbers(Input::KeyMask);
        let [state, sums, ..] = outputs else { return };
        let (width, size, chunks) = (self.mapped.sums_width(), key.head_size, self.mapped.chunks(self.causal, sizes));
        let each = size * (size + 1);
        let mut chunk_sums = vec![0.0; each];
        for (sequence, head) in sequence_heads.map(|at| (at / key.heads, at % key.heads)) {
            let state = &mut state[sequence * width + head * each..][..each];
            if sizes.past == 0 {
                state.fill(0.0);
            }
            let mask = &mask[sequence * sizes.keys() + sizes.past..][..sizes.length];
            for (chunk, mask) in mask.chunks(CHUNK).enumerate() {
                if self.causal {
                    sums[(sequence * chunks + chunk) * width + head * each..][..each].copy_from_slice(state);
                }
                // Summed per chunk first: small terms would be lost in a long text's sum.
                chunk_sums.fill(0.0);
                for (at, _) in mask.iter().enumerate().filter(|(_, added)| **added == 0.0) {
                    let at = chunk * CHUNK + at;
                    let key_at = key.head(head).at(sequence, at, sizes);
                    let value_at = value.head(head).at(sequence, at, sizes);
                    let keys = [&rows[key_at..][..size], &plain[key_at..][..size]];
                    add_key(&mut chunk_sums, keys, &rows[value_at..][..size]);
                }
                add(state, &chunk_sums);
            }
            if !self.causal {
                sums[sequence * width + head * each..][..each].copy_from_slice(state);
            }
        }
    }
}
