//! A model as a config declares it: its weights' names and shapes, its settings, and its forward pass, recorded as a plan.

use super::{Facts, HeadKind, NeuronWeights};
use crate::error::Error;
use crate::plan::{Part, Plan, PlanBuilder, PlanOptions, TensorName, Value};
use crate::rope::{Rope, Scaling};
use crate::weight_table::{HostWeight, WeightTable};

/// The forward pass of a family, recorded op by op.
pub trait Network {
    /// Records the layers, with every tap, and returns the hidden states that the head reads: (batch, length, hidden_size), after
    /// the final norm if the family has one. facts: of the network's part.
    fn hidden(&self, plan: &mut PlanBuilder, facts: &Facts) -> Value;
    /// Records the head: (…, hidden_size) → (…, vocabulary or labels). A network without a head returns `hidden`.
    fn head(&self, plan: &mut PlanBuilder, hidden: Value) -> Value;
    /// Records the taps of the head over the hidden states of every token. facts: of the network's part.
    fn tap_head(&self, _plan: &mut PlanBuilder, _facts: &Facts, _hidden: Value) {}
    /// The weights around the neurons of a layer; `None` of a network without such a layer.
    fn neurons(&self, _layer: usize) -> Option<NeuronWeights> {
        None
    }
    /// Records the head over hidden states between two layers, for the logit lens: after the final norm if the family has one.
    fn early_head(&self, plan: &mut PlanBuilder, hidden: Value) -> Value {
        self.head(plan, hidden)
    }
}

/// A model with its head as its config declares it: facts, and the shapes and names of its weights, without their numbers.
pub struct Architecture {
    pub facts: Facts,
    pub table: WeightTable,
    /// The model's ropes. [`crate::plan::Input::Rotary`] names them by index.
    pub ropes: Vec<Rope>,
    /// The rope of each layer, (layers); empty if all layers use the first rope.
    pub layer_ropes: Vec<usize>,
    /// [`Architecture::rescale`] applies to this many ropes, from the first.
    pub rescalable: usize,
    /// The file's own rotary table, (max_position_embeddings, head_size), sines before cosines, if it has one.
    pub stored_table: Option<HostWeight>,
    /// The file's own θ of the model's one rope, (head_size / 2), if it has them.
    pub stored_theta: Option<HostWeight>,
    /// Weights (layers · heads) and bias (1) of ESM's contact regression, if the file has them.
    pub contact_head: Option<[HostWeight; 2]>,
    pub network: Box<dyn Network>,
    /// The network of an encoder–decoder that reads the source. Its head writes the source's keys and values to states that
    /// `network` reads.
    pub encoder: Option<Box<dyn Network>>,
}

/// A recorded plan and the values that are read after a run.
pub struct ModelPlan {
    pub plan: Plan,
    /// Logits, the top k of each row, or the last hidden states.
    pub result: Value,
    /// −log p of each row's label, (rows, 1), if labels are scored.
    pub losses: Option<Value>,
    /// The token that is drawn for each row, if the plan draws.
    pub samples: Option<Value>,
    /// The logit lens, one value a layer; empty if the plan has none.
    pub lens: Vec<Value>,
}

impl Architecture {
    /// A model of one network, whose layers all use the first rope.
    pub(crate) fn new(facts: Facts, table: WeightTable, ropes: Vec<Rope>, network: impl Network + 'static) -> Self {
        Self {
            facts,
            table,
            rescalable: ropes.len(),
            ropes,
            layer_ropes: Vec::new(),
            stored_table: None,
            stored_theta: None,
            contact_head: None,
            network: Box::new(network),
            encoder: None,
        }
    }

    /// The rope of a layer; `None` if the model has no ropes.
    pub fn rope(&self, layer: usize) -> Option<&Rope> {
        self.ropes.get(self.layer_ropes.get(layer).copied().unwrap_or(0))
    }

    /// Replaces the scaling of the rescalable ropes. A table or θ of the file's own is then not read.
    pub fn rescale(&mut self, scaling: &Scaling) -> Result<(), Error> {
        for rope in self.ropes.iter_mut().take(self.rescalable) {
            *rope = rope.rescaled(scaling.clone())?;
        }
        (self.stored_table, self.stored_theta) = (None, None);
        if self.facts.stretches {
            self.facts.longest = self.ropes.first().and_then(Rope::context_length);
        }
        Ok(())
    }

    pub fn record(&self, options: &PlanOptions) -> Result<ModelPlan, Error> {
        let mut plan = PlanBuilder::new(options.clone());
        plan.set_formats(self.table.formats());
        let facts = self.facts.part(options.part);
        let network = self.encoder.as_ref().filter(|_| options.part == Part::Encoder).unwrap_or(&self.network);
        let hidden = network.hidden(&mut plan, facts);
        let hidden = plan.replace_and_tap(TensorName::HiddenStates, facts.layers, hidden);
        let gathers_rows = options.gathers_rows || facts.output == HeadKind::Sequence;
        let read = if gathers_rows { plan.gather(hidden) } else { hidden };
        network.tap_head(&mut plan, facts, hidden);
        let mut result = network.head(&mut plan, read);
        if options.has_penalty {
            plan.penalise(result);
        }
        let losses = options.scores_labels.then(|| plan.label_loss(result));
        let samples = options.draws.then(|| plan.sample(result, options.has_bans));
        if options.top_k > 0 {
            result = plan.top_k(result, options.top_k, options.has_bans);
        }
        [Some(result), losses, samples].into_iter().flatten().for_each(|value| plan.output(value));
        let lens_rows = std::mem::take(&mut plan.lens_rows);
        let lens = lens_rows.into_iter().map(|rows| self.lens_candidates(&mut plan, rows, options)).collect();
        Ok(ModelPlan { plan: plan.finish()?, result, losses, samples, lens })
    }

    /// The logit lens of one layer: the top k of the prediction rows of its input.
    fn lens_candidates(&self, plan: &mut PlanBuilder, rows: Value, options: &PlanOptions) -> Value {
        let logits = self.network.early_head(plan, rows);
        if options.has_penalty {
            plan.penalise(logits);
        }
        let candidates = plan.top_k(logits, options.top_k, false);
        plan.output(candidates);
        candidates
    }
}
