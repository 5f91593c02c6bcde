//! Records a forward pass.

use super::pass::LayerHeads;
use super::{
    Access, Axis, Capacity, HeadValues, Heads, Op, Operand, Part, Plan, PlanOptions, Shape, Site, Slots, State,
    TapView, TensorName, Use, Value, View, Weight,
};
use crate::error::Error;
use crate::kernels::Format;
use std::rc::Rc;

/// A plan that is being recorded. It stores the first error, which [`PlanBuilder::finish`] returns, so that models need no `?`.
pub struct PlanBuilder {
    options: PlanOptions,
    plan: Plan,
    /// The prediction rows of each layer's input, (rows, hidden_size), for the logit lens.
    pub lens_rows: Vec<Value>,
    error: Option<Error>,
}

impl PlanBuilder {
    /// An empty plan.
    pub fn new(options: PlanOptions) -> Self {
        let plan = Plan {
            capacity: options.capacity,
            shapes: Vec::new(),
            states: Vec::new(),
            steps: Vec::new(),
            taps: Vec::new(),
            layers: Vec::new(),
            outputs: Vec::new(),
            formats: Rc::default(),
            inputs: Vec::new(),
            slots: Slots::default(),
        };
        Self { options, plan, lens_rows: Vec::new(), error: None }
    }

    /// The outputs, the capacity and the interventions that the family records ops for.
    pub fn options(&self) -> &PlanOptions {
        &self.options
    }

    /// The largest run that the plan has room for.
    pub fn capacity(&self) -> Capacity {
        self.options.capacity
    }

    /// Sets the storage format of each weight, by index, for the ops that follow.
    pub fn set_formats(&mut self, formats: Rc<[Format]>) {
        self.plan.formats = formats;
    }

    /// The storage format of a weight.
    pub fn format(&self, weight: Weight) -> Format {
        self.plan.format(weight)
    }

    /// A new value of this shape. The next step has to write it.
    pub fn value(&mut self, shape: Shape) -> Value {
        self.plan.shapes.push(shape);
        Value(self.plan.shapes.len() - 1)
    }

    /// A new state with `width` f32 numbers for each row of an axis, see [`State::axis`].
    pub fn state(&mut self, axis: Axis, width: usize) -> State {
        self.add_state(axis, width, false)
    }

    /// A new state for `width` numbers of keys and values of each of the text's tokens. They are f16 with [`PlanOptions::f16_cache`] and an even
    /// width: copies on a GPU start at multiples of 4 bytes.
    pub fn cache_state(&mut self, width: usize) -> State {
        self.add_state(Axis::Keys, width, self.options.f16_cache && width.is_multiple_of(2))
    }

    fn add_state(&mut self, axis: Axis, width: usize, is_f16: bool) -> State {
        let state = State { index: self.plan.states.len(), width, axis, is_f16 };
        self.plan.states.push(state);
        state
    }

    /// The shape that [`Self::value`] was called with.
    pub fn shape(&self, value: Value) -> Shape {
        self.plan.shapes[value.0]
    }

    /// Whether the view's columns lie inside the rows of its operand: a value over tokens, or a state.
    pub fn contains(&self, view: View) -> bool {
        let width = match view.operand {
            Operand::Value(value) => self.shape(value).fixed_width().filter(|_| self.shape(value).is_tokens()),
            Operand::State(state) => Some(state.width),
            _ => None,
        };
        width == Some(view.stride) && view.first + view.width() <= view.stride
    }

    /// Records an op.
    pub fn step(&mut self, op: impl Op + 'static) {
        self.plan.steps.push(Box::new(op));
    }

    /// Stores an error and the name of the op that found it, unless there is one already.
    pub fn fail(&mut self, op: &'static str, message: impl Into<String>) {
        self.error.get_or_insert(Error::ShapeMismatch { op, message: message.into() });
    }

    /// Whether a run keeps this tensor of a layer. Ops that exist only for a tap are recorded only then.
    pub fn has_tap(&self, tensor: TensorName, layer: usize) -> bool {
        self.has_tap_at(self.in_own_part(tensor.at(layer)))
    }

    /// Whether a run keeps this site.
    pub fn has_tap_at(&self, site: Site) -> bool {
        self.options.taps.contains(site)
    }

    /// Names a value, or columns of it, as a tensor of a layer. A tapped value gets a buffer of its own.
    pub fn tap(&mut self, tensor: TensorName, layer: usize, view: TapView) {
        self.tap_at(self.in_own_part(tensor.at(layer)), view);
    }

    /// Names a value, or columns of it, as a site.
    pub fn tap_at(&mut self, site: Site, view: TapView) {
        if self.has_tap_at(site) {
            self.plan.taps.push((site, view));
        }
    }

    /// The same place in the part that the plan computes.
    pub fn in_own_part(&self, site: Site) -> Site {
        site.in_part(self.options.part)
    }

    /// Adds the heads of a part's next layer. Does nothing unless the plan keeps heads.
    pub fn add_heads(&mut self, part: Part, heads: Heads, values: HeadValues) {
        if self.options.keeps_heads {
            self.plan.layers.push(LayerHeads { part, heads, values });
        }
    }

    /// Marks a value as a result: its numbers stay until the end of a run.
    pub fn output(&mut self, value: Value) {
        self.plan.outputs.push(value);
    }

    /// The plan, with a slot for each value.
    ///
    /// # Errors
    /// The first error of an op or a shape check; a value that is read before a step writes it, or that no step writes.
    pub fn finish(self) -> Result<Plan, Error> {
        let Self { mut plan, error, .. } = self;
        if let Some(error) = error {
            return Err(error);
        }
        let is_result = results(&plan);
        check_order(&plan, &is_result)?;
        for used in plan.steps.iter().flat_map(|op| op.uses()) {
            match used.operand {
                Operand::Input(input) if !plan.inputs.contains(&input) => plan.inputs.push(input),
                _ => {}
            }
        }
        plan.slots = Slots::assign(&plan.steps, &plan.shapes, &is_result, plan.capacity);
        Ok(plan)
    }
}

/// Whether each value is read after the run: taps, outputs and heads.
fn results(plan: &Plan) -> Vec<bool> {
    let operands = |LayerHeads { heads, values, .. }: &LayerHeads| {
        [heads.query.operand, heads.key.operand, heads.statistics, values.view.operand]
    };
    let heads = plan.layers.iter().flat_map(operands).filter_map(|operand| match operand {
        Operand::Value(value) => Some(value),
        _ => None,
    });
    let taps = plan.taps.iter().map(|(_, view)| view.value());
    let mut is_result = vec![false; plan.shapes.len()];
    taps.chain(plan.outputs.iter().copied()).chain(heads).for_each(|value| is_result[value.0] = true);
    is_result
}

/// Checks that every value is written before it is read, and that every result is written.
fn check_order(plan: &Plan, is_result: &[bool]) -> Result<(), Error> {
    let mut written = vec![false; plan.shapes.len()];
    for op in &plan.steps {
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
    if is_result.iter().zip(&written).any(|(is_result, written)| *is_result && !written) {
        return Err(Error::ShapeMismatch { op: "plan", message: "keeps a value that no step writes".into() });
    }
    Ok(())
}
