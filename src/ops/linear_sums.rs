//! Sums over keys for linear attention: Σ R_n φ(k_n) v_nᵀ, and Σ φ(k_n) as a last column. If causal, the sums before each chunk of tokens; the
//! sums of the text so far are a state of head_size · (head_size + 1) numbers a head.

use crate::kernels::{add, add_key};
use crate::plan::{CHUNK, Input, Inputs, Kernel, Launch, Op, Operand, Parts, Sizes, Use, Value, View, parameters};
use std::ops::Range;

/// Queries, keys and values in packed rows; queries and keys after the feature map.
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
    pub(super) fn sums_width(&self) -> usize {
        self.key.heads * self.key.head_size * (self.key.head_size + 1)
    }

    /// Sums of each sequence: one before each chunk, or one.
    pub(super) fn chunks(&self, causal: bool, sizes: Sizes) -> usize {
        if causal { sizes.length.div_ceil(CHUNK) } else { 1 }
    }
}

pub(super) struct LinearSums {
    pub mapped: LinearAttentionInputs,
    pub causal: bool,
    /// Sums over all keys so far, (batch, width): a state, or a value that nothing reads.
    pub state: Operand,
    /// Causal: sums before each chunk, (batch, chunks, width); else sums over all keys, (batch, width).
    pub sums: Value,
}

impl Op for LinearSums {
    fn uses(&self) -> Vec<Use> {
        let LinearAttentionInputs { rows, plain, .. } = self.mapped;
        vec![
            Use::read(rows),
            Use::read(plain),
            Use::read(Input::KeyMask),
            Use::write(self.state),
            Use::write(self.sums),
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

    /// A part: one key head of one sequence.
    fn parts(&self, sizes: Sizes) -> Parts {
        let count = sizes.batch * self.mapped.key.heads;
        let work = sizes.length * self.mapped.key.head_size * self.mapped.key.head_size;
        Parts { count, work }
    }

    fn run(&self, parts: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let LinearAttentionInputs { rows, plain, key, value, .. } = self.mapped;
        let (rows, plain) = (inputs.value(rows), inputs.value(plain));
        let mask = inputs.numbers(Input::KeyMask);
        let [state, sums, ..] = outputs else { return };
        let (width, size, chunks) = (self.mapped.sums_width(), key.head_size, self.mapped.chunks(self.causal, sizes));
        let each = size * (size + 1);
        let mut chunk_sums = vec![0.0; each];
        for (sequence, head) in parts.map(|part| (part / key.heads, part % key.heads)) {
            let state = &mut state[sequence * width + head * each..][..each];
            if sizes.past == 0 {
                state.fill(0.0);
            }
            let mask = &mask[sequence * sizes.keys() + sizes.past..][..sizes.length];
            for (chunk, mask) in mask.chunks(CHUNK).enumerate() {
                if self.causal {
                    sums[(sequence * chunks + chunk) * width + head * each..][..each].copy_from_slice(state);
                }
                // Summed per chunk first: small terms would be lost beside a long text's sum.
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
