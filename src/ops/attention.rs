//! Scaled dot-product attention: softmax(q kᵀ · scale + mask) v, eq. 2 with rotated q and k. Queries, keys and values are columns
//! of packed rows, of the run's own projection or of a cache: self-attention, grouped-query attention and attention over a cache
//! are one op. Probabilities are never stored; each row's largest score and sum are, so that any head's map can be made later.

use super::clamped_attention::AttendClamped;
use crate::kernels::{Matrix, add_mask, multiply, softmax};
use crate::plan::{
    ByParts, Heads, Inputs, Kernel, Launch, Op, Operand, Plan, Shape, Sizes, Use, Value, View, first_row, pitch,
};
use std::ops::Range;

struct Attend {
    heads: Heads,
    value: View,
    /// Its plan holds no more than [`FEW_QUERIES`] of a sequence.
    few_queries: bool,
    context: Value,
}

/// Query rows and context columns of one workgroup: `TILE` and `COLUMNS` of `shaders/attention.wgsl`.
const TILE: [usize; 2] = [32, 64];

/// A plan for no more queries of a sequence than these takes them one by one: `shaders/row_attention.wgsl`.
const FEW_QUERIES: usize = 4;

/// The same of one of its workgroups.
const ROW_TILE: [usize; 2] = [1, 256];

/// The kernel for few queries and that for many, with their operands.
macro_rules! kernels {
    ($operands:literal) => {
        [
            concat!(shader!("attended"), shader!($operands), shader!("row_attention")),
            concat!(shader!("attended"), shader!($operands), shader!("attention")),
        ]
    };
}

/// Query rows whose scores the CPU kernel holds at once.
const QUERIES: usize = 32;

impl Plan {
    /// Context of each token, (batch, length, query heads · head size), by clamped distances where the heads have a reach. The heads' statistics are a value of that many
    /// tokens or a state: they are written.
    pub fn attention(&mut self, heads: Heads, value: View) -> Value {
        let Heads { query, key, statistics, .. } = heads;
        let (count, groups) = (query.heads, key.heads);
        let fits = groups > 0
            && count.is_multiple_of(groups)
            && (value.heads, value.head_size) == (groups, key.head_size)
            && key.head_size == query.head_size
            && count > 0;
        let inside = [query, key, value].iter().all(|view| {
            let width = match view.of {
                Operand::Value(value) => self.shape(value).fixed_width().filter(|_| self.shape(value).is_tokens()),
                Operand::State(state) => Some(state.width),
                _ => None,
            };
            width == Some(view.stride) && view.first + view.width() <= view.stride
        });
        if !fits || !inside {
            let [query, key, value] = [query, key, value].map(|view| view.describe());
            self.fail("attention", format!("query is {query}, key {key}, value {value}"));
        }
        let context = self.value(Shape::tokens(query.width()));
        let expected = Shape::tokens(2 * count);
        if let Operand::Value(statistics) = statistics
            && self.shape(statistics) != expected
        {
            self.fail("attention", format!("statistics are {}", self.shape(statistics).describe()));
        }
        match heads.clamped_by() {
            Some(_) => self.step(AttendClamped { heads, value, context }),
            None => {
                let few_queries = self.capacity().length <= FEW_QUERIES;
                self.step(Attend { heads, value, few_queries, context });
            }
        }
        context
    }
}

/// The keys that a query at position `query` of its sequence sees, apart from padding.
pub(super) fn seen(heads: &Heads, query: usize) -> Range<usize> {
    let window = heads.window.unwrap_or(usize::MAX);
    let first = (query + 1).saturating_sub(window);
    first..if heads.causal { query + 1 } else { query.saturating_add(window) }
}

