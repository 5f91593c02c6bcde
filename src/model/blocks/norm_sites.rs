//! The names of a norm, for taps.

use crate::ops::NormWeights;
use crate::plan::{PlanBuilder, RowStatistic, Site, TapView, TensorName, Value};

/// The sites of a norm: its input if that has no other name, its result, and the mean and the scale of each row.
#[derive(Clone, Copy)]
pub struct NormSites {
    input: Option<Site>,
    pub result: Site,
    mean: Site,
    scale: Site,
}

impl NormSites {
    /// Of norm `norm` of a layer.
    pub fn of_layer(plan: &PlanBuilder, layer: usize, norm: u8) -> Self {
        let names = [TensorName::Norm(norm), TensorName::NormMean(norm), TensorName::NormScale(norm)];
        let input = Some(plan.in_own_part(TensorName::NormInput(norm).at(layer)));
        Self { input, ..Self::named(plan, names, layer) }
    }

    /// Of the norm of the embeddings.
    pub fn of_embeddings(plan: &PlanBuilder) -> Self {
        let names = [TensorName::EmbeddingNorm, TensorName::EmbeddingNormMean, TensorName::EmbeddingNormScale];
        Self::named(plan, names, 0)
    }

    /// Of the norm after all layers.
    pub fn of_stack(plan: &PlanBuilder) -> Self {
        Self::named(plan, [TensorName::FinalNorm, TensorName::FinalNormMean, TensorName::FinalNormScale], 0)
    }

    /// Of the norm of the output head.
    pub fn of_output(plan: &PlanBuilder) -> Self {
        Self::named(plan, [TensorName::OutputNorm, TensorName::OutputNormMean, TensorName::OutputNormScale], 0)
    }

    fn named(plan: &PlanBuilder, names: [TensorName; 3], layer: usize) -> Self {
        let [result, mean, scale] = names.map(|name| plan.in_own_part(name.at(layer)));
        Self { input: None, result, mean, scale }
    }

    /// Whether a run keeps one of them.
    pub fn has_tap(&self, plan: &PlanBuilder) -> bool {
        [self.result, self.mean, self.scale].into_iter().any(|site| plan.has_tap_at(site))
    }

    /// The norm of x, with its taps.
    pub fn norm(&self, plan: &mut PlanBuilder, norm: &NormWeights, x: Value) -> Value {
        self.tap_input(plan, norm, x);
        let normed = plan.norm(x, norm);
        plan.tap_at(self.result, TapView::Value(normed));
        normed
    }

    /// Taps x, which the norm reads, and mean and scale of its rows. An RMS norm has no mean.
    pub fn tap_input(&self, plan: &mut PlanBuilder, norm: &NormWeights, x: Value) {
        if let Some(input) = self.input {
            plan.tap_at(input, TapView::Value(x));
        }
        let (centres, epsilon) = (norm.centres(), norm.epsilon);
        if centres {
            plan.tap_at(self.mean, TapView::Statistic { value: x, of: RowStatistic::Mean });
        }
        plan.tap_at(self.scale, TapView::Statistic { value: x, of: RowStatistic::Scale { centres, epsilon } });
    }
}
