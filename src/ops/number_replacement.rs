//! Puts numbers in a tensor: those that the run's entries name, for whole rows, columns or heads, or for one number.

use crate::plan::{
    Derivation, ENTRY_WORDS, EVERY_INDEX, Input, Inputs, Kernel, Launch, Op, PlanBuilder, Site, Sizes, TapView,
    TensorName, Use, Value, parameters,
};
use std::ops::Range;

struct ReplaceNumbers {
    site: Site,
    view: TapView,
    columns: Columns,
    entries: Input,
    /// The number of the tensor and layer in the entries.
    target: usize,
    y: Value,
}

/// The columns of a tensor in rows of a value: heads side by side, the first `halves` of each head's columns in pairs.
#[derive(Debug, Clone, Copy)]
struct Columns {
    width: usize,
    first: usize,
    heads: usize,
    head_size: usize,
    halves: usize,
}

impl Columns {
    /// The place in a row of a column of a head.
    fn at(&self, head: usize, column: usize) -> usize {
        let half = self.halves / 2;
        let column = match column {
            column if column < half => 2 * column,
            column if column < 2 * half => 2 * (column - half) + 1,
            column => column,
        };
        self.first + head * self.head_size + column
    }
}

impl ReplaceNumbers {
    fn targets(&self) -> usize {
        if let Input::NumberEntries { targets, .. } = self.entries { targets } else { 0 }
    }
}

impl PlanBuilder {
    /// The value of the view with the numbers that the run puts in this tensor of a layer; the value itself if the plan has none of them.
    /// The view is of (batch, length, width).
    pub fn replace_numbers(&mut self, site: Site, view: TapView) -> Value {
        let (x, numbers) = (view.value(), self.options().interventions.numbers);
        if !numbers.contains(site.tensor) {
            return x;
        }
        let shape = self.shape(x);
        let width = shape.fixed_width().filter(|_| shape.is_tokens());
        let columns = width.and_then(|width| match view {
            TapView::Value(_) => Some(Columns { width, first: 0, heads: 1, head_size: width, halves: 0 }),
            TapView::Columns { view, halves, .. } if view.first + view.width() <= width => {
                Some(Columns { width, first: view.first, heads: view.heads, head_size: view.head_size, halves })
            }
            _ => None,
        });
        let Some(columns) = columns else {
            self.fail("number_replacement", format!("{site} is {view:?} of {}", shape.describe()));
            return x;
        };
        let y = self.value(shape);
        let (entries, target) = (numbers.input(), numbers.target(site.tensor, site.layer.unwrap_or(0)));
        self.step(ReplaceNumbers { site, view, columns, entries, target, y });
        y
    }

    /// The same for a value that is all of a tensor of a layer, which a run may keep.
    pub fn replace_and_tap(&mut self, tensor: TensorName, layer: usize, value: Value) -> Value {
        let value = self.replace_numbers(self.in_own_part(tensor.at(layer)), TapView::Value(value));
        self.tap(tensor, layer, TapView::Value(value));
        value
    }
}

impl Op for ReplaceNumbers {
    fn uses(&self) -> Vec<Use> {
        vec![Use::read("entries", self.entries), Use::read("x", self.view.value()), Use::write("y", self.y)]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("number_replacement/number_replacement")
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let Columns { width, first, heads, head_size, halves } = self.columns;
        let elements = sizes.tokens() * width;
        let params = parameters! {
            elements: u32 = elements,
            width: u32 = width,
            length: u32 = sizes.length,
            first: u32 = first,
            head_columns: u32 = heads * head_size,
            head_size: u32 = head_size,
            halves: u32 = halves,
            target_index: u32 = self.target,
            targets: u32 = self.targets(),
        };
        Launch::for_elements(elements, params)
    }

    fn run(&self, _chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes) {
        let Columns { width, heads, head_size, .. } = self.columns;
        let (firsts, entries) = inputs.indices(self.entries).split_at(self.targets() + 1);
        let of_target = firsts[self.target] as usize * ENTRY_WORDS..firsts[self.target + 1] as usize * ENTRY_WORDS;
        outputs[0].copy_from_slice(inputs.value(self.view.value()));
        let covered = |entry: u32, size: usize| match entry {
            EVERY_INDEX => 0..size,
            at => at as usize..(at as usize + 1).min(size),
        };
        for entry in entries[of_target].chunks_exact(ENTRY_WORDS) {
            let &[head, row, column, bits] = entry else { continue };
            let number = f32::from_bits(bits);
            for text in outputs[0].chunks_exact_mut(sizes.length * width) {
                for row in covered(row, sizes.length) {
                    let row = &mut text[row * width..][..width];
                    for head in covered(head, heads) {
                        match column {
                            EVERY_INDEX => row[self.columns.at(head, 0)..][..head_size].fill(number),
                            column if (column as usize) < head_size => {
                                row[self.columns.at(head, column as usize)] = number;
                            }
                            _ => {}
                        }
                    }
                }
            }
        }
    }

    fn derive(&self, _value: Value, row: usize, column: usize) -> Option<Derivation> {
        let before = Derivation::value("x", self.view.value(), row, column);
        Some(match self.view.index(row, column) {
            Some(index) => {
                let site = self.site.with_index::<3>(index);
                Derivation::Replaceable { site, before: Box::new(before) }
            }
            None => before,
        })
    }
}
