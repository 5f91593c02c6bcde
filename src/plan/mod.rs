//! A forward pass as plain data: values, states, ops, slots and taps. Knows no device, no model and no op by name.

mod op;
mod operand;
mod parameter;
mod part;
mod shape;
mod site;
mod slots;
mod tap;
mod view;

pub use op::{ByParts, Inputs, Kernel, Launch, Op, WORKGROUP, grid};
pub use operand::{Access, HeadAblation, Input, Operand, PairMode, State, Use, Value, Weight};
pub(crate) use parameter::parameters;
pub use parameter::{Member, Parameter, ParameterType};
pub use part::Part;
pub use shape::{Axis, CHUNK, Capacity, Extent, Shape, Sizes};
pub use site::{Index, Site, TensorName};
pub use slots::Slots;
pub use tap::{TapView, Taps};
pub use view::{Heads, View, Weighed, first_row, pitch};

use crate::error::Error;
use crate::kernels::Format;
use std::rc::Rc;

/// A recorded forward pass. The first error is kept and returned by [`Plan::finish`], so that models stay free of `?`.
pub struct Plan {
    capacity: Capacity,
    wanted: Taps,
    part: Part,
    cached: bool,
    keeps_heads: bool,
    intervenes: InterventionKinds,
    lens: bool,
    spreads: bool,
    layer_rows: Vec<Value>,
    shapes: Vec<Shape>,
    states: Vec<State>,
    steps: Vec<Box<dyn Op>>,
    taps: Vec<(Site, TapView)>,
    layers: Vec<Layer>,
    outputs: Vec<Value>,
    formats: Rc<[Format]>,
    error: Option<Error>,
}

/// The kinds of interventions that a plan makes room for; what they do comes with a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct InterventionKinds {
    /// Pairs of heads may be stopped or cut.
    pub pairs: bool,
    /// What heads give may be replaced.
    pub heads: bool,
    /// Values turn by their position, and what heads give turns back by the query's.
    pub rotated_values: bool,
    /// Queries are scaled by their token.
    pub scaled_queries: bool,
    /// Distances are clamped to this one.
    pub reach: Option<usize>,
}

/// The heads of one layer of a part, and what they weigh.
struct Layer {
    part: Part,
    heads: Heads,
    weighed: Weighed,
}

/// A plan whose shapes agree, with its values laid into slots.
pub struct Finished {
    pub capacity: Capacity,
    pub shapes: Vec<Shape>,
    pub states: Vec<State>,
    pub steps: Vec<Box<dyn Op>>,
    pub taps: Vec<(Site, TapView)>,
    /// The heads of each layer, where they are kept.
    layers: Vec<Layer>,
    pub outputs: Vec<Value>,
    /// How weights are kept, by their index; f32 where there is no entry.
    pub formats: Rc<[Format]>,
    /// Inputs that its ops read, each once.
    pub inputs: Vec<Input>,
    pub slots: Slots,
}

impl Plan {
    /// An empty plan for at most `capacity`, in which the taps of `wanted` will be kept.
    pub fn new(capacity: Capacity, wanted: Taps) -> Self {
        Self {
            capacity,
            wanted,
            part: Part::default(),
            cached: false,
            keeps_heads: false,
            intervenes: InterventionKinds::default(),
            lens: false,
            spreads: false,
            layer_rows: Vec::new(),
            shapes: Vec::new(),
            states: Vec::new(),
            steps: Vec::new(),
            taps: Vec::new(),
            layers: Vec::new(),
            outputs: Vec::new(),
            formats: Rc::default(),
            error: None,
        }
    }

    /// The largest run that it is for.
    pub fn capacity(&self) -> Capacity {
        self.capacity
    }

    /// Says how weights are kept, by their index, for the ops that follow.
    pub fn set_formats(&mut self, formats: Rc<[Format]>) {
        self.formats = formats;
    }

