//! From ids to the input of the first layer.

use super::norm_sites::NormSites;
use crate::ops::{EmbeddingWeights, Epilogue, LinearWeights, NormWeights};
use crate::plan::{Input, PlanBuilder, TapView, TensorName, Value, View};

/// norm(projection(embedding)), where projection and norm are optional, and ESM's factors of tokens.
pub struct Embeddings {
    pub weights: EmbeddingWeights,
    /// ESM's token dropout: embeddings are multiplied by [`Input::EmbeddingScales`].
    pub has_token_dropout: bool,
    /// From embedding_size to hidden_size.
    pub projection: Option<LinearWeights>,
    /// A norm that is not part of `weights`, because it follows the projection or has no gain.
    pub norm: Option<NormWeights>,
    /// Whether the rows of padding are set to 0.
    pub clears_padding: bool,
}

impl Embeddings {
    /// (batch, length, hidden_size)
    pub fn record(&self, plan: &mut PlanBuilder) -> Value {
        self.tap_terms(plan);
        let sites = NormSites::of_embeddings(plan);
        let width = self.weights.word.columns;
        let changes_sum = plan.options().interventions.numbers.contains(TensorName::Embeddings);
        let mut hidden = match self.weights.norm {
            // The embedding norms its sum itself, so that taps and changes of it take an op of their own.
            Some(norm) if changes_sum || sites.has_tap(plan) || plan.has_tap(TensorName::Embeddings, 0) => {
                let sum = plan.embedding(&EmbeddingWeights { norm: None, ..self.weights });
                let sum = plan.replace_and_tap(TensorName::Embeddings, 0, sum);
                sites.norm(plan, &norm, sum)
            }
            _ => plan.embedding(&self.weights),
        };
        if self.has_token_dropout {
            plan.scale_tokens(View::full(hidden, width), Input::EmbeddingScales);
        }
        if self.weights.norm.is_none() {
            hidden = plan.replace_and_tap(TensorName::Embeddings, 0, hidden);
        }
        if let Some(projection) = &self.projection {
            hidden = plan.linear(hidden, projection, Epilogue::None);
        }
        if let Some(norm) = &self.norm {
            hidden = sites.norm(plan, norm, hidden);
        }
        if self.clears_padding {
            plan.scale_tokens(View::full(hidden, width), Input::TokenMask);
        }
        hidden
    }

    /// Computes the terms of the embedding once more, each by itself, where they are tapped.
    fn tap_terms(&self, plan: &mut PlanBuilder) {
        let added = self.weights.added.map(|added| match added.by {
            Input::Positions => TensorName::PositionEmbeddings,
            _ => TensorName::TypeEmbeddings,
        });
        // Without the words only what is added to them is left.
        let of_added = EmbeddingWeights { scale: 0.0, norm: None, ..self.weights };
        let of_words = EmbeddingWeights { added: None, norm: None, ..self.weights };
        for (name, weights) in [(Some(TensorName::WordEmbeddings), of_words), (added, of_added)] {
            if let Some(name) = name.filter(|name| plan.has_tap(*name, 0)) {
                let term = plan.embedding(&weights);
                plan.tap(name, 0, TapView::Value(term));
            }
        }
    }
}

impl From<EmbeddingWeights> for Embeddings {
    fn from(weights: EmbeddingWeights) -> Self {
        Self { weights, has_token_dropout: false, projection: None, norm: None, clears_padding: false }
    }
}
