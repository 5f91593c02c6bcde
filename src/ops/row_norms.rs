//! A probe: norms of rows of one layer's heads, optionally after their head's columns of the output projection. A value's norm times its
//! attention weight tells how much a head takes from that token (Kobayashi et al. 2020, arXiv 2004.10102).

use crate::kernels::{Format, gemm_transposed};
use crate::plan::{Inputs, Kernel, Launch, Op, Operand, Sizes, Use, View, Weight, parameters};
use std::ops::Range;

/// Norms of the heads `head_range` of one sequence: (heads, count) from `offset` of the result buffer.
pub struct RowNorms {
    /// Rows of a value or a state; each of its heads belongs to heads / rows.heads query heads.
    pub rows: View,
    pub heads: usize,
    /// The output projection, (hidden_size, heads · head_size), if rows are projected first.
    pub output: Option<(Weight, Format)>,
    pub sequence: usize,
    pub head_range: Range<usize>,
    /// Rows of the sequence.
    pub count: usize,
    pub offset: usize,
}

impl RowNorms {
    /// Numbers that it writes.
    pub fn numbers(&self) -> usize {
        self.head_range.len() * self.count
    }

    /// Query heads that share a value head.
    fn group(&self) -> usize {
        (self.heads / self.rows.heads.max(1)).max(1)
    }
}

impl Op for RowNorms {
    fn uses(&self) -> Vec<Use> {
        let output = self.output.map(|(output, _)| Operand::Weight(output));
        vec![
            Use::read("rows", self.rows.operand),
            Use::read_if("weight", output),
            Use::change("results", Operand::Results),
        ]
    }

    fn kernel(&self) -> Kernel {
        let format = self.output.map_or(Format::F32, |(_, format)| format);
        Kernel::new("row_norms/row_norms").set("projects", self.output.is_some()).set("format", format.code())
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let View { first, stride, head_size, .. } = self.rows;
        let [width, columns] = self.output.map_or([0; 2], |(output, _)| [output.rows, output.columns]);
        let params = parameters! {
            norms: u32 = self.numbers(),
            count: u32 = self.count,
            first_head: u32 = self.head_range.start,
            group: u32 = self.group(),
            head_size: u32 = head_size,
            first: u32 = first,
            stride: u32 = stride,
            first_row: u32 = self.sequence * self.rows.pitch(sizes),
            width: u32 = width,
            columns: u32 = columns,
            offset: u32 = self.offset,
        };
        Launch::new(self.numbers(), params)
    }

    fn run(&self, _chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let View { stride, head_size, .. } = self.rows;
        let numbers = inputs.of(self.rows.operand);
        let width = self.output.map_or(0, |(output, _)| output.rows);
        let (mut through, mut projected) = (vec![0.0; width * head_size], vec![0.0; width]);
        let results = outputs[0][self.offset..].chunks_exact_mut(self.count);
        for (head, out) in self.head_range.clone().zip(results) {
            if let Some((output, _)) = self.output {
                // The head's columns of each row.
                let mut weight_row = vec![0.0; output.columns];
                for (at, columns) in through.chunks_exact_mut(head_size).enumerate() {
                    inputs.matrix(output).row(at, &mut weight_row);
                    columns.copy_from_slice(&weight_row[head * head_size..][..head_size]);
                }
            }
            let start = self.rows.head(head / self.group()).at(self.sequence, 0, sizes);
            for (norm, row) in out.iter_mut().zip(numbers[start..].chunks(stride)) {
                let mut row = &row[..head_size];
                if self.output.is_some() {
                    gemm_transposed(&mut projected, row, &through, [1, head_size, width]);
                    row = &projected;
                }
                gemm_transposed(std::slice::from_mut(norm), row, row, [1, row.len(), 1]);
                *norm = norm.sqrt();
            }
        }
    }
}
