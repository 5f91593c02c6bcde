//! Rotation in place, for rotary position embedding of values (RoVE, arXiv 2606.11275). Values are rotated by their position, and heads'
//! outputs by minus the query's (inverse rotation): a head then adds values by their distance. The table's magnitude is left out.

use super::rotation::{Rotary, cos_sin};
use crate::kernels;
use crate::plan::{Input, Inputs, Kernel, Launch, Op, Operand, PlanBuilder, Sizes, Use, View, parameters};
use std::ops::Range;

/// The rotation of heads to the position of their token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InPlaceRotation {
    /// Names the table; the view says which columns are rotated.
    pub rotary: Rotary,
    /// Pair i is (i, i + halves / 2) in the first `halves` dimensions of a head; 0: adjacent dimensions are pairs.
    pub halves: usize,
    /// Whether angles are negated.
    pub inverse: bool,
}

struct RotateInPlace {
    view: View,
    rotation: InPlaceRotation,
}

impl PlanBuilder {
    /// Rotates the view's heads in place. The view is of a value over tokens; its head size is the table's.
    pub fn rotate_in_place(&mut self, view: View, rotation: InPlaceRotation) {
        let inside = matches!(view.operand, Operand::Value(_)) && self.contains(view);
        let paired = rotation.halves.is_multiple_of(2) && rotation.halves <= view.head_size;
        let size = rotation.rotary.head_size;
        if !inside || !paired || size != view.head_size || !size.is_multiple_of(2) {
            let message = format!("{}, rotated by heads of {size} with halves of {}", view.describe(), rotation.halves);
            return self.fail("in_place_rotation", message);
        }
        self.step(RotateInPlace { view, rotation });
    }
}

impl RotateInPlace {
    /// Pairs of a head, columns between the numbers of a pair, columns from one pair to the next.
    fn pairs(&self) -> [usize; 3] {
        match self.rotation.halves {
            0 => [self.view.head_size / 2, 1, 2],
            halves => [halves / 2, halves / 2, 1],
        }
    }
}

impl Op for RotateInPlace {
    fn uses(&self) -> Vec<Use> {
        vec![
            Use::read("table", self.rotation.rotary.table()),
            Use::read("positions", Input::Positions),
            Use::change("x", self.view.operand),
        ]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("in_place_rotation/in_place_rotation").set("inverse", self.rotation.inverse)
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        let View { first, stride, heads, head_size, .. } = self.view;
        let [pairs, pair_distance, pair_step] = self.pairs();
        let elements = sizes.tokens() * heads * pairs;
        let params = parameters! {
            elements: u32 = elements,
            heads: u32 = heads,
            head_size: u32 = head_size,
            first: u32 = first,
            stride: u32 = stride,
            pairs: u32 = pairs,
            pair_distance: u32 = pair_distance,
            pair_step: u32 = pair_step,
        };
        Launch::for_elements(elements, params)
    }

    fn run(&self, _chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        let View { first, stride, head_size, .. } = self.view;
        let [pairs, pair_distance, pair_step] = self.pairs();
        let cos_sin = cos_sin(inputs, self.rotation.rotary);
        for (token, row) in outputs[0].chunks_exact_mut(stride).enumerate() {
            let cos_sin = cos_sin(token);
            for head in row[first..first + self.view.width()].chunks_exact_mut(head_size) {
                kernels::rotate_pairs(head, &cos_sin[..2 * pairs], [pair_distance, pair_step], self.rotation.inverse);
            }
        }
    }
}
