//! The model of an engine, shared with the texts that it writes on.

use crate::error::Error;
use crate::session::Session;
use std::cell::RefCell;
use std::rc::Rc;

/// At most one model. Whoever works with it takes it out meanwhile: nothing holds the cell across an await.
#[derive(Clone, Default)]
pub struct SharedSession(Rc<RefCell<Option<Session>>>);

impl SharedSession {
    /// Takes the model to work with it; it must be put back.
    ///
    /// # Errors
    /// No model is loaded, or somebody works with it.
    pub fn take(&self) -> Result<Session, Error> {
        self.0.borrow_mut().take().ok_or_else(no_model)
    }

    pub fn put(&self, session: Session) {
        *self.0.borrow_mut() = Some(session);
    }

    /// Does one thing with the model.
    ///
    /// # Errors
    /// As [`SharedSession::take`].
    pub fn with<T>(&self, work: impl FnOnce(&mut Session) -> T) -> Result<T, Error> {
        self.0.borrow_mut().as_mut().map(work).ok_or_else(no_model)
    }
}

fn no_model() -> Error {
    Error::InvalidInput { reason: "no model is loaded yet".into() }
}
