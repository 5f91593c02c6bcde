//! A handle to a finished run, for questions about it.

use super::inner::{Inner, borrow};
use super::run_key::RunKey;
use crate::error::Error;
use crate::rope::Frequencies;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// A run of a [`Context`](super::Context), which answers questions about its heads: maps, rows, statistics. A clone is the same handle.
///
/// A run's numbers stay in its context until a later run overwrites them: then every question answers [`Error::Stale`]. A cached text stays
/// while its tokens stay in the cache, also when later runs continue it. A question also fails for a run without stored heads, on a lost
/// device, and with [`Error::Busy`] or [`Error::Cancelled`].
#[derive(Clone)]
pub struct Run {
    context: Weak<RefCell<Inner>>,
    key: RunKey,
    /// `true` for each token that is a residue, for [`Run::contacts`]; empty for a model without a contact head.
    residues: Rc<[bool]>,
}

impl Run {
    pub(super) fn new(context: Weak<RefCell<Inner>>, key: RunKey, residues: Rc<[bool]>) -> Self {
        Self { context, key, residues }
    }

    /// Whether it can still answer questions; `false` also while its context is busy.
    pub fn is_fresh(&self) -> bool {
        self.context
            .upgrade()
            .is_some_and(|inner| inner.try_borrow().is_ok_and(|inner| inner.locate(&self.key).is_ok()))
    }

    /// θ and magnitude that a layer rotated by; `None` where the layer has no rope.
    ///
    /// # Errors
    /// [`Error::Stale`]; [`Error::Busy`].
    pub fn frequencies(&self, layer: usize) -> Result<Option<Frequencies>, Error> {
        let inner = self.inner()?;
        let inner = borrow(&inner)?;
        inner.locate(&self.key)?;
        Ok(inner.model.frequencies(layer, self.key.angles.length))
    }

    pub(super) fn key(&self) -> &RunKey {
        &self.key
    }

    pub(super) fn residues(&self) -> &[bool] {
        &self.residues
    }

    pub(super) fn inner(&self) -> Result<Rc<RefCell<Inner>>, Error> {
        self.context.upgrade().ok_or(Error::Stale)
    }
}
