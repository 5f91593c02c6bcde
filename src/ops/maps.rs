//! A question about a finished run: any head's map, or many at once, made from kept queries, keys and each row's largest score
//! and sum. Pooled by maximum to the resolution that is asked for, so that a thin diagonal survives in a small picture.

use super::attention::add_mask;
use crate::kernels::{Matrix, exp, multiply};
use crate::plan::{Heads, Input, Inputs, Kernel, Launch, Op, Operand, Sizes, Use, pitch};
use std::ops::Range;

/// What is shown of a query and a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The attention weight.
    Weight,
    /// The score before mask and softmax.
    Score,
}

/// Which query rows and keys are shown, and in how many pixels: pixel y covers the rows from ⌊y · n / rows⌋ up to
/// ⌈(y + 1) · n / rows⌉, at least one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Window {
    pub queries: Range<usize>,
    pub keys: Range<usize>,
    pub rows: usize,
    pub columns: usize,
}

impl Window {
    /// Every query and key by itself.
    pub fn whole(queries: usize, keys: usize) -> Self {
        Self { queries: 0..queries, keys: 0..keys, rows: queries, columns: keys }
    }
}

/// Maps of heads `chosen` of one layer and one sequence: (chosen heads, window rows, window columns), from `offset` of the answer.
pub struct Maps {
    pub heads: Heads,
    pub kind: Kind,
    pub sequence: usize,
    pub chosen: Range<usize>,
    pub window: Window,
    pub offset: usize,
}

/// The tokens that pixel `at` of `pixels` covers, of `count` from `first` on.
pub(crate) fn covered(at: usize, pixels: usize, tokens: &Range<usize>) -> Range<usize> {
    let count = tokens.len();
    let first = at * count / pixels;
    let end = ((at + 1) * count).div_ceil(pixels).max(first + 1).min(count);
    tokens.start + first..tokens.start + end
}

impl Maps {
    /// Numbers that it writes.
    pub fn numbers(&self) -> usize {
        self.chosen.len() * self.window.rows * self.window.columns
    }
}

impl Op for Maps {
    fn name(&self) -> &'static str {
        "maps"
    }

    fn uses(&self) -> Vec<Use> {
        vec![
            Use::read(self.heads.query.of),
            Use::read(self.heads.key.of),
            Use::read(Input::KeyMask),
            Use::read(self.heads.statistics),
            Use::change(Operand::Answer),
        ]
    }

    fn kernel(&self) -> Kernel {
        let source = shader!("maps");
        Kernel { name: "maps", source, entry: "main", constants: Vec::new() }
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let Heads { query, key, statistics, causal, window, scale } = self.heads;
        let shown = &self.window;
        let parameters = [
            self.numbers(),
            sizes.keys(),
            self.heads.first_query(sizes),
            query.heads,
            query.heads / key.heads,
            query.head_size,
            query.first,
            query.stride,
            query.pitch(sizes),
            key.first,
            key.stride,
            key.pitch(sizes),
            pitch(statistics, sizes),
            usize::from(causal),
            window.unwrap_or(0),
            self.sequence,
            self.chosen.start,
            shown.queries.start,
            shown.queries.len(),
            shown.keys.start,
            shown.keys.len(),
            shown.rows,
            shown.columns,
            self.offset,
            usize::from(self.kind == Kind::Score),
        ];
        Launch::new(self.numbers().div_ceil(64), &parameters).and(scale)
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let Heads { query, key, statistics, scale, .. } = self.heads;
        let Window { queries, keys: shown, rows, columns } = &self.window;
        let (keys, first_query) = (sizes.keys(), self.heads.first_query(sizes));
        let (all_queries, all_keys) = (inputs.of(query.of), inputs.of(key.of));
        let statistics_of = inputs.of(statistics);
        let mask = &inputs.numbers(Input::KeyMask)[self.sequence * keys..][..keys];
        let mut scores = vec![0.0; keys];
        let mut pooled = vec![0.0; *columns];
        for (at, head) in self.chosen.clone().enumerate() {
            let transposed = Matrix::transposed(
                &all_keys[key.head(self.heads.key_head(head)).at(self.sequence, 0, sizes)..],
                key.stride,
            );
            let first_row = self.sequence * pitch(statistics, sizes);
            for y in 0..*rows {
                pooled.fill(f32::MIN);
                for row in covered(y, *rows, queries) {
                    let left =
                        Matrix::rows(&all_queries[query.head(head).at(self.sequence, row, sizes)..], query.stride);
                    multiply(&mut scores, keys, left, transposed, [1, query.head_size, keys], scale);
                    if self.kind == Kind::Weight {
                        add_mask(&self.heads, &mut scores, mask, first_query + row);
                        let numbers = &statistics_of[2 * ((first_row + row) * query.heads + head)..][..2];
                        scores.iter_mut().for_each(|score| *score = exp(*score - numbers[0]) / numbers[1]);
                    }
                    for (x, pooled) in pooled.iter_mut().enumerate() {
                        let here = &scores[covered(x, *columns, shown)];
                        *pooled = here.iter().fold(*pooled, |most, number| most.max(*number));
                    }
                }
                let start = self.offset + (at * rows + y) * columns;
                outputs[0][start..start + columns].copy_from_slice(&pooled);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::covered;

    #[test]
    fn pixels_cover_every_token_in_order() {
        for pixels in 1..40 {
            for count in 1..90 {
                let tokens = 7..7 + count;
                let ranges: Vec<_> = (0..pixels).map(|at| covered(at, pixels, &tokens)).collect();
                let what = format!("{pixels} pixels, {count} tokens");
                assert_eq!((ranges[0].start, ranges[pixels - 1].end), (7, 7 + count), "{what}");
                assert!(ranges.iter().all(|range| !range.is_empty()), "{what}");
                assert!(ranges.windows(2).all(|pair| pair[1].start <= pair[0].end), "{what}");
            }
        }
    }
}
