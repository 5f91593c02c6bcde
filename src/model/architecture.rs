//! A model as a config declares it: its weights' names and shapes, its settings, and its forward pass, recorded as a plan.

use super::{Facts, Output, Purpose, Recorded};
use crate::error::Error;
use crate::plan::{Part, Plan, TapView, TensorName, Value};
use crate::rope::{Rope, Scaling};
use crate::weight_table::{HostWeight, WeightTable};

/// A forward pass up to the rows of its head, and the head. One type a family.
pub trait Network {
    /// Hidden states as the head reads them, (batch, length, hidden_size): after the final norm where there is one. Records
    /// every tap on the way.
    fn hidden(&self, plan: &mut Plan) -> Value;
    /// What the head makes of hidden states: (…, hidden_size) → (…, vocabulary or labels), or the same.
    fn head(&self, plan: &mut Plan, hidden: Value) -> Value;
    /// What the head makes of the hidden states between two layers, as if the later ones were not there: after the final norm
    /// where there is one.
    fn early_head(&self, plan: &mut Plan, hidden: Value) -> Value {
        self.head(plan, hidden)
    }
}

/// A model with its head, declared from a config: facts, shapes and names, no numbers.
pub struct Architecture {
    pub facts: Facts,
    pub table: WeightTable,
    /// The ropes that layers turn by, by the index that [`crate::plan::Input::Rotary`] names.
    pub ropes: Vec<Rope>,
    /// The rope of each layer, (layers); empty where all turn by the first.
    pub layer_ropes: Vec<usize>,
    /// How many ropes, from the first on, another scaling is for.
    pub rescaled: usize,
    /// The file's own rotary table (max_position_embeddings, head_size), sines before cosines, where it has one.
    pub stored_table: Option<HostWeight>,
    /// The file's own θ of its one rope (head_size / 2), where it has it.
    pub stored_theta: Option<HostWeight>,
    /// Weights (layers · heads) and bias (1) of ESM's regression of contacts, where the file has them.
    pub contact_head: Option<[HostWeight; 2]>,
    pub network: Box<dyn Network>,
    /// What reads a source: its head leaves keys and values of it for the network.
    pub encoder: Option<Box<dyn Network>>,
}

impl Architecture {
    /// A model whose layers all turn by one rope, and that has no numbers of its own on the host.
    pub(crate) fn new(facts: Facts, table: WeightTable, ropes: Vec<Rope>, network: impl Network + 'static) -> Self {
        Self {
            facts,
            table,
            rescaled: ropes.len(),
            ropes,
            layer_ropes: Vec::new(),
            stored_table: None,
            stored_theta: None,
            contact_head: None,
            network: Box::new(network),
            encoder: None,
        }
    }

    /// The rope that a layer turns by.
    pub fn rope(&self, layer: usize) -> Option<&Rope> {
        self.ropes.get(self.layer_ropes.get(layer).copied().unwrap_or(0))
    }

    /// Turns by another scaling of its ropes, but for those that are of one kind of layers alone and never scaled; a table or θ
    /// that the file holds is left unread.
    ///
    /// # Errors
    /// A scaling that does not fit the heads.
    pub fn rescale(&mut self, scaling: &Scaling) -> Result<(), Error> {
        for rope in self.ropes.iter_mut().take(self.rescaled) {
            *rope = rope.rescaled(scaling.clone())?;
        }
        (self.stored_table, self.stored_theta) = (None, None);
        if self.facts.stretches {
            self.facts.longest = self.ropes.first().and_then(Rope::longest);
        }
        Ok(())
    }

    /// The forward pass as a plan.
    ///
    /// # Errors
    /// Shapes that do not fit, an impossible k.
    pub fn record(&self, purpose: &Purpose) -> Result<Recorded, Error> {
        let plan = Plan::new(purpose.capacity, purpose.taps.clone()).of_part(purpose.part);
        let mut plan = plan.with_interventions(purpose.intervenes);
        plan.set_formats(self.table.formats());
        if purpose.cached {
            plan = plan.with_cache();
        }
        if purpose.keeps_heads {
            plan = plan.with_heads();
        }
        if purpose.lens {
            plan = plan.with_lens();
        }
        if purpose.spreads {
            plan = plan.with_spreading();
        }
        let facts = self.facts.of(purpose.part);
        let network = self.encoder.as_ref().filter(|_| purpose.part == Part::Encoder).unwrap_or(&self.network);
        let hidden = network.hidden(&mut plan);
        plan.tap(TensorName::HiddenStates, facts.layers, TapView::Whole(hidden));
        let gathers = purpose.gathers || facts.output == Output::Sequence;
        let read = if gathers { plan.gather(hidden) } else { hidden };
        let mut result = network.head(&mut plan, read);
        if purpose.penalises {
            plan.penalise(result);
        }
        let losses = purpose.scores_labels.then(|| plan.label_loss(result));
        if purpose.top_k > 0 {
            result = plan.top_k(result, purpose.top_k);
        }
        [Some(result), losses].into_iter().flatten().for_each(|value| plan.output(value));
        let layer_rows = plan.layer_rows().to_vec();
        let lens = layer_rows.into_iter().map(|rows| self.early_fills(&mut plan, rows, purpose)).collect();
        Ok(Recorded { plan: plan.finish()?, result, losses, lens })
    }

    /// Top fills of prediction rows of hidden states between two layers.
    fn early_fills(&self, plan: &mut Plan, rows: Value, purpose: &Purpose) -> Value {
        let logits = self.network.early_head(plan, rows);
        if purpose.penalises {
            plan.penalise(logits);
        }
        let fills = plan.top_k(logits, purpose.top_k);
        plan.output(fills);
        fills
    }
}
