//! What an encoder–decoder reads before it writes: the source is read once, and its keys and values stay for every layer of the
//! decoder.

use super::backend::StatesId;
use super::loaded::{Ran, Session, keeps_heads};
use super::plans::Plans;
use super::sequence::Sequence;
use super::{Request, Tensor};
use crate::backend::Pace;
use crate::error::Error;
use crate::model::{Facts, Purpose};
use crate::plan::{Capacity, Part, Sizes, Tap, Taps};
use std::collections::BTreeMap;

/// A batch of sources.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceText {
    /// (batch, length), row-major.
    pub ids: Vec<u32>,
    pub length: usize,
    /// (batch, length): 1 for a token, 0 for padding; all 1 where there is none.
    pub attention_mask: Option<Vec<u32>>,
}

impl SourceText {
    /// One source, all of it seen.
    pub fn one(ids: Vec<u32>) -> Self {
        Self { length: ids.len(), ids, attention_mask: None }
    }

    /// Sources.
    pub fn batch(&self) -> usize {
        self.ids.len().checked_div(self.length).unwrap_or(0)
    }

    /// What is added to the scores of its keys for each of `batch` texts, (batch, length): as many texts after each source.
    pub(super) fn key_mask(&self, batch: usize) -> Vec<f32> {
        let each = batch.checked_div(self.batch()).unwrap_or(0);
        let mut added = vec![0.0; batch * self.length];
        if let Some(mask) = &self.attention_mask {
            for (row, added) in added.chunks_exact_mut(self.length.max(1)).enumerate() {
                let first = row.checked_div(each).unwrap_or(0) * self.length;
                for (added, kept) in added.iter_mut().zip(&mask[first..]) {
                    *added = if *kept == 0 { f32::MIN } else { 0.0 };
                }
            }
        }
        added
    }

    /// The encoder's run of it.
    pub(super) fn request(&self, of: &Request, keeps_heads: bool) -> Request {
        Request {
            attention_mask: self.attention_mask.clone(),
            taps: of.taps.clone(),
            keeps_heads,
            exact: of.exact,
            ..Request::new(self.ids.clone(), self.batch(), self.length)
        }
    }
}

/// Where keys and values of a source lie.
#[derive(Debug, Clone, Copy)]
pub struct Memory {
    pub states: StatesId,
    /// Sources, and tokens of them.
    pub sizes: Sizes,
}

/// A source that was read.
pub struct Source {
    pub text: SourceText,
    pub memory: Memory,
    /// The encoder's run, and whether its heads are kept; none while it runs, or where it failed.
    pub ran: Option<(Ran, bool)>,
    /// Tells it from others that were read.
    pub number: u64,
}

/// A model of one stack has no source; of an encoder–decoder every text has one.
///
/// # Errors
/// A source that is missing, or that nobody reads; other numbers of texts than of sources.
pub(super) fn check(request: &Request, facts: &Facts) -> Result<(), Error> {
    let invalid = |reason: String| Err(Error::InvalidInput { reason });
    let architecture = facts.architecture;
    match (&request.source, &facts.encoder) {
        (None, None) => Ok(()),
        (None, Some(_)) => invalid(format!("{architecture} writes after a source: give the source's ids, too")),
        (Some(_), None) => invalid(format!("{architecture} reads no source: give the text alone")),
        (Some(source), Some(encoder)) => {
            Request { taps: Taps::none(), ..source.request(request, false) }.check_text(encoder)?;
            let (texts, sources) = (request.batch, source.batch());
            let fits = if request.continues { texts.is_multiple_of(sources) } else { texts == sources };
            if !fits {
                return invalid(format!("{texts} texts after {sources} sources: give one for each"));
            }
            Ok(())
        }
    }
}

impl Session {
    /// Chooses the part whose heads are asked about, and chosen by later runs.
    ///
    /// # Errors
    /// A part that the model does not have.
    pub fn look_at_part(&mut self, part: Part) -> Result<(), Error> {
        if !self.model.facts.has(part) {
            let reason = format!("{} has no {part}: it is one stack", self.model.facts.architecture);
            return Err(Error::InvalidInput { reason });
        }
        self.part = part;
        Ok(())
    }

    /// That part.
    pub fn part(&self) -> Part {
        self.part
    }

    /// Reads a request's source, where it was not the last one that was read. Gives the encoder's taps that are asked for.
    ///
    /// # Errors
    /// [`Error::Overtaken`]; a device that is full or lost.
    pub(super) async fn read_source(
        &mut self,
        request: &Request,
        pace: &dyn Pace,
    ) -> Result<BTreeMap<String, Tensor>, Error> {
        let Some(text) = &request.source else { return Ok(BTreeMap::new()) };
        let keeps = keeps_heads(request);
        let serves = |source: &Source| {
            let kept = source.ran.filter(|(ran, kept)| !keeps || (*kept && self.plans.holds(ran.plan)));
            source.text == *text && kept.is_some()
        };
        if request.taps.is_empty() && self.plans.source.as_ref().is_some_and(serves) {
            return Ok(BTreeMap::new());
        }
        let memory = self.memory_for(text, request.exact).await?;
        self.sources += 1;
        let source = Source { text: text.clone(), memory, ran: None, number: self.sources };
        self.plans.source = Some(source);
        let output = self.execute(Part::Encoder, &text.request(request, keeps), pace).await?;
        if let Some((source, ran)) = self.plans.source.as_mut().zip(self.last.take()) {
            source.ran = Some((ran, keeps));
        }
        Ok(output.tensors)
    }

    /// Room for the keys and values of sources: that of the last ones, where it serves.
    async fn memory_for(&mut self, text: &SourceText, exact: bool) -> Result<Memory, Error> {
        let batch = text.batch();
        let held = self.plans.source.as_ref().map(|source| source.memory);
        if let Some(memory) = held.filter(|held| held.sizes.batch == batch && text.length <= held.sizes.source_context)
        {
            return Ok(Memory { sizes: Sizes { source: text.length, ..memory.sizes }, ..memory });
        }
        self.plans.drop_source(&mut self.backend);
        let longest = self.model.facts.of(Part::Encoder).longest;
        let source_context = Sequence::context_for(text.length, exact, longest);
        let sizes = Sizes { source: text.length, source_context, ..Sizes::new(batch, 0, 0) };
        let purpose = Purpose { part: Part::Encoder, ..Purpose::new(Capacity::new(1, 1, 1)) };
        let shapes = self.model.record(&purpose)?.plan.states;
        let states = self.backend.new_states(&shapes, sizes).await?;
        Ok(Memory { states, sizes })
    }

    /// The encoder's run that a run of the decoder came after, while it can be asked about.
    pub(super) fn read_before(&self, ran: Ran) -> Option<Ran> {
        let of = |plans: &Plans| {
            let source = plans.source.as_ref().filter(|source| source.number == ran.source)?;
            source.ran.map(|(ran, _)| ran)
        };
        of(&self.plans).or_else(|| of(&self.beside))
    }
}

/// What a tap of a part is called: as Hugging Face names the outputs of an encoder–decoder, and of one stack without its part.
pub(super) fn tap_name(facts: &Facts, part: Part, tap: Tap) -> String {
    match (&facts.encoder, tap) {
        (None, _) => tap.to_string(),
        (_, Tap::HiddenStates(_) | Tap::Attentions(_)) => format!("{part}_{tap}"),
        _ => format!("{part}.{tap}"),
    }
}
