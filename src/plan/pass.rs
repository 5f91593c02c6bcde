//! A forward pass as data: the ops in order, and where each of their values is stored.

use super::{Capacity, HeadValues, Heads, Input, Op, Part, Shape, Site, Sizes, Slots, State, TapView, Value, Weight};
use crate::kernels::Format;
use std::rc::Rc;

/// A forward pass whose shapes agree, with a slot for each value. A [`super::PlanBuilder`] records it.
pub struct Plan {
    pub capacity: Capacity,
    pub shapes: Vec<Shape>,
    pub states: Vec<State>,
    pub steps: Vec<Box<dyn Op>>,
    /// The sites that a run keeps.
    pub taps: Vec<(Site, TapView)>,
    /// The heads of each layer; empty unless the plan keeps them.
    pub(super) layers: Vec<LayerHeads>,
    /// Values that are read after a run.
    pub outputs: Vec<Value>,
    /// The storage format of each weight; f32 for weights beyond the end.
    pub formats: Rc<[Format]>,
    /// The inputs that the ops read, each once.
    pub inputs: Vec<Input>,
    pub slots: Slots,
}

/// The heads of one layer of a part.
pub(super) struct LayerHeads {
    pub part: Part,
    pub heads: Heads,
    pub values: HeadValues,
}

impl Plan {
    /// The columns of a tapped site; `None` if the plan does not keep it.
    pub fn tap(&self, site: Site) -> Option<TapView> {
        self.taps.iter().find(|(name, _)| *name == site).map(|(_, view)| *view)
    }

    /// The heads of each layer of a part; empty unless the plan keeps them.
    pub fn heads(&self, part: Part) -> Vec<Heads> {
        self.layers.iter().filter(|layer| layer.part == part).map(|layer| layer.heads).collect()
    }

    /// The values and output projection of each layer's heads; empty unless the plan keeps heads.
    pub fn head_values(&self, part: Part) -> Vec<HeadValues> {
        self.layers.iter().filter(|layer| layer.part == part).map(|layer| layer.values).collect()
    }

    pub fn format(&self, weight: Weight) -> Format {
        self.formats.get(weight.index).copied().unwrap_or_default()
    }

    pub fn elements(&self, value: Value, sizes: Sizes) -> u64 {
        self.shapes[value.0].elements(sizes)
    }

    pub fn slot_elements(&self) -> u64 {
        self.slots.sizes.iter().fold(0, |sum: u64, size| sum.saturating_add(*size))
    }
}
