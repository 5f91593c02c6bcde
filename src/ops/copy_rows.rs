//! Copies some columns of rows: keys and values of a run into the KV cache, or rows of a head into the result buffer.

use crate::plan::{
    Inputs, Kernel, Launch, Op, Operand, PlanBuilder, Sizes, State, Use, Value, View, first_row, parameters, pitch,
};
use std::ops::Range;

/// Copies the columns of `from`, of rows first .. first + rows of each sequence. As a probe it writes (rows, width) from `offset` of the
/// result buffer, of the first sequence only.
pub struct CopyRows {
    pub from: View,
    /// (batch, rows, width of the view)
    pub to: Operand,
    /// The first row of each sequence; in a state its index there.
    pub first: usize,
    /// Rows of each sequence; none: those of the run.
    pub rows: Option<usize>,
    /// Index in the result buffer.
    pub offset: usize,
}

impl PlanBuilder {
    /// Appends the view's columns of the run's rows to a cache. state: (batch, cache capacity, width of the view).
    pub fn append_to_cache(&mut self, from: View, state: State) {
        if from.width() != state.width {
            self.fail("copy_rows", format!("{} columns into a state of {}", from.width(), state.width));
        }
        self.step(CopyRows { from, to: state.into(), first: 0, rows: None, offset: 0 });
    }
}

/// Sizes of a copy in one run.
struct Extents {
    sequences: usize,
    rows: usize,
    /// Target rows from one sequence to the next.
    target_pitch: usize,
    /// Index of the first number written.
    target: usize,
}

impl CopyRows {
    /// A probe: rows first .. first + rows of the first sequence into the result buffer.
    pub fn to_results(from: View, first: usize, rows: usize, offset: usize) -> Self {
        Self { from, to: Operand::Results, first, rows: Some(rows), offset }
    }

    fn extents(&self, sizes: Sizes) -> Extents {
        let rows = self.rows.unwrap_or(sizes.length);
        let for_probe = self.to == Operand::Results;
        Extents {
            sequences: if for_probe { 1 } else { sizes.batch },
            rows,
            target_pitch: if for_probe { rows } else { pitch(self.to, sizes) },
            target: self.offset + if for_probe { 0 } else { first_row(self.to, sizes) * self.from.width() },
        }
    }
}

impl Op for CopyRows {
    fn uses(&self) -> Vec<Use> {
        vec![Use::read("source", self.from.operand), Use::change("destination", self.to)]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("copy_rows/copy_rows").when("f16_cache", self.to.is_f16())
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let Extents { sequences, rows, target_pitch, target } = self.extents(sizes);
        let View { first, stride, .. } = self.from;
        let width = self.from.width();
        let elements = sequences * rows * width;
        let params = parameters! {
            elements: u32 = elements,
            rows: u32 = rows,
            width: u32 = width,
            source_pitch: u32 = self.from.pitch(sizes),
            stride: u32 = stride,
            source: u32 = self.first * stride + first,
            target_pitch: u32 = target_pitch,
            first: u32 = target,
        };
        Launch::for_elements(elements, params)
    }

    fn run(&self, _chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let Extents { sequences, rows, target_pitch, target } = self.extents(sizes);
        let (source, width) = (inputs.of(self.from.operand), self.from.width());
        for sequence in 0..sequences {
            for row in 0..rows {
                let start = self.from.at(sequence, self.first + row, sizes);
                let end = target + (sequence * target_pitch + row) * width;
                outputs[0][end..end + width].copy_from_slice(&source[start..start + width]);
            }
        }
    }
}

impl View {
    /// All columns of a value.
    pub fn full(value: Value, width: usize) -> Self {
        View { operand: value.into(), first: 0, stride: width, heads: 1, head_size: width }
    }
}
