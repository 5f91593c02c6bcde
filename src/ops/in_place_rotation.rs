//! Rotary position embedding of values (RoVE, arXiv 2606.11275): values turn by their own position, and what heads give turns back
//! by the query's, so that a head adds the value at its distance. In place, by the angles of the table without its magnitude.

use super::Rotary;
use super::rotation::turns;
use crate::kernels;
use crate::plan::{Input, Inputs, Kernel, Launch, Op, Operand, Plan, Sizes, Use, View, parameters};
use std::ops::Range;

/// How heads are turned by their token's position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InPlaceRotation {
    /// Its table; which columns turn is said by a view.
    pub rotary: Rotary,
    /// Dimensions of a head whose two halves hold the pairs, pair i of the table in i and i + halves / 2; 0: adjacent ones do.
    pub halves: usize,
    /// The other way round.
    pub inverse: bool,
}

struct RotateInPlace {
    view: View,
    rotation: InPlaceRotation,
}

impl Plan {
    /// Turns the view's heads in place. The view is of a value over tokens, its heads are as wide as the table's.
    pub fn rotate_in_place(&mut self, view: View, rotation: InPlaceRotation) {
        let width = match view.of {
            Operand::Value(value) => self.shape(value).fixed_width().filter(|_| self.shape(value).is_tokens()),
            _ => None,
        };
        let inside = width == Some(view.stride) && view.first + view.width() <= view.stride;
        let paired = rotation.halves.is_multiple_of(2) && rotation.halves <= view.head_size;
        let size = rotation.rotary.head_size;
        if !inside || !paired || size != view.head_size || !size.is_multiple_of(2) {
            let message = format!("{}, turned by heads of {size} with halves of {}", view.describe(), rotation.halves);
            return self.fail("in_place_rotation", message);
        }
        self.step(RotateInPlace { view, rotation });
    }
}

impl RotateInPlace {
    /// Pairs of a head that may turn, and from one number of a pair to the other; the first of pair i lies at i times `step`.
    fn pairs(&self) -> [usize; 3] {
        match self.rotation.halves {
            0 => [self.view.head_size / 2, 1, 2],
            halves => [halves / 2, halves / 2, 1],
        }
    }
}

parameters! {
    struct Params {
        numbers: u32,
        heads: u32,
        head_size: u32,
        first: u32,
        stride: u32,
        pairs: u32,
        apart: u32,
        step: u32,
    }
}

impl Op for RotateInPlace {
    fn name(&self) -> &'static str {
        "in_place_rotation"
    }

    fn uses(&self) -> Vec<Use> {
        vec![Use::read(self.rotation.rotary.table()), Use::read(Input::Positions), Use::change(self.view.of)]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("in_place_rotation/in_place_rotation").set("inverse", self.rotation.inverse)
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let View { first, stride, heads, head_size, .. } = self.view;
        let [pairs, apart, step] = self.pairs();
        let numbers = sizes.tokens() * heads * pairs;
        let params = Params {
            numbers: numbers as u32,
            heads: heads as u32,
            head_size: head_size as u32,
            first: first as u32,
            stride: stride as u32,
            pairs: pairs as u32,
            apart: apart as u32,
            step: step as u32,
        };
        Launch::new(numbers.div_ceil(64), params)
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        let View { first, stride, head_size, .. } = self.view;
        let [pairs, apart, step] = self.pairs();
        let turns = turns(inputs, self.rotation.rotary);
        for (token, row) in outputs[0].chunks_exact_mut(stride).enumerate() {
            let turns = turns(token);
            for head in row[first..first + self.view.width()].chunks_exact_mut(head_size) {
                kernels::rotate_pairs(head, &turns[..2 * pairs], [apart, step], self.rotation.inverse);
            }
        }
    }
}
