//! The text that a session goes on with: begun, continued, kept aside, given back, and stepped on while questions stay about what was run.

use super::loaded::{Ran, Session, keeps_heads, turned};
use super::sequence::Sequence;
use super::{Output, Request};
use crate::backend::Pace;
use crate::error::Error;
use crate::model::Purpose;
use crate::plan::{Capacity, Part};

impl Session {
    /// Runs a request whose source has been read.
    pub(super) async fn run_text(&mut self, request: &Request, pace: &dyn Pace) -> Result<Output, Error> {
        let serves = |sequence: &Sequence| sequence.holds(request, keeps_heads(request));
        if request.continues && !self.sequence.as_ref().is_some_and(serves) {
            self.sequence = Some(self.begin(request).await?);
        }
        self.execute(Part::Decoder, request, pace).await
    }

    /// Gives the memory of the last text's cache back.
    pub fn forget(&mut self) {
        self.ahead = None;
        if let Some(sequence) = self.sequence.take() {
            self.last = self.last.filter(|last| last.states != Some(sequence.states()));
            sequence.give_back(&mut self.backend);
        }
    }

    /// A copy of the text so far, to be put back by [`Session::resume`].
    ///
    /// # Errors
    /// No text was continued yet; no room for the copy.
    pub async fn branch(&mut self) -> Result<Sequence, Error> {
        let missing = || Error::InvalidInput { reason: "no text was continued yet".into() };
        let sequence = self.sequence.as_ref().ok_or_else(missing)?;
        sequence.branch(&mut self.backend).await
    }

    /// Gives the memory of a copy back.
    pub fn release(&mut self, sequence: Sequence) {
        sequence.give_back(&mut self.backend);
    }

    /// Goes on from this text; the one before is given back.
    pub fn resume(&mut self, sequence: Sequence) {
        self.forget();
        self.sequence = Some(sequence);
    }

    /// An empty text with room for the request.
    async fn begin(&mut self, request: &Request) -> Result<Sequence, Error> {
        self.forget();
        let keeps = keeps_heads(request);
        let purpose = Purpose { keeps_heads: keeps, cached: true, ..Purpose::new(Capacity::new(1, 1, 1)) };
        let shapes = self.model.record(&purpose)?.plan.states;
        let context = Sequence::context_for(request.length, request.exact, self.model.facts.longest);
        let memory = self.plans.source.as_ref().filter(|_| request.source.is_some()).map(|source| source.memory);
        Sequence::new(&mut self.backend, shapes, request, keeps, turned(request), context, memory).await
    }

    /// Runs one more token of a text, and leaves what questions are about as it was: the shorter text is still in the cache. About
    /// nothing, where that text is not what this one begins with.
    pub(super) async fn step(&mut self, request: &Request, pace: &dyn Pace) -> Result<Output, Error> {
        let marked = self.mark();
        let held = self.sequence.as_ref().filter(|held| held.holds(request, keeps_heads(request)));
        let goes_on = |(ran, held): &(Ran, &Sequence)| {
            ran.states == Some(held.states()) && ran.sizes.keys() <= held.alike(request)
        };
        let before = self.last.zip(held).filter(goes_on).map(|(ran, _)| ran);
        let result = self.run_paced(request, pace).await;
        let now = self.last.filter(|_| result.is_ok());
        self.last = now.zip(before).map(|(now, before)| before.seen_from(now));
        if self.last.is_none() {
            // A run beside the text is not touched by it, nor one by a step that did not come to its plan.
            marked.map(|mark| self.look_at(mark));
        }
        result
    }
}
