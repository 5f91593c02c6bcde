//! The engine's model and its contexts: one for each kind of text that the page runs.

use super::explained_text::ExplainedText;
use crate::error::Error;
use crate::model::Variant;
use crate::plan::Part;
use crate::runtime::{Context, ContextOptions, Fill, Model, Request, Run};
use std::rc::{Rc, Weak};

/// A model and the contexts that run on it.
pub struct ModelContexts {
    pub model: Model,
    /// The text on the unchanged model, which generation continues.
    main: Rc<Context>,
    /// The text on a changed model.
    changed: Option<Varied>,
    /// A second text whose heads are kept.
    second: Option<Varied>,
    /// Texts whose runs are not kept.
    scratch: Option<Varied>,
    /// The text whose numbers were explained last.
    pub explained: Option<ExplainedText>,
    /// The context of the last text where it ran on a variant: generation continues there, else in the main one.
    last_variant: Weak<Context>,
    pub runs: Runs,
    /// The last run of a causal model: its request, the candidates for the token after its last row, and its context, which this does not
    /// keep alive.
    pub last: Option<(Request, Vec<Fill>, Weak<Context>)>,
}

/// A context, and the variant of the model that it runs.
struct Varied {
    variant: Variant,
    context: Rc<Context>,
}

/// The runs that JavaScript asks about, by number.
#[derive(Default)]
pub struct Runs {
    /// The number of the newest run, which counts up.
    pub newest_number: u32,
    /// The newest run, and the part of an encoder–decoder whose heads are painted.
    pub newest: Option<(Part, Run)>,
    /// The last run of the text on an unchanged model.
    pub unchanged: Option<(u32, Run)>,
    /// The last run of a second text. Its number counts down from the largest.
    pub second: Option<(u32, Run)>,
}

/// The context that a run uses, apart from the main one.
#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    /// The text on a changed model.
    Changed,
    /// A second text whose heads are kept.
    Second,
    /// Texts whose runs are not kept.
    Scratch,
}

const KEEP_HEADS: ContextOptions = ContextOptions { keep_heads: true, exact: false, f16_cache: false };

impl ModelContexts {
    /// `newest_number`: the newest run of the previous model.
    pub fn new(model: Model, newest_number: u32) -> Self {
        Self {
            main: Rc::new(model.context(KEEP_HEADS)),
            model,
            changed: None,
            second: None,
            scratch: None,
            explained: None,
            last_variant: Weak::new(),
            runs: Runs { newest_number, ..Runs::default() },
            last: None,
        }
    }

    /// The context of the text on an unchanged model.
    pub fn main(&self) -> Rc<Context> {
        Rc::clone(&self.main)
    }

    /// The context for continuing the last text.
    pub fn continued(&self) -> Rc<Context> {
        self.last_variant.upgrade().unwrap_or_else(|| self.main())
    }

    /// The last text ran in this context, on this variant.
    pub fn set_last(&mut self, context: &Rc<Context>, variant: &Variant) {
        self.last_variant = if *variant == Variant::default() { Weak::new() } else { Rc::downgrade(context) };
    }

    /// The context of a place for a variant. A new one replaces a context of another variant.
    pub fn context(&mut self, place: Place, variant: &Variant) -> Result<Rc<Context>, Error> {
        let (slot, options) = match place {
            Place::Changed => (&mut self.changed, KEEP_HEADS),
            Place::Second => (&mut self.second, KEEP_HEADS),
            Place::Scratch => (&mut self.scratch, ContextOptions::default()),
        };
        if let Some(varied) = slot.as_ref().filter(|varied| varied.variant == *variant) {
            return Ok(Rc::clone(&varied.context));
        }
        // Frees its memory before the next context allocates.
        *slot = None;
        let context = Rc::new(self.model.variant_or_self(variant)?.context(options));
        *slot = Some(Varied { variant: variant.clone(), context: Rc::clone(&context) });
        Ok(context)
    }

    pub fn bytes(&self) -> u64 {
        let others = [&self.changed, &self.second, &self.scratch].into_iter().flatten().map(|varied| &varied.context);
        let explained = self.explained.as_ref().map_or(0, ExplainedText::bytes);
        self.model.bytes() + explained + others.chain([&self.main]).map(|context| context.bytes()).sum::<u64>()
    }
}

impl Runs {
    pub fn find(&self, number: u32) -> Option<Run> {
        let newest = self.newest.iter().map(|(_, run)| (self.newest_number, run));
        let others = [&self.unchanged, &self.second].into_iter().flatten().map(|(number, run)| (*number, run));
        newest.chain(others).find(|(other, _)| *other == number).map(|(_, run)| run.clone())
    }

    /// Keeps the run of a second text. Returns its number.
    pub fn add_second(&mut self, run: Run) -> u32 {
        let number = self.second.as_ref().map_or(u32::MAX, |(previous, _)| previous.wrapping_sub(1));
        self.second = Some((number, run));
        number
    }
}

pub fn model_contexts(contexts: &mut Option<ModelContexts>) -> Result<&mut ModelContexts, Error> {
    contexts.as_mut().ok_or(Error::NoModel)
}