impl Op for Attend {
    fn name(&self) -> &'static str {
        "attention"
    }

    fn uses(&self) -> Vec<Use> {
        let Heads { query, key, statistics, .. } = self.heads;
        let statistics = match statistics {
            Operand::State(state) => Use::change(state),
            other => Use::write(other),
        };
        vec![
            Use::read(query.of),
            Use::read(key.of),
            Use::read(self.value.of),
            Use::read(self.heads.mask()),
            Use::write(self.context),
            statistics,
        ]
    }

    fn kernel(&self) -> Kernel {
        let Heads { query, key, .. } = self.heads;
        let by_fours =
            [query, key, self.value].iter().all(|view| (view.first | view.stride | view.head_size).is_multiple_of(4));
        let [few, many] = if by_fours { kernels!("attended_by_fours") } else { kernels!("attended_by_numbers") };
        let source = if self.few_queries { few } else { many };
        Kernel { name: "attention", source, constants: Vec::new() }
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let Heads { query, key, statistics, causal, window, scale, .. } = self.heads;
        let [rows, columns] = if self.few_queries { ROW_TILE } else { TILE };
        let tiles = sizes.length.div_ceil(rows) * query.head_size.div_ceil(columns) * sizes.batch * query.heads;
        let parameters = [
            sizes.length,
            self.heads.keys(sizes),
            sizes.past,
            sizes.batch * query.heads,
            query.heads,
            query.heads / key.heads,
            query.head_size,
            query.first,
            query.stride,
            query.pitch(sizes),
            key.first,
            key.stride,
            key.pitch(sizes),
            self.value.first,
            self.value.stride,
            self.value.pitch(sizes),
            first_row(statistics, sizes),
            pitch(statistics, sizes),
            usize::from(causal),
            window.unwrap_or(0),
        ];
        Launch::new(tiles, &parameters).and(scale)
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        self.run_parts(0..self.parts(sizes), inputs, outputs, sizes);
    }

    fn by_parts(&self) -> Option<&dyn ByParts> {
        Some(self)
    }
}

/// A part: up to [`QUERIES`] queries of one head of one sequence.
impl ByParts for Attend {
    fn parts(&self, sizes: Sizes) -> usize {
        sizes.batch * self.heads.query.heads * sizes.length.div_ceil(QUERIES)
    }

    fn work(&self, sizes: Sizes) -> usize {
        2 * QUERIES.min(sizes.length) * self.heads.keys(sizes) * self.heads.query.head_size
    }

    fn run_parts(&self, parts: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let Heads { query, key, statistics, scale, .. } = self.heads;
        let (length, keys, head_size) = (sizes.length, self.heads.keys(sizes), query.head_size);
        let (queries, all_keys, values) = (inputs.of(query.of), inputs.of(key.of), inputs.of(self.value.of));
        let mask = inputs.numbers(self.heads.mask());
        let [context, rows, ..] = outputs else { return };
        let mut scores = vec![0.0; QUERIES.min(length) * keys];
        let blocks = length.div_ceil(QUERIES);
        for part in parts {
            let (sequence, head) = (part / blocks / query.heads, part / blocks % query.heads);
            let first = part % blocks * QUERIES;
            let count = QUERIES.min(length - first);
            let group = self.heads.key_head(head);
            let mask = &mask[sequence * keys..][..keys];
            let transposed = Matrix::transposed(&all_keys[key.head(group).at(sequence, 0, sizes)..], key.stride);
            let values = Matrix::rows(&values[self.value.head(group).at(sequence, 0, sizes)..], self.value.stride);
            let statistics_row = sequence * pitch(statistics, sizes) + first_row(statistics, sizes);
            let scores = &mut scores[..count * keys];
            let left = Matrix::rows(&queries[query.head(head).at(sequence, first, sizes)..], query.stride);
            multiply(scores, keys, left, transposed, [count, head_size, keys], scale);
            for (row, scores) in scores.chunks_exact_mut(keys).enumerate() {
                add_mask(scores, mask, seen(&self.heads, sizes.past + first + row));
                let kept = softmax(scores);
                rows[2 * ((statistics_row + first + row) * query.heads + head)..][..2].copy_from_slice(&kept);
            }
            let out = &mut context[(sequence * length + first) * query.width() + head * head_size..];
            multiply(out, query.width(), Matrix::rows(scores, keys), values, [count, keys, head_size], 1.0);
        }
    }
}
