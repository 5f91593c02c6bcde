//! A request: the inputs and the outputs of one run, checked against the model.

use super::draws::Draws;
use super::interventions::Interventions;
use super::probe_reads::check_map;
use super::result::{Fill, fills};
use super::source::SourceText;
use super::taps::{Origin, check_tap, origin};
use crate::error::{Error, InputList};
use crate::model::{Facts, HeadKind};
use crate::ops::MAX_TOP_K;
use crate::plan::{Part, Taps};

/// The rows of hidden states that a vocabulary head reads: one row of logits each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PredictionRows {
    /// At every token.
    All,
    /// At these, flattened: sequence · length + position.
    At(Vec<u32>),
}

/// An attention head; layers and heads count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HeadId {
    /// The encoder's, the decoder's or the cross-attention's; a model of one stack has a decoder.
    pub part: Part,
    /// Below the number of layers of the part.
    pub layer: usize,
    /// A query head of that layer.
    pub head: usize,
}

impl HeadId {
    /// A head of the decoder, or of a model's only stack.
    pub const fn new(layer: usize, head: usize) -> Self {
        Self { part: Part::Decoder, layer, head }
    }
}

/// The inputs of one run, and the outputs that it computes. A run checks them against the model first.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// (batch, length), row-major.
    pub ids: Vec<u32>,
    /// The number of texts, which have one length.
    pub batch: usize,
    /// Tokens of each text, padding included.
    pub length: usize,
    /// (batch, length): 1 for a token, 0 for padding; all 1 if it is missing.
    pub attention_mask: Option<Vec<u32>>,
    /// (batch, length); all 0 if it is missing.
    pub token_type_ids: Option<Vec<u32>>,
    /// (batch, length), below the length; 0, 1, 2 … if they are missing.
    pub position_ids: Option<Vec<u32>>,
    /// Added to every position id.
    pub position_offset: u64,
    /// The rows that a vocabulary head reads.
    pub rows: PredictionRows,
    /// The k best fills of each row instead of its logits; 0: logits.
    pub top_k: usize,
    /// For each of the rows an id, or none. The run computes −log p of the ids, after the penalty if there is one. With `top_k` above 0 it
    /// reads back no logits.
    pub labels: Option<Vec<Option<u32>>>,
    /// The logit lens: the output head also reads every layer's hidden states, and gives `top_k` fills for each. It is part of the run,
    /// because a finished run has no hidden states left.
    pub lens: bool,
    /// Divides positive logits of ids that a row's text already has, and multiplies negative ones.
    pub penalty: Option<f32>,
    /// For each of the rows ids that are neither among its fills nor drawn.
    pub bans: Option<Vec<Vec<u32>>>,
    /// Draws a token for each of the rows, after the penalty and the bans.
    pub draws: Option<Draws>,
    /// Values to read back. They are part of the request, because a run reuses the memory of all others.
    pub taps: Taps,
    /// Reads back one head's map with its query and key rows.
    pub selection: Option<HeadId>,
    /// Keeps a KV cache, and computes only the tokens after those that this text has in common with the cached one. Of a causal model.
    pub continues: bool,
    /// Changes of the forward pass for this run.
    pub interventions: Interventions,
    /// The source of an encoder–decoder: one for each text, or, with `continues`, one for several texts in turn.
    pub source: Option<SourceText>,
    /// Runs a text that is longer than the model is made for.
    pub beyond_length: bool,
}

/// The largest position offset. Angles are positions times frequencies in f64, which lose a bit with every doubling. Beyond this offset
/// that changes logits by more than other roundings.
pub const LARGEST_OFFSET: u64 = 1 << 40;