    /// How a weight is kept.
    pub fn format(&self, weight: Weight) -> Format {
        self.formats.get(weight.index).copied().unwrap_or_default()
    }

    /// Says whose pass it is, the encoder's or the decoder's.
    pub fn of_part(mut self, part: Part) -> Self {
        self.part = part;
        self
    }

    pub fn part(&self) -> Part {
        self.part
    }

    /// Keys and values of earlier runs are looked at, too, and those of this run are kept for later ones.
    pub fn with_cache(mut self) -> Self {
        self.cached = true;
        self
    }

    /// Queries and keys of every layer are kept, so that heads can be looked at after the run.
    pub fn with_heads(mut self) -> Self {
        self.keeps_heads = true;
        self
    }

    /// Makes room for interventions.
    pub fn with_interventions(mut self, intervenes: InterventionKinds) -> Self {
        self.intervenes = intervenes;
        self
    }

    pub fn intervenes(&self) -> InterventionKinds {
        self.intervenes
    }

    /// The output head will look at every layer's hidden states.
    pub fn with_lens(mut self) -> Self {
        self.lens = true;
        self
    }

    pub fn has_lens(&self) -> bool {
        self.lens
    }

    /// Work that few workgroups would do is spread over more of them, in another dispatch.
    pub fn with_spreading(mut self) -> Self {
        self.spreads = true;
        self
    }

    pub fn spreads(&self) -> bool {
        self.spreads
    }

    pub fn is_cached(&self) -> bool {
        self.cached
    }

    pub fn keeps_heads(&self) -> bool {
        self.keeps_heads
    }

    /// A new value of this shape, to be written by the next step.
    pub fn value(&mut self, shape: Shape) -> Value {
        self.shapes.push(shape);
        Value(self.shapes.len() - 1)
    }

    /// A new state with so many numbers a token of the text.
    pub fn state(&mut self, width: usize) -> State {
        self.state_of(Axis::Keys, width)
    }

    /// A new state with so many numbers a token of the source.
    pub fn source_state(&mut self, width: usize) -> State {
        self.state_of(Axis::Source, width)
    }

    /// A new state with so many numbers a sequence, whatever its length.
    pub fn recurrent_state(&mut self, width: usize) -> State {
        self.state_of(Axis::Batch, width)
    }

    fn state_of(&mut self, of: Axis, width: usize) -> State {
        let state = State { index: self.states.len(), width, of };
        self.states.push(state);
        state
    }

    /// The shape that a value was recorded with.
    pub fn shape(&self, value: Value) -> Shape {
        self.shapes[value.0]
    }

    /// Records an op of the forward pass.
    pub fn step(&mut self, op: impl Op + 'static) {
        self.steps.push(Box::new(op));
    }

    /// Keeps the first error, with the name of the op that found it.
    pub fn fail(&mut self, op: &'static str, message: impl Into<String>) {
        self.error.get_or_insert(Error::ShapeMismatch { op, message: message.into() });
    }

    /// Whether a run keeps this tensor of a layer: ops that exist only for a tap ask first.
    pub fn wants(&self, tensor: TensorName, layer: usize) -> bool {
        self.wanted.contains(tensor.at(layer).of(self.part))
    }

    /// Names a value (or columns of it) as an tensor of a layer. It gets a buffer of its own if the run keeps it.
    pub fn tap(&mut self, tensor: TensorName, layer: usize, view: TapView) {
        if self.wants(tensor, layer) {
            self.taps.push((tensor.at(layer).of(self.part), view));
        }
    }

    /// The heads of a part's next layer, in the order of the layers. They are kept where the plan keeps heads.
    pub fn layer_heads(&mut self, part: Part, heads: Heads, weighed: Weighed) {
        if self.keeps_heads {
            self.layers.push(Layer { part, heads, weighed });
        }
    }

    /// Prediction rows of what enters the next layer, for the output head to look at: (rows, hidden_size).
    pub fn keep_layer_rows(&mut self, rows: Value) {
        self.layer_rows.push(rows);
    }

