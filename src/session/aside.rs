//! The same weights as another model: from now on, or for one run beside the last one.

use super::loaded::{Ran, Session};
use super::{Mark, Output, Request};
use crate::backend::Pace;
use crate::error::Error;
use crate::model::Model;
use std::mem::{replace, swap};

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
        self.aside.clear(&mut self.backend);
        self.beside.clear(&mut self.backend);
        self.last = None;
        self.model = model;
        Ok(())
    }

    /// Runs a request beside the last one, as a variant where one is given: questions are still about the run before, whose plans
    /// and texts are kept.
    ///
    /// # Errors
    /// A request that continues a text; a model of other weights; those of [`Session::run_paced`].
    pub async fn run_aside(
        &mut self,
        variant: Option<Model>,
        request: &Request,
        pace: &dyn Pace,
    ) -> Result<Output, Error> {
        refuse_going_on(request)?;
        if variant.is_some() {
            // Its plans may be recorded otherwise than those that are there.
            self.aside.clear(&mut self.backend);
        }
        let elsewhere = Elsewhere::with_variant(self, Place::Aside, variant)?;
        elsewhere.session.run_paced(request, pace).await
    }

    /// As [`Session::run_aside`], but what the run leaves is kept beside the last one's: it can be [looked at](Session::look_at) by
    /// its mark, until another one takes its place. Rows of heads before they turned are not told of it.
    ///
    /// # Errors
    /// Those of [`Session::run_aside`].
    pub async fn run_beside(
        &mut self,
        variant: Option<Model>,
        request: &Request,
        pace: &dyn Pace,
    ) -> Result<(Output, Option<Mark>), Error> {
        refuse_going_on(request)?;
        self.beside.clear(&mut self.backend);
        let elsewhere = Elsewhere::with_variant(self, Place::Beside, variant)?;
        let output = elsewhere.session.run_paced(request, pace).await?;
        Ok((output, elsewhere.session.mark()))
    }

    /// Lets the session's plans change places with those of a place, and its text with that of a search.
    fn exchange(&mut self, place: Place) {
        swap(&mut self.plans, if place == Place::Beside { &mut self.beside } else { &mut self.aside });
        if place == Place::Search {
            swap(&mut self.sequence, &mut self.searched);
        }
    }

    /// Gives a variant what of the model is known from its file alone, and lets it run on the weights as they are kept.
    ///
    /// # Errors
    /// A model of other weights.
    fn fit_variant(&self, model: &mut Model) -> Result<(), Error> {
        if !model.table.copy_formats(&self.model.table) {
            let reason = "a variant of a model has the model's own weights";
            return Err(Error::InvalidInput { reason: reason.into() });
        }
        model.facts.tells_contacts = self.model.facts.tells_contacts;
        self.stored.turn(model)
    }
}

/// Whose plans and text a run takes that is not to disturb the last one.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// Of runs beside the last one.
    Aside,
    /// Of the run beside the last one that can be looked at, too.
    Beside,
    /// Of a beam search.
    Search,
}

/// A session whose runs take the plans and the text of another place, and whose model may be a variant. Dropped, also while a run waits,
/// it puts the session's own back: plans, text, model, and the run that questions are about.
pub(super) struct Elsewhere<'a> {
    pub session: &'a mut Session,
    place: Place,
    /// The session's own model, while it runs as a variant.
    model: Option<Model>,
    last: Option<Ran>,
}

impl<'a> Elsewhere<'a> {
    pub fn new(session: &'a mut Session, place: Place) -> Self {
        let last = session.last;
        session.exchange(place);
        Self { session, place, model: None, last }
    }

    /// # Errors
    /// A model of other weights.
    fn with_variant(session: &'a mut Session, place: Place, variant: Option<Model>) -> Result<Self, Error> {
        let Some(mut variant) = variant else { return Ok(Self::new(session, place)) };
        session.fit_variant(&mut variant)?;
        let mut elsewhere = Self::new(session, place);
        elsewhere.model = Some(replace(&mut elsewhere.session.model, variant));
        Ok(elsewhere)
    }
}

impl Drop for Elsewhere<'_> {
    fn drop(&mut self) {
        self.session.exchange(self.place);
        self.session.last = self.last;
        if let Some(model) = self.model.take() {
            self.session.model = model;
            if self.place == Place::Aside {
                // A later run there is of another model.
                self.session.aside.clear(&mut self.session.backend);
            }
        }
    }
}

/// A run beside the last one does not go on from its text.
fn refuse_going_on(request: &Request) -> Result<(), Error> {
    if request.continues {
        return Err(Error::InvalidInput { reason: "a run beside the last one cannot continue its text".into() });
    }
    Ok(())
}
