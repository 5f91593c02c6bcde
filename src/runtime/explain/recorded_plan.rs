//! A plan with every tap: the op that writes each number, and the name of each number.

use super::attention::LayerHeads;
use crate::plan::{Cell, Derivation, Function, Index, LinearCell, Part, Plan, Site, TapView, TensorName, Use, Value};

/// A plan with every tap, and the names of its values.
pub struct RecordedPlan {
    pub plan: Plan,
    /// The steps that write each value, in order.
    pub writers: Vec<Vec<usize>>,
    /// The taps of each value, the best name first.
    pub names: Vec<Vec<(Site, TapView)>>,
}

impl RecordedPlan {
    /// The values that a step writes.
    pub fn written_by(&self, step: usize) -> Vec<Value> {
        self.plan.steps[step].uses().iter().filter(|used| used.writes()).filter_map(Use::value).collect()
    }

    /// The tensor that a value is all of, or the heads of.
    pub fn name(&self, value: Value) -> Option<Site> {
        let is_all = |view: &TapView| matches!(view, TapView::Value(_)) || view.cell([0; 3]) == [0, 0];
        self.names[value.index()]
            .iter()
            .find(|(_, view)| is_all(view) && view.index(0, 0).is_some())
            .map(|(site, _)| *site)
    }

    /// The tensor of a linear layer that an epilogue fuses, as a tap computes it once more.
    pub fn twin_of(&self, linear: &LinearCell) -> Option<Site> {
        self.twin(&Derivation::Linear(*linear), None).map(|site| site.with_index([Index::All; 3]))
    }

    /// The tensors that attribution reads: of the residual stream, of heads and feed-forward networks, and of the output head.
    pub fn vectors(&self) -> impl Iterator<Item = Site> {
        use TensorName as T;
        let of_stream: fn(T) -> bool =
            |tensor| matches!(tensor, T::HiddenStates | T::LayerResidual | T::Residual | T::NormInput(_));
        let of_sublayer: fn(T) -> bool =
            |tensor| matches!(tensor, T::Norm(_) | T::Head | T::FeedForward | T::FeedForwardActivated | T::FinalNorm);
        let of_output: fn(T) -> bool = |tensor| matches!(tensor, T::OutputDense | T::OutputActivated | T::OutputNorm);
        let is_read = move |site: &Site| [of_stream, of_sublayer, of_output].iter().any(|of| of(site.tensor));
        self.plan.taps.iter().map(|(site, _)| *site).filter(is_read)
    }

    pub fn new(plan: Plan) -> Self {
        let mut writers = vec![Vec::new(); plan.shapes.len()];
        for (step, op) in plan.steps.iter().enumerate() {
            for value in op.uses().iter().filter(|used| used.writes()).filter_map(Use::value) {
                writers[value.index()].push(step);
            }
        }
        let mut names = vec![Vec::new(); plan.shapes.len()];
        for rank in 0..RANKS {
            for (site, view) in plan.taps.iter().filter(|(site, _)| rank_of(site.tensor) == rank) {
                names[view.value().index()].push((*site, *view));
            }
        }
        Self { plan, writers, names }
    }

    /// The name of a number that another op derives in the same way: a plan computes once more what a tap reads and an epilogue fuses. Not
    /// `explained`, whose own derivation it is.
    pub fn twin(&self, derivation: &Derivation, explained: Option<Site>) -> Option<Site> {
        let [row, column] = place_of_twin(derivation)?;
        let is_twin = |value: Value| {
            let step = *self.writers[value.index()].last()?;
            let other = self.plan.steps[step].derive(value, row, column)?;
            (other == *derivation).then_some(())
        };
        let mut named = self.names.iter().flatten();
        named.find_map(|(site, view)| {
            let site = site.with_index(view.index(row, column)?);
            is_twin(view.value()).filter(|()| Some(site) != explained).map(|()| site)
        })
    }

    /// The heads of each layer of a part.
    pub fn heads(&self, part: Part) -> impl Iterator<Item = LayerHeads> {
        let tap = move |tensor: TensorName, layer| self.plan.tap(tensor.at(layer).in_part(part));
        self.plan.heads(part).into_iter().enumerate().map(move |(layer, heads)| {
            let rotated = tap(TensorName::QueryRotated, layer);
            LayerHeads { heads, rotates: rotated.is_some() && rotated != tap(TensorName::Query, layer) }
        })
    }

    /// The width of a value's rows.
    pub fn width(&self, value: Value) -> usize {
        self.plan.shapes[value.index()].fixed_width().unwrap_or(0)
    }
}

const RANKS: u8 = 3;

/// Of several names of one value the one with the lowest rank is used: the residual stream and its terms first, the input of a norm last.
fn rank_of(tensor: TensorName) -> u8 {
    use TensorName as T;
    match tensor {
        T::HiddenStates | T::LayerResidual | T::Residual | T::AttentionOutput | T::FeedForwardOutput => 0,
        T::NormInput(_) => 2,
        _ => 1,
    }
}

/// The row and the column of a number that a tap may compute once more.
fn place_of_twin(derivation: &Derivation) -> Option<[usize; 2]> {
    match derivation {
        Derivation::Linear(linear) => Some([linear.row, linear.column]),
        Derivation::Norm(norm) => Some([norm.row, norm.column]),
        Derivation::Function(Function::Activation(_), of) => place_of_twin(of),
        Derivation::Cell(_, Cell::Lookup { token, column, .. }) => Some([*token, *column]),
        Derivation::Product(factors) => match factors.first() {
            Some(lookup @ Derivation::Cell(_, Cell::Lookup { .. })) => place_of_twin(lookup),
            _ => None,
        },
        _ => None,
    }
}
