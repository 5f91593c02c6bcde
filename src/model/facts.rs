//! Facts about a model that do not depend on its family's code: what the runtime, the page and the command line read.

use crate::error::Error;
use crate::plan::Part;
use strum::IntoStaticStr;

/// The output of a model's head, with its shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HeadKind {
    /// last_hidden_state (batch, length, hidden_size)
    #[default]
    HiddenStates,
    /// Logits over the vocabulary (batch, length, vocab_size), or (rows, vocab_size) of prediction rows.
    Vocabulary,
    /// Logits of the whole text, from its first token (batch, labels).
    Sequence,
    /// Logits of each token (batch, length, labels).
    Tokens,
    /// Logits of each token as the answer's start and as its end (batch, length, 2).
    Answer,
}

impl HeadKind {
    /// The output of a Hugging Face class, by the ending of its name.
    pub fn of_class(class: &str) -> HeadKind {
        const LANGUAGE_MODELS: [&str; 4] = ["ForMaskedLM", "ForCausalLM", "ForConditionalGeneration", "MTModel"];
        match class {
            _ if LANGUAGE_MODELS.iter().any(|ending| class.ends_with(ending)) => HeadKind::Vocabulary,
            _ if class.ends_with("ForSequenceClassification") => HeadKind::Sequence,
            _ if class.ends_with("ForTokenClassification") => HeadKind::Tokens,
            _ if class.ends_with("ForQuestionAnswering") => HeadKind::Answer,
            _ => HeadKind::HiddenStates,
        }
    }
}

/// The kind of attention: the formula of a head's attention weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Attention {
    /// softmax(q · k · scale)
    #[default]
    Softmax,
    /// Linear attention with rotation, equation 19 of the RoFormer paper: (R_m φ(q))·(R_n φ(k)) over the sum of φ(q)·φ(k), φ(x) =
    /// elu(x) + 1.
    Linear,
    /// Linear attention that rotates before the feature map: φ(R_m q)·φ(R_n k) over its sum. Its scores depend on absolute positions.
    LinearRotateFirst,
}

impl Attention {
    /// All kinds.
    pub const ALL: [Attention; 3] = [Attention::Softmax, Attention::Linear, Attention::LinearRotateFirst];

    /// The value of `attention` in config.json.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Sizes and settings of a model, in the words of config.json.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Facts {
    /// Hugging Face's class.
    pub architecture: &'static str,
    /// The output of the model's head.
    pub output: HeadKind,
    /// num_hidden_layers
    pub layers: usize,
    /// num_attention_heads
    pub heads: usize,
    /// num_key_value_heads: each serves heads / key_heads query heads.
    pub key_heads: usize,
    /// Columns of a head.
    pub head_size: usize,
    /// hidden_size: columns of the residual stream.
    pub hidden_size: usize,
    /// embedding_size: columns of the word embeddings.
    pub embedding_size: usize,
    /// intermediate_size: neurons of the feed-forward network.
    pub intermediate_size: usize,
    /// vocab_size: ids of the vocabulary.
    pub vocab_size: usize,
    /// 0: the family has no token types.
    pub type_vocab_size: usize,
    /// max_position_embeddings: tokens of the longest text of the training, or rows of the position table.
    pub max_position_embeddings: usize,
    /// Tokens of the longest text; `None`: only memory limits it.
    pub longest: Option<u64>,
    /// Whether a request may exceed `longest`: not with learned positions or a stored rotary table.
    pub stretches: bool,
    /// Whether a token attends only to itself and to earlier tokens.
    pub causal: bool,
    /// Whether generation counts position ids from the first token that is not padding.
    pub positions_skip_padding: bool,
    /// Whether positions are added to the embeddings, and queries and keys are not rotated.
    pub adds_positions: bool,
    /// The facts of the encoder of an encoder–decoder.
    pub encoder: Option<Box<Facts>>,
    /// The first token of a decoder's text.
    pub decoder_start_token_id: Option<u32>,
    /// Whether values are rotated, too.
    pub rotary_value: bool,
    /// The formula of attention weights, in every layer.
    pub attention: Attention,
    /// Scores are query · key · scale.
    pub scale: f64,
    /// The number of a classifier's labels.
    pub num_labels: usize,
    /// The labels' names from id2label, (num_labels); empty if the file has none.
    pub labels: Vec<String>,
    /// Tokens that end a text, from config.json.
    pub eos_token_ids: Vec<u32>,
    /// ESM's mask token, if the model uses token dropout: embeddings of masks are 0, and the others are scaled by the share of masks in
    /// training.
    pub token_dropout: Option<u32>,
    /// Whether it predicts contacts of residues from its attention maps.
    pub has_contact_head: bool,
}

impl Facts {
    /// Facts of a class of one stack. Scores are divided by √head_size.
    pub fn new(
        class: &'static str,
        layers: usize,
        [heads, key_heads, head_size]: [usize; 3],
        hidden_size: usize,
    ) -> Self {
        Self {
            architecture: class,
            output: HeadKind::of_class(class),
            layers,
            heads,
            key_heads,
            head_size,
            hidden_size,
            embedding_size: hidden_size,
            scale: 1.0 / (head_size as f64).sqrt(),
            ..Self::default()
        }
    }

    /// The facts of a part. Cross-attention has the decoder's layers and heads.
    pub fn part(&self, part: Part) -> &Facts {
        match (part, &self.encoder) {
            (Part::Encoder, Some(encoder)) => encoder,
            _ => self,
        }
    }

    /// Whether the model has this part. A model of one stack has only a decoder.
    pub fn has(&self, part: Part) -> bool {
        part == Part::Decoder || self.encoder.is_some()
    }

    /// Whether the model has this part, as a result.
    pub fn check_part(&self, part: Part) -> Result<(), Error> {
        let missing = || Error::NoPart { architecture: self.architecture.into(), part: part.name() };
        self.has(part).then_some(()).ok_or_else(missing)
    }

    /// Whether the model has a head of this part.
    pub fn check_head(&self, part: Part, layer: usize, head: usize) -> Result<(), Error> {
        self.check_part(part)?;
        let Facts { layers, heads, .. } = *self.part(part);
        let missing = || Error::HeadOutOfRange { part: part.name(), layer, head, layers, heads };
        (layer < layers && head < heads).then_some(()).ok_or_else(missing)
    }

    /// Tokens of the longest text of a request, which may exceed the model's length if `beyond_length`; `None`: only memory limits it.
    pub fn limit(&self, beyond_length: bool) -> Option<u64> {
        self.longest.filter(|_| !(beyond_length && self.stretches))
    }

    /// Whether its logits are over the vocabulary.
    pub fn predicts_tokens(&self) -> bool {
        self.output == HeadKind::Vocabulary
    }

    /// Hugging Face's name of the head's result.
    pub fn result_name(&self) -> &'static str {
        match self.output {
            HeadKind::HiddenStates => "last_hidden_state",
            _ => "logits",
        }
    }
}
