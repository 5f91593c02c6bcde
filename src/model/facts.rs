//! What session, page and command line know of a model, whatever its family.

use crate::plan::Part;

/// What the rows that a model's head makes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Output {
    /// last_hidden_state (batch, length, hidden_size)
    #[default]
    HiddenStates,
    /// Logits over the vocabulary (batch, length, vocab_size), or of the rows that are asked for.
    Vocabulary,
    /// Logits of the whole text, from its first token (batch, labels).
    Sequence,
    /// Logits of each token (batch, length, labels).
    Tokens,
    /// Logits of an answer's start and end (batch, length, 2).
    Answer,
}

/// How heads weigh values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Attention {
    /// softmax(q · k · scale)
    #[default]
    Softmax,
    /// Linear attention with rotation, equation 19 of the RoFormer paper: (R_m φ(q))·(R_n φ(k)) over the sum of φ(q)·φ(k), φ(x) =
    /// elu(x) + 1.
    Linear,
    /// The variant that rotates before the feature map: φ(R_m q)·φ(R_n k) over the sum of the same. Its scores depend on where a
    /// text begins.
    LinearRotateFirst,
}

impl Attention {
    pub const ALL: [Attention; 3] = [Attention::Softmax, Attention::Linear, Attention::LinearRotateFirst];

    /// As `attention` has it in config.json.
    pub fn name(self) -> &'static str {
        match self {
            Attention::Softmax => "softmax",
            Attention::Linear => "linear",
            Attention::LinearRotateFirst => "linear_rotate_first",
        }
    }

    pub fn named(name: &str) -> Option<Attention> {
        Attention::ALL.into_iter().find(|attention| attention.name() == name)
    }
}

/// Sizes and settings of a model, in the words of config.json.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Facts {
    /// Hugging Face's class.
    pub architecture: &'static str,
    pub output: Output,
    /// num_hidden_layers
    pub layers: usize,
    /// num_attention_heads
    pub heads: usize,
    /// num_key_value_heads: each serves heads / key_heads query heads.
    pub key_heads: usize,
    pub head_size: usize,
    pub hidden_size: usize,
    pub embedding_size: usize,
    pub intermediate_size: usize,
    pub vocab_size: usize,
    /// 0: the family has no token types.
    pub type_vocab_size: usize,
    pub max_position_embeddings: usize,
    /// The longest text without being asked for more, in tokens; `None`: memory alone limits.
    pub longest: Option<u64>,
    /// Whether `longest` is passed where that is asked for: learned or stored positions never are.
    pub stretches: bool,
    /// Whether a token sees only those before it.
    pub causal: bool,
    /// Whether position ids count from the first token that is not padding when a text is continued.
    pub positions_skip_padding: bool,
    /// Whether positions are added to the embeddings: queries and keys do not turn then.
    pub adds_positions: bool,
    /// Of the stack that reads a source, where the model has one: sizes of its own, and the words that it is read in.
    pub encoder: Option<Box<Facts>>,
    /// What a text begins with that is written after a source.
    pub decoder_start_token_id: Option<u32>,
    /// Whether values are rotated, too.
    pub rotary_value: bool,
    /// How heads weigh values.
    pub attention: Attention,
    /// Scores are query · key · scale.
    pub scale: f64,
    /// Width of a classifier.
    pub num_labels: usize,
    /// The names of the labels, from id2label: (num_labels), or empty where the file names none.
    pub labels: Vec<String>,
    /// Tokens that end a text, from config.json.
    pub eos_token_ids: Vec<u32>,
    /// ESM's mask token, where embeddings of masks are 0 and the others make up for it: they were trained with a share of them
    /// masked.
    pub token_dropout: Option<u32>,
    /// Whether contacts of residues are told from its attention.
    pub tells_contacts: bool,
}

impl Facts {
    /// Of one of its parts: cross-attention has the decoder's layers and heads.
    pub fn of(&self, part: Part) -> &Facts {
        match (part, &self.encoder) {
            (Part::Encoder, Some(encoder)) => encoder,
            _ => self,
        }
    }

    /// Whether it has such a part: a model of one stack has the decoder's alone.
    pub fn has(&self, part: Part) -> bool {
        part == Part::Decoder || self.encoder.is_some()
    }

    /// Says that it does not have a part.
    pub fn lacks(&self, part: Part) -> String {
        format!("{} has no {part}: it is one stack", self.architecture)
    }

    /// The most layers that a part of it has.
    pub fn most_layers(&self) -> usize {
        self.layers.max(self.of(Part::Encoder).layers)
    }

    /// Tokens of the longest text; `None` where memory alone limits, or where the rope is stretched for longer ones on request.
    pub fn limit(&self, beyond_length: bool) -> Option<u64> {
        self.longest.filter(|_| !(beyond_length && self.stretches))
    }

    /// Whether its logits are over the vocabulary.
    pub fn predicts_tokens(&self) -> bool {
        self.output == Output::Vocabulary
    }

    /// The name that Hugging Face gives to what the head makes.
    pub fn result_name(&self) -> &'static str {
        match self.output {
            Output::HiddenStates => "last_hidden_state",
            _ => "logits",
        }
    }
}
