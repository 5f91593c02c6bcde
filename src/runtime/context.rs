//! A context: one text (or batch of texts) on a model, with its KV cache and its plans.

use super::context_options::ContextOptions;
use super::inner::{Inner, borrow};
use super::model::Model;
use super::probes::residues;
use super::request::Request;
use super::result::Output;
use super::run::Run;
use crate::backend::Cancellation;
use crate::error::Error;
use std::cell::{RefCell, RefMut};
use std::rc::Rc;

/// A text on a model: its KV cache and its plans. Dropping it frees them, and its runs answer [`Error::Stale`] from then on.
///
/// Futures of its methods and of its runs may be dropped at any await: the context then is as after a run that failed. It does one thing
/// at a time: a method that is called while a future of another one is alive answers [`Error::Busy`].
pub struct Context {
    model: Model,
    inner: Rc<RefCell<Inner>>,
}

impl Model {
    /// An empty context.
    pub fn context(&self, options: ContextOptions) -> Context {
        Context::new(self.clone(), options)
    }
}

impl Context {
    fn new(model: Model, options: ContextOptions) -> Self {
        let inner = Inner::new(model.clone(), options);
        Self { model, inner: Rc::new(RefCell::new(inner)) }
    }

    /// The model whose text it is.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Runs a request: one submit and one map on a GPU. Returns its results, and a handle for questions about the run. A request that
    /// [continues](Request::continues) takes from the KV cache the tokens with which the last one began.
    ///
    /// # Errors
    /// A request out of range; [`Error::Cancelled`]; no memory; [`Error::NoF16`]; a lost device; [`Error::Busy`].
    pub async fn run(&self, request: &Request, cancel: &dyn Cancellation) -> Result<(Output, Run), Error> {
        let (output, key) = self.borrow()?.run(request, cancel).await?;
        let residues = if self.model.facts().has_contact_head { residues(request) } else { Vec::new() };
        Ok((output, Run::new(Rc::downgrade(&self.inner), key, residues.into())))
    }

    /// Frees the KV cache.
    ///
    /// # Errors
    /// [`Error::Busy`].
    pub fn clear(&self) -> Result<(), Error> {
        let mut inner = self.borrow()?;
        (inner.in_flight, inner.cache) = (None, None);
        Ok(())
    }

    /// Another context, with a copy of this one's KV cache.
    ///
    /// # Errors
    /// No memory; a lost device; [`Error::Busy`].
    pub async fn fork(&self) -> Result<Self, Error> {
        let inner = self.borrow()?;
        let other = Self::new(self.model.clone(), inner.options);
        if let Some(cache) = &inner.cache {
            let copy = cache.fork(&self.model).await?;
            let mut forked = other.borrow()?;
            (forked.caches, forked.cache) = (copy.id, Some(copy));
        }
        Ok(other)
    }

    /// Bytes of its plans and caches; [`Model::bytes`] counts the weights. 0 while it is at work.
    pub fn bytes(&self) -> u64 {
        self.inner.try_borrow().map_or(0, |inner| inner.bytes())
    }

    pub(super) fn borrow(&self) -> Result<RefMut<'_, Inner>, Error> {
        borrow(&self.inner)
    }
}
