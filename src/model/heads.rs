//! What stands on the encoder: Hugging Face's RoFormerFor… classes.

use super::roformer::{layer_norm, linear};
use super::{Checkpoint, Config, Roformer, WeightTable};
use crate::ops::{Activation, Epilogue, LayerNormWeights, LinearWeights};
use crate::plan::{Plan, Value};

/// The classes that run here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Architecture {
    Model,
    MaskedLM,
    CausalLM,
    SequenceClassification,
    TokenClassification,
    QuestionAnswering,
}

impl Architecture {
    const ALL: [Architecture; 6] = [
        Architecture::Model,
        Architecture::MaskedLM,
        Architecture::CausalLM,
        Architecture::SequenceClassification,
        Architecture::TokenClassification,
        Architecture::QuestionAnswering,
    ];

    /// The class that `architectures` names, else the one that the checkpoint's tensors belong to.
    pub fn choose(config: &Config, checkpoint: Option<&Checkpoint<'_>>) -> Self {
        let named = |name: &String| Self::ALL.into_iter().find(|architecture| architecture.name() == name);
        config.architectures.iter().find_map(named).unwrap_or_else(|| {
            let holds = |name: &str| checkpoint.is_some_and(|checkpoint| checkpoint.contains(name));
            match () {
                () if holds("cls.predictions.transform.dense.weight") && config.is_decoder => Architecture::CausalLM,
                () if holds("cls.predictions.transform.dense.weight") => Architecture::MaskedLM,
                () if holds("classifier.out_proj.weight") => Architecture::SequenceClassification,
                () if holds("classifier.weight") => Architecture::TokenClassification,
                () if holds("qa_outputs.weight") => Architecture::QuestionAnswering,
                () => Architecture::Model,
            }
        })
    }

    /// The class's name in Hugging Face's transformers.
    pub fn name(self) -> &'static str {
        match self {
            Architecture::Model => "RoFormerModel",
            Architecture::MaskedLM => "RoFormerForMaskedLM",
            Architecture::CausalLM => "RoFormerForCausalLM",
            Architecture::SequenceClassification => "RoFormerForSequenceClassification",
            Architecture::TokenClassification => "RoFormerForTokenClassification",
            Architecture::QuestionAnswering => "RoFormerForQuestionAnswering",
        }
    }

    /// Whether its logits are over the vocabulary.
    pub fn predicts_tokens(self) -> bool {
        matches!(self, Architecture::MaskedLM | Architecture::CausalLM)
    }
}

/// The weights of a head.
pub enum Head {
    /// last_hidden_state itself.
    None,
    /// decoder(LayerNorm(act(dense(h)))), the decoder tied to the word embeddings.
    Vocabulary { dense: LinearWeights, norm: LayerNormWeights, decoder: LinearWeights, activation: Activation },
    /// out_proj(act(dense(h₀))) on the gathered first token; no pooler, and the activation is the model's.
    Sequence { dense: LinearWeights, out: LinearWeights, activation: Activation },
    /// One linear layer on every token: token labels, or start and end of an answer.
    Token { out: LinearWeights },
}

impl Head {
    /// Declares the head's weights.
    pub fn declare(config: &Config, architecture: Architecture, roformer: &Roformer, table: &mut WeightTable) -> Self {
        let (hidden, embedding, activation) = (config.hidden_size, config.embedding_size, config.hidden_act);
        match architecture {
            Architecture::Model => Head::None,
            Architecture::MaskedLM | Architecture::CausalLM => {
                let name = |part: &str| format!("cls.predictions.{part}");
                let dense = linear(table, &name("transform.dense"), embedding, hidden);
                let norm = layer_norm(table, &name("transform.LayerNorm"), embedding, config.layer_norm_eps);
                // Tied, the decoder's bias is cls.predictions.bias, too, whatever copy the file holds.
                let (weight, biases) = match config.tie_word_embeddings {
                    true => (roformer.embeddings.word, [name("bias"), name("decoder.bias")]),
                    false => (
                        table.matrix(name("decoder.weight"), config.vocab_size, embedding),
                        [name("decoder.bias"), name("bias")],
                    ),
                };
                let bias = table.vector_of_either(biases.into(), config.vocab_size);
                Head::Vocabulary { dense, norm, decoder: LinearWeights { weight, bias: Some(bias) }, activation }
            }
            Architecture::SequenceClassification => Head::Sequence {
                dense: linear(table, "classifier.dense", hidden, hidden),
                out: linear(table, "classifier.out_proj", config.num_labels, hidden),
                activation,
            },
            Architecture::TokenClassification => {
                Head::Token { out: linear(table, "classifier", config.num_labels, hidden) }
            }
            Architecture::QuestionAnswering => Head::Token { out: linear(table, "qa_outputs", 2, hidden) },
        }
    }

    /// Logits from hidden states: (…, hidden_size) → (…, vocabulary or labels).
    pub fn record(&self, plan: &mut Plan, hidden: Value) -> Value {
        match self {
            Head::None => hidden,
            Head::Vocabulary { dense, norm, decoder, activation } => {
                let transformed = plan.linear(hidden, dense, Epilogue::Activate(*activation));
                let transformed = plan.layer_norm(transformed, norm);
                plan.linear(transformed, decoder, Epilogue::None)
            }
            Head::Sequence { dense, out, activation } => {
                let inner = plan.linear(hidden, dense, Epilogue::Activate(*activation));
                plan.linear(inner, out, Epilogue::None)
            }
            Head::Token { out } => plan.linear(hidden, out, Epilogue::None),
        }
    }
}
