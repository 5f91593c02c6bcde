//! What a run is asked for, and its check against the model.

use crate::backend::RunInputs;
use crate::error::Error;
use crate::model::{Architecture, Config};
use crate::ops::MAX_TOP_K;
use crate::plan::Taps;

/// Where a vocabulary head makes logits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rows {
    /// At every token.
    All,
    /// At these, flattened: sequence · length + position.
    At(Vec<u32>),
}

/// The head whose map and query and key rows are read back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selection {
    pub layer: usize,
    pub head: usize,
}

/// One run.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// (batch, length), row-major.
    pub ids: Vec<u32>,
    pub batch: usize,
    pub length: usize,
    /// (batch, length): 1 for a token, 0 for padding; all 1 where there is none.
    pub attention_mask: Option<Vec<u32>>,
    /// (batch, length); all 0 where there is none.
    pub token_type_ids: Option<Vec<u32>>,
    /// Added to every position id.
    pub position_offset: u64,
    pub rows: Rows,
    /// k of the best fills of each row instead of its logits; 0: logits.
    pub top_k: usize,
    /// Values that are kept and read back.
    pub taps: Taps,
    /// Keeps every head's map, and reads back the chosen one.
    pub selection: Option<Selection>,
    /// Sizes buffers to this run exactly, for a program that runs once, instead of up to the next power of two.
    pub exact: bool,
}

impl Request {
    /// Logits of ids (batch, length), nothing else.
    pub fn new(ids: Vec<u32>, batch: usize, length: usize) -> Self {
        Self {
            ids,
            batch,
            length,
            attention_mask: None,
            token_type_ids: None,
            position_offset: 0,
            rows: Rows::All,
            top_k: 0,
            taps: Taps::none(),
            selection: None,
            exact: false,
        }
    }

    /// The inputs of the backends, once everything is in range.
    ///
    /// # Errors
    /// Ids outside the vocabulary, types out of range, a text too long or empty, sizes that do not agree, k out of range.
    pub(super) fn check(&self, config: &Config, architecture: Architecture) -> Result<RunInputs, Error> {
        let invalid = |reason: String| Err(Error::InvalidInput { reason });
        let tokens = self.batch.saturating_mul(self.length);
        if tokens == 0 {
            return invalid("the text is empty: a run needs at least one token".into());
        }
        if self.length > config.max_position_embeddings {
            let max_position_embeddings = config.max_position_embeddings;
            return Err(Error::TextTooLong { length: self.length, max_position_embeddings });
        }
        for (name, found) in [
            ("ids", Some(self.ids.len())),
            ("the attention mask", self.attention_mask.as_ref().map(Vec::len)),
            ("the token types", self.token_type_ids.as_ref().map(Vec::len)),
        ] {
            if found.is_some_and(|found| found != tokens) {
                let expected = format!("batch {} × length {}", self.batch, self.length);
                return invalid(format!("{name} have {} numbers, expected {expected}", found.unwrap_or(0)));
            }
        }
        let place = |index: usize| (index / self.length, index % self.length);
        if let Some(index) = self.ids.iter().position(|id| *id as usize >= config.vocab_size) {
            let (row, position) = place(index);
            return Err(Error::IdOutOfVocabulary { id: self.ids[index], row, position, vocab_size: config.vocab_size });
        }
        let token_types = self.token_type_ids.clone().unwrap_or_else(|| vec![0; tokens]);
        if let Some(index) = token_types.iter().position(|id| *id as usize >= config.type_vocab_size) {
            let (row, position) = place(index);
            let type_vocab_size = config.type_vocab_size;
            return Err(Error::TokenTypeOutOfRange { id: token_types[index], row, position, type_vocab_size });
        }
        if let Some(index) = self.attention_mask.iter().flatten().position(|kept| *kept > 1) {
            let (row, position) = place(index);
            return invalid(format!("the attention mask is neither 0 nor 1 in row {row}, position {position}"));
        }
        self.check_results(config, architecture, tokens)?;
        let key_mask = match &self.attention_mask {
            // f32::MIN added, not −∞, as Hugging Face does: a row without any key left is uniform instead of NaN.
            Some(mask) => mask.iter().map(|kept| if *kept == 0 { f32::MIN } else { 0.0 }).collect(),
            None => vec![0.0; tokens],
        };
        let row_indices = match (&self.rows, architecture) {
            (_, Architecture::SequenceClassification) => {
                (0..self.batch).map(|row| (row * self.length) as u32).collect()
            }
            (Rows::At(rows), _) => rows.clone(),
            (Rows::All, _) if self.top_k > 0 => (0..tokens as u32).collect(),
            (Rows::All, _) => Vec::new(),
        };
        Ok(RunInputs { ids: self.ids.clone(), token_types, key_mask, row_indices })
    }

    fn check_results(&self, config: &Config, architecture: Architecture, tokens: usize) -> Result<(), Error> {
        let invalid = |reason: String| Err(Error::InvalidInput { reason });
        if (self.top_k > 0 || self.rows != Rows::All) && !architecture.predicts_tokens() {
            return Err(Error::NoVocabularyHead { architecture: architecture.name().into() });
        }
        if let Rows::At(rows) = &self.rows
            && let Some(row) = rows.iter().find(|row| **row as usize >= tokens)
        {
            return invalid(format!("prediction row {row} is outside the {tokens} tokens"));
        }
        if self.top_k > MAX_TOP_K.min(config.vocab_size) {
            return invalid(format!("top-k {} is out of range: 1 to {}", self.top_k, MAX_TOP_K.min(config.vocab_size)));
        }
        if let Some(Selection { layer, head }) = self.selection
            && (layer >= config.num_hidden_layers || head >= config.num_attention_heads)
        {
            let (layers, heads) = (config.num_hidden_layers, config.num_attention_heads);
            return invalid(format!(
                "layer {layer}, head {head}: the model has layers below {layers} and heads below {heads}"
            ));
        }
        Ok(())
    }
}
