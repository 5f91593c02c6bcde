//! The same weights as another model: from now on, or for one run beside the last one.

use super::loaded::Session;
use super::{Output, Request};
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
    pub fn become_variant(&mut self, model: Model) -> Result<(), Error> {
        self.check_variant(&model)?;
        self.forget();
        self.plans.clear(&mut self.backend);
        self.aside.clear(&mut self.backend);
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
        if request.continues {
            return Err(Error::InvalidInput { reason: "a run beside the last one cannot continue its text".into() });
        }
        let mut variant = variant;
        if let Some(model) = &mut variant {
            self.check_variant(model)?;
            // Its plans may be recorded otherwise than those that are there.
            self.aside.clear(&mut self.backend);
            swap(&mut self.model, model);
        }
        let before = self.last;
        swap(&mut self.plans, &mut self.aside);
        let result = self.run_paced(request, pace).await;
        swap(&mut self.plans, &mut self.aside);
        self.last = before;
        if let Some(model) = variant {
            self.aside.clear(&mut self.backend);
            self.model = model;
        }
        result
    }

    fn check_variant(&self, model: &Model) -> Result<(), Error> {
        let alike = self.model.table.iter().eq(model.table.iter());
        let reason = "a variant of a model has the model's own weights";
        if alike { Ok(()) } else { Err(Error::InvalidInput { reason: reason.into() }) }
    }
}
