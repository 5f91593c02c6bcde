//! The last run's mark, to ask about it again when another one has come since: as long as nothing overwrote what it left.

use super::loaded::{Ran, Session};

/// A run that came to its end. What it left is not kept for it: [`Session::look_at`] tells whether it is still there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    ran: Ran,
    /// Runs of its plan until then.
    runs: u64,
    /// Texts of its sequence that were cut until then, where it has one.
    cuts: Option<u64>,
}

impl Session {
    /// A mark of the run that questions are about; `None` before one, or where a later run has taken its place.
    pub fn mark(&self) -> Option<Mark> {
        let ran = self.last?;
        Some(Mark { ran, runs: self.runs(ran)?, cuts: self.cuts(ran) })
    }

    /// Makes questions be about this run again; about none where no mark is given. False, and nothing changes, where what it left
    /// was given back or overwritten: its plan ran again, or its text is no longer whole in the cache. A run that is to leave
    /// another one's answers where they are takes a plan [apart](super::Request::apart) and does not continue its text.
    pub fn look_at(&mut self, mark: impl Into<Option<Mark>>) -> bool {
        let mark = mark.into();
        let there = mark.is_none_or(|Mark { ran, runs, cuts }| {
            // Without a cache it has no states, or those of its source.
            self.runs(ran) == Some(runs)
                && self.cuts(ran) == cuts
                && cuts.is_some() == (ran.sizes.context > 0)
                && (ran.source == 0 || self.read_before(ran).is_some())
        });
        if there {
            self.last = mark.map(|mark| mark.ran);
            // What is looked at outlasts plans that are not.
            self.last.iter().for_each(|ran| self.plans.touch(ran.plan));
        }
        there
    }

    /// How often a run's plan was taken, whether for the text that goes on or for one beside it.
    fn runs(&self, ran: Ran) -> Option<u64> {
        self.plans.runs(ran.plan).or_else(|| self.beside.runs(ran.plan))
    }

    /// How often the text in a run's states was cut; `None` where it has no states, or they are another text's now.
    fn cuts(&self, ran: Ran) -> Option<u64> {
        let sequence = self.sequence.as_ref().filter(|sequence| Some(sequence.states()) == ran.states);
        sequence.map(|sequence| sequence.cuts())
    }
}
