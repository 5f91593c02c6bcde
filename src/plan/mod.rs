//! A forward pass as plain data: values, ops, slots and taps. Knows no device, no model and no op by name.

mod op;
mod shape;
mod slots;
mod tap;

pub use op::{Access, Binding, Dispatch, Input, Inputs, Kernel, Launch, Op, Phase, grid};
pub use shape::{Capacity, Shape, Sizes};
pub use slots::Slots;
pub use tap::{Tap, TapView, Taps};

use crate::error::Error;

/// An activation of a plan. Copying the handle copies no numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Value(usize);

impl Value {
    /// Its place in the plan: in `Finished::shapes` and `Slots::of`.
    pub fn index(self) -> usize {
        self.0
    }
}

/// A weight matrix (rows, columns), row-major as PyTorch's `Linear` stores it; a vector has one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weight {
    pub index: usize,
    pub rows: usize,
    pub columns: usize,
}

/// One op of a plan and when it runs.
pub struct Step {
    pub op: Box<dyn Op>,
    pub phase: Phase,
}

/// A recorded forward pass. The first error is kept and returned by [`Plan::finish`], so that models stay free of `?`.
pub struct Plan {
    capacity: Capacity,
    wanted: Taps,
    shapes: Vec<Shape>,
    steps: Vec<Step>,
    taps: Vec<(Tap, TapView)>,
    outputs: Vec<Value>,
    error: Option<Error>,
}

/// A plan whose shapes agree, with its values laid into slots.
pub struct Finished {
    pub capacity: Capacity,
    pub shapes: Vec<Shape>,
    pub steps: Vec<Step>,
    pub taps: Vec<(Tap, TapView)>,
    pub outputs: Vec<Value>,
    pub slots: Slots,
}

impl Plan {
    /// An empty plan for at most `capacity`, in which the taps of `wanted` will be kept.
    pub fn new(capacity: Capacity, wanted: Taps) -> Self {
        Self {
            capacity,
            wanted,
            shapes: Vec::new(),
            steps: Vec::new(),
            taps: Vec::new(),
            outputs: Vec::new(),
            error: None,
        }
    }

    /// A new value of this shape, to be written by the next step.
    pub fn value(&mut self, shape: Shape) -> Value {
        self.shapes.push(shape);
        Value(self.shapes.len() - 1)
    }

    /// The shape that a value was recorded with.
    pub fn shape(&self, value: Value) -> Shape {
        self.shapes[value.0]
    }

    /// Records an op of the forward pass.
    pub fn step(&mut self, op: impl Op + 'static) {
        self.steps.push(Step { op: Box::new(op), phase: Phase::Forward });
    }

    /// Records an op that runs only for the chosen layer and head, after the forward pass or alone.
    pub fn selection_step(&mut self, layer: usize, op: impl Op + 'static) {
        self.steps.push(Step { op: Box::new(op), phase: Phase::Selection { layer } });
    }

    /// Keeps the first error, with the name of the op that found it.
    pub fn fail(&mut self, op: &'static str, message: impl Into<String>) {
        self.error.get_or_insert(Error::ShapeMismatch { op, message: message.into() });
    }

    /// Whether a tap is wanted: ops that exist only for a tap ask first.
    pub fn wants(&self, tap: Tap) -> bool {
        self.wanted.contains(tap)
    }

    /// Names a value (or columns of it) as a tap; it is kept in a buffer of its own if the tap is wanted.
    pub fn tap(&mut self, tap: Tap, view: TapView) {
        if self.wants(tap) {
            self.taps.push((tap, view));
        }
    }

    /// Marks a value as a result of the plan: it is kept until the end.
    pub fn output(&mut self, value: Value) {
        self.outputs.push(value);
    }

    /// The plan with its values in slots. Errors: the first that an op or a shape check met.
    pub fn finish(self) -> Result<Finished, Error> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let kept = self.taps.iter().map(|(_, view)| view.value).chain(self.outputs.iter().copied());
        let slots = Slots::assign(&self.steps, &self.shapes, kept, self.capacity);
        Ok(Finished {
            capacity: self.capacity,
            shapes: self.shapes,
            steps: self.steps,
            taps: self.taps,
            outputs: self.outputs,
            slots,
        })
    }
}

impl Finished {
    /// Where a kept tap lies; `None` if the plan was not made to keep it.
    pub fn tap(&self, tap: Tap) -> Option<TapView> {
        self.taps.iter().find(|(name, _)| *name == tap).map(|(_, view)| *view)
    }
}