/// A model of one stack has no source; of an encoder–decoder every text has one.
fn check_source(request: &Request, facts: &Facts) -> Result<(), Error> {
    let architecture = facts.architecture;
    match (&request.source, &facts.encoder) {
        (None, None) => Ok(()),
        (None, Some(_)) => Err(Error::SourceMissing { architecture: architecture.into() }),
        (Some(_), None) => Err(Error::SourceUnexpected { architecture: architecture.into() }),
        (Some(source), Some(encoder)) => {
            Request::of_source(source, Taps::none()).check_text(encoder)?;
            let (texts, sources) = (request.batch, source.batch());
            let fits = if request.continues { texts.is_multiple_of(sources) } else { texts == sources };
            if !fits {
                return Err(Error::WrongCount { list: InputList::Sources, found: sources, expected: texts });
            }
            Ok(())
        }
    }
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
            position_ids: None,
            position_offset: 0,
            rows: PredictionRows::All,
            top_k: 0,
            labels: None,
            lens: false,
            penalty: None,
            bans: None,
            draws: None,
            taps: Taps::none(),
            selection: None,
            continues: false,
            interventions: Interventions::default(),
            source: None,
            beyond_length: false,
        }
    }

    /// The same text with its interventions, for which nothing is read back.
    pub(super) fn without_results(&self) -> Self {
        Self {
            attention_mask: self.attention_mask.clone(),
            token_type_ids: self.token_type_ids.clone(),
            position_ids: self.position_ids.clone(),
            position_offset: self.position_offset,
            interventions: self.interventions.clone(),
            source: self.source.clone(),
            beyond_length: self.beyond_length,
            ..Self::new(self.ids.clone(), self.batch, self.length)
        }
    }

    /// The encoder's request for a source.
    pub(super) fn of_source(source: &SourceText, taps: Taps) -> Self {
        let attention_mask = source.attention_mask.clone();
        Self { attention_mask, taps, ..Self::new(source.ids.clone(), source.batch(), source.length) }
    }

    /// Checks sizes, ids, positions, interventions, taps and the source against the model.
    pub(super) fn check(&self, facts: &Facts) -> Result<(), Error> {
        self.check_text(facts)?;
        check_source(self, facts)
    }

    /// The same, without the source.
    pub(super) fn check_text(&self, facts: &Facts) -> Result<(), Error> {
        let tokens = self.batch.saturating_mul(self.length);
        if tokens == 0 {
            return Err(if self.batch == 0 { Error::NoTexts } else { Error::EmptyText });
        }
        self.check_length(facts)?;
        self.check_maps()?;
        self.interventions.check(facts, self.length)?;
        if facts.adds_positions && self.position_offset > 0 {
            return Err(Error::PositionsFromTable);
        }
        if self.position_offset > LARGEST_OFFSET {
            return Err(Error::OffsetTooLarge { offset: self.position_offset, largest: LARGEST_OFFSET });
        }
        for (list, found) in [
            (InputList::Ids, Some(self.ids.len())),
            (InputList::AttentionMask, self.attention_mask.as_ref().map(Vec::len)),
            (InputList::TokenTypes, self.token_type_ids.as_ref().map(Vec::len)),
            (InputList::PositionIds, self.position_ids.as_ref().map(Vec::len)),
        ] {
            if let Some(found) = found.filter(|found| *found != tokens) {
                return Err(Error::WrongCount { list, found, expected: tokens });
            }
        }
        let place = |index: usize| (index / self.length, index % self.length);
        if let Some(index) = self.ids.iter().position(|id| *id as usize >= facts.vocab_size) {
            let (row, position) = place(index);
            return Err(Error::IdOutOfVocabulary { id: self.ids[index], row, position, vocab_size: facts.vocab_size });
        }
        let types = facts.type_vocab_size.max(1);
        let wrong_type = self.token_type_ids.iter().flatten().zip(0..).find(|(id, _)| **id as usize >= types);
        if let Some((&id, index)) = wrong_type {
            let (row, position) = place(index);
            return Err(Error::TokenTypeOutOfRange { id, row, position, type_vocab_size: types });
        }
        if let Some(index) = self.attention_mask.iter().flatten().position(|visible| *visible > 1) {
            let (row, position) = place(index);
            return Err(Error::InvalidMask { row, position });
        }
        if let Some(&id) = self.position_ids.iter().flatten().find(|id| **id as usize >= self.length) {
            return Err(Error::PositionOutOfRange { id, length: self.length });
        }
        self.check_results(facts, tokens)
    }

    fn check_length(&self, facts: &Facts) -> Result<(), Error> {
        match facts.limit(self.beyond_length) {
            Some(longest) if self.length as u64 > longest => {
                Err(Error::TextTooLong { length: self.length, longest, stretches: facts.stretches })
            }
            _ => Ok(()),
        }
    }

    /// Maps are read one by one, of all tokens each.
    fn check_maps(&self) -> Result<(), Error> {
        let source = self.source.as_ref().map_or(0, |source| source.length);
        let selected = self.selection.map(|head| head.part);
        let tapped = self.taps.iter().filter(|site| origin(site.tensor) == Origin::Maps).map(|site| site.part);
        selected.into_iter().chain(tapped).try_for_each(|part| match part {
            Part::Encoder => check_map(source, source),
            Part::Cross => check_map(self.length, source),
            Part::Decoder => check_map(self.length, self.length),
        })
    }

    fn check_results(&self, facts: &Facts, tokens: usize) -> Result<(), Error> {
        if (self.top_k > 0 || self.lens || self.rows != PredictionRows::All) && !facts.predicts_tokens() {
            return Err(Error::NoVocabularyHead { architecture: facts.architecture.into() });
        }
        if let PredictionRows::At(rows) = &self.rows
            && let Some(&row) = rows.iter().find(|row| **row as usize >= tokens)
        {
            return Err(Error::RowOutOfRange { row, tokens });
        }
        let most = MAX_TOP_K.min(facts.vocab_size);
        if self.top_k > most || (self.lens && self.top_k == 0) {
            return Err(Error::TopKOutOfRange { top_k: self.top_k, most });
        }
        for site in self.taps.iter() {
            check_tap(site, facts)?;
        }
        self.check_of_rows(facts, tokens)?;
        if self.continues && !facts.causal {
            return Err(Error::NotCausal { architecture: facts.architecture.into() });
        }
        self.selection.map_or(Ok(()), |head| facts.check_head(head.part, head.layer, head.head))
    }

    /// Lists with an entry for each prediction row.
    fn check_of_rows(&self, facts: &Facts, tokens: usize) -> Result<(), Error> {
        let rows = match &self.rows {
            PredictionRows::All => tokens,
            PredictionRows::At(rows) => rows.len(),
        };
        for (list, found) in [
            (InputList::Labels, self.labels.as_ref().map(Vec::len)),
            (InputList::Bans, self.bans.as_ref().map(Vec::len)),
            (InputList::Draws, self.draws.as_ref().map(|draws| draws.random.len())),
        ] {
            let Some(found) = found else { continue };
            if !facts.predicts_tokens() {
                return Err(Error::NoVocabularyHead { architecture: facts.architecture.into() });
            }
            if found != rows {
                return Err(Error::WrongCount { list, found, expected: rows });
            }
        }
        let Some(labels) = &self.labels else { return Ok(()) };
        let vocab_size = facts.vocab_size;
        let outside = |label: &Option<u32>| label.filter(|label| *label as usize >= vocab_size);
        match labels.iter().zip(0..).find_map(|(label, row)| outside(label).map(|label| (label, row))) {
            Some((label, row)) => Err(Error::LabelOutOfVocabulary { label, row, vocab_size }),
            None => Ok(()),
        }
    }

    /// Flattened positions of the rows that the output head reads, in the full text; empty if it reads all.
    pub(super) fn head_rows(&self, facts: &Facts) -> Vec<u32> {
        match (&self.rows, facts.output) {
            (_, HeadKind::Sequence) => (0..self.batch).map(|row| (row * self.length) as u32).collect(),
            (PredictionRows::At(rows), _) => rows.clone(),
            (PredictionRows::All, _) => {
                let [penalty, labels, bans, draws] =
                    [self.penalty.is_some(), self.labels.is_some(), self.bans.is_some(), self.draws.is_some()];
                let gathers = self.top_k > 0 || penalty || labels || bans || draws;
                if gathers { (0..(self.batch * self.length) as u32).collect() } else { Vec::new() }
            }
        }
    }

    /// The fills of each row, from the numbers of the op.
    pub(super) fn fills(&self, numbers: &[f32]) -> Vec<Vec<Fill>> {
        fills(numbers, self.top_k, self.bans.as_deref().unwrap_or_default())
    }
}
