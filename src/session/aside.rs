//! The same weights as another model: from now on, or for one run beside the last one.

use super::loaded::Session;
use super::{Mark, Output, Request};
use crate::backend::Pace;
use crate::error::Error;
use crate::model::Model;
use std::mem::swap;

impl Session {
    /// Runs its weights as this model from now on, which must be a [`crate::model::Variant`] of its own: other ropes, values
    /// rotated. Plans and texts of the one before are given back, and nothing can be asked of its runs any more.
    ///
    /// # Errors
    /// A model of other weights.
    pub fn become_variant(&mut self, mut model: Model) -> Result<(), Error> {
        self.fit_variant(&mut model)?;
        self.forget();
        if let Some(sequence) = self.searched.take() {
            sequence.give_back(&mut self.backend);
        }
        self.plans.clear(&mut self.backend);
        self.clear_aside();
        self.beside.clear(&mut self.backend);
        self.last = None;
        self.model = model;
        Ok(())
    }

    /// Gives the memory of runs beside the last one back, but of the one that can be looked at.
    pub fn clear_aside(&mut self) {
        self.aside.clear(&mut self.backend);
        if let Some(sequence) = self.aside_text.take() {
            sequence.give_back(&mut self.backend);
        }
    }

    /// Runs a request beside the last one, as a variant where one is given: questions are still about the run before, whose plans
    /// and texts are kept. A request that continues goes on from a text of its own, until [`Session::clear_aside`].
    ///
    /// # Errors
    /// A variant's request that continues; a model of other weights; those of [`Session::run_paced`].
    pub async fn run_aside(
        &mut self,
        variant: Option<Model>,
        request: &Request,
        pace: &dyn Pace,
    ) -> Result<Output, Error> {
        let is_variant = variant.is_some();
        if is_variant {
            refuse_going_on(request)?;
            // Its plans may be recorded otherwise than those that are there.
            self.clear_aside();
        }
        let (result, _) = self.run_apart(variant, request, pace).await?;
        if is_variant {
            self.clear_aside();
        }
        result
    }

    /// As [`Session::run_aside`], but what the run leaves is kept beside the last one's: it can be [looked at](Session::look_at) by
    /// its mark, until another one takes its place. Rows of heads before they turned are not told of it.
    ///
    /// # Errors
    /// A request that continues a text; those of [`Session::run_aside`].
    pub async fn run_beside(
        &mut self,
        variant: Option<Model>,
        request: &Request,
        pace: &dyn Pace,
    ) -> Result<(Output, Option<Mark>), Error> {
        refuse_going_on(request)?;
        self.beside.clear(&mut self.backend);
        swap(&mut self.aside, &mut self.beside);
        let run = self.run_apart(variant, request, pace).await;
        swap(&mut self.aside, &mut self.beside);
        let (result, mark) = run?;
        Ok((result?, mark))
    }

    /// Runs a request in the plans for runs aside, and marks the run. Whatever comes of it, the rest is as it was.
    ///
    /// # Errors
    /// A model of other weights.
    async fn run_apart(
        &mut self,
        mut variant: Option<Model>,
        request: &Request,
        pace: &dyn Pace,
    ) -> Result<(Result<Output, Error>, Option<Mark>), Error> {
        if let Some(model) = &mut variant {
            self.fit_variant(model)?;
            swap(&mut self.model, model);
        }
        let before = self.last;
        swap(&mut self.plans, &mut self.aside);
        swap(&mut self.sequence, &mut self.aside_text);
        let result = self.run_paced(request, pace).await;
        let mark = self.mark();
        swap(&mut self.sequence, &mut self.aside_text);
        swap(&mut self.plans, &mut self.aside);
        self.last = before;
        if let Some(model) = variant {
            self.model = model;
        }
        Ok((result, mark))
    }

    /// Gives a variant what of the model is known from its file alone, and lets it run on the weights as they are kept.
    ///
    /// # Errors
    /// A model of other weights.
    fn fit_variant(&self, model: &mut Model) -> Result<(), Error> {
        if !model.table.take_over(&self.model.table) {
            let reason = "a variant of a model has the model's own weights";
            return Err(Error::InvalidInput { reason: reason.into() });
        }
        model.facts.tells_contacts = self.model.facts.tells_contacts;
        self.stored.turn(model)
    }
}

/// A run beside the last one does not go on from its text.
fn refuse_going_on(request: &Request) -> Result<(), Error> {
    if request.continues {
        return Err(Error::InvalidInput { reason: "a run beside the last one cannot continue its text".into() });
    }
    Ok(())
}