    /// Those rows, by layer.
    pub fn layer_rows(&self) -> &[Value] {
        &self.layer_rows
    }

    /// Marks a value as a result of the plan: it is kept until the end.
    pub fn output(&mut self, value: Value) {
        self.outputs.push(value);
    }

    /// The plan with its values in slots.
    ///
    /// # Errors
    /// The first that an op or a shape check met; a value that is read or kept, but not written before.
    pub fn finish(self) -> Result<Finished, Error> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let of_layer =
            |Layer { heads, weighed, .. }: &Layer| [heads.query.of, heads.key.of, heads.statistics, weighed.value.of];
        let kept_heads = self.layers.iter().flat_map(of_layer).filter_map(|operand| match operand {
            Operand::Value(value) => Some(value),
            _ => None,
        });
        let mut kept = vec![false; self.shapes.len()];
        let tapped = self.taps.iter().map(|(_, view)| view.value());
        tapped.chain(self.outputs.iter().copied()).chain(kept_heads).for_each(|value| kept[value.0] = true);
        self.check_order(&kept)?;
        let mut inputs = Vec::new();
        for used in self.steps.iter().flat_map(|op| op.uses()) {
            match used.operand {
                Operand::Input(input) if !inputs.contains(&input) => inputs.push(input),
                _ => {}
            }
        }
        let slots = Slots::assign(&self.steps, &self.shapes, &kept, self.capacity);
        Ok(Finished {
            capacity: self.capacity,
            shapes: self.shapes,
            states: self.states,
            steps: self.steps,
            taps: self.taps,
            layers: self.layers,
            outputs: self.outputs,
            formats: self.formats,
            inputs,
            slots,
        })
    }

    /// Every value is written before it is read, and what is kept is written at all.
    fn check_order(&self, kept: &[bool]) -> Result<(), Error> {
        let mut written = vec![false; self.shapes.len()];
        for op in &self.steps {
            let uses = op.uses();
            for used in uses.iter().filter(|used| used.access != Access::Write) {
                if used.value().is_some_and(|value| !written[value.0]) {
                    let message = "reads a value that no step before it writes".into();
                    return Err(Error::ShapeMismatch { op: op.name(), message });
                }
            }
            for value in uses.iter().filter(|used| used.writes()).filter_map(Use::value) {
                written[value.0] = true;
            }
        }
        if kept.iter().zip(&written).any(|(kept, written)| *kept && !written) {
            return Err(Error::ShapeMismatch { op: "plan", message: "keeps a value that no step writes".into() });
        }
        Ok(())
    }
}

impl Finished {
    /// Where a kept tap lies; `None` if the plan was not made to keep it.
    pub fn tap(&self, site: Site) -> Option<TapView> {
        self.taps.iter().find(|(name, _)| *name == site).map(|(_, view)| *view)
    }

    /// The heads of each layer of a part, where they are kept.
    pub fn heads(&self, part: Part) -> Vec<Heads> {
        self.layers.iter().filter(|layer| layer.part == part).map(|layer| layer.heads).collect()
    }

    /// What those weigh.
    pub fn weighed(&self, part: Part) -> Vec<Weighed> {
        self.layers.iter().filter(|layer| layer.part == part).map(|layer| layer.weighed).collect()
    }

    /// How a weight is kept.
    pub fn format(&self, weight: Weight) -> Format {
        self.formats.get(weight.index).copied().unwrap_or_default()
    }

    /// Numbers of a value at these sizes.
    pub fn elements(&self, value: Value, sizes: Sizes) -> u64 {
        self.shapes[value.0].elements(sizes)
    }

    /// Numbers of all slots.
    pub fn slot_elements(&self) -> u64 {
        self.slots.sizes.iter().fold(0, |sum: u64, size| sum.saturating_add(*size))
    }
}
