//! A loaded model: what it is, what it ran last, and the texts that it keeps.

use super::backend::{Answer, Asked, Backend, PlanId, StatesId};
use super::device::GpuDevice;
use super::heads::{LARGEST_MAP, head_maps, head_questions, picture_questions, side, whole_maps};
use super::plans::Plans;
use super::request::Selection;
use super::rotary::{Turned, write_tables};
use super::sequence::Sequence;
use super::{Fill, HeadMaps, Output, Report, Request, Tensor};
use crate::backend::gpu::Gpu;
use crate::backend::{Pace, Read, Unhurried};
use crate::error::Error;
use crate::model::{Facts, Model, Purpose};
use crate::plan::{Capacity, Heads, Sizes, Tap, TapView, Taps, Value};
use crate::rope::Frequencies;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A loaded model.
pub struct Session {
    model: Model,
    backend: Backend,
    /// The file's own rotary table (max_position_embeddings, head_size), sines before cosines, where it has one.
    stored_table: Option<Vec<f32>>,
    plans: Plans,
    /// The text that requests go on from.
    sequence: Option<Sequence>,
    last: Option<Ran>,
    /// Rows and columns of the last picture's maps at most; 0 before one.
    cell: usize,
}

/// The last run that came to its end: what questions are about.
#[derive(Clone, Copy)]
struct Ran {
    plan: PlanId,
    states: Option<StatesId>,
    sizes: Sizes,
    turned: Turned,
}

/// A picture of every head's map where it lies: (layers, heads, side, side).
pub struct Picture<'a> {
    pub answer: Answer<'a>,
    pub layers: usize,
    pub heads: usize,
    /// Rows and columns of a map: its tokens, or fewer where they were pooled.
    pub side: usize,
    /// What it took to make them.
    pub dispatches: usize,
}

impl Session {
    pub(super) fn new(model: Model, backend: Backend, stored_table: Option<Vec<f32>>) -> Self {
        Self { model, backend, stored_table, plans: Plans::default(), sequence: None, last: None, cell: 0 }
    }

    pub fn facts(&self) -> &Facts {
        &self.model.facts
    }

    /// Numbers of all weights, tied ones once.
    pub fn parameters(&self) -> u64 {
        self.model.table.parameters()
    }

    /// θ and magnitude of a layer's rope in the last run; of a short text before one.
    pub fn frequencies(&self) -> Option<Frequencies> {
        let length = self.last.map_or(1, |last| last.turned.length);
        self.model.ropes.first().map(|rope| rope.frequencies(length))
    }

    /// "CPU", or the GPU adapter's name and driver.
    pub fn backend_name(&self) -> String {
        self.backend.gpu().map_or_else(|| "CPU".into(), Gpu::describe)
    }

    /// The device it runs on, if that is a GPU.
    pub fn gpu(&self) -> Option<&Gpu> {
        self.backend.gpu()
    }

    /// The GPU that it is on, with its pipelines, to be used while the session is borrowed.
    pub fn device(&self) -> Option<Rc<GpuDevice>> {
        self.backend.device()
    }

    /// Buffers, bind groups and pipelines created on its device so far.
    pub fn created(&self) -> u64 {
        self.backend.created()
    }

    /// Bytes of weights, plans and caches.
    pub fn bytes_held(&self) -> u64 {
        self.backend.bytes()
    }

    /// Runs a request without pausing.
    ///
    /// # Errors
    /// See [`Session::run_paced`].
    pub async fn run(&mut self, request: &Request) -> Result<Output, Error> {
        self.run_paced(request, &Unhurried).await
    }

    /// Runs a request, pausing as `pace` says (CPU backend). Where the request continues a text, what that begins with alike is
    /// taken from the cache.
    ///
    /// # Errors
    /// A request out of range; [`Error::Overtaken`]; a device that is full or lost.
    pub async fn run_paced(&mut self, request: &Request, pace: &dyn Pace) -> Result<Output, Error> {
        request.check(&self.model.facts)?;
        if !request.continues {
            return self.execute(request, None, pace).await;
        }
        // Taken out while it runs: a run that fails leaves no half a text behind.
        let mut sequence = match self.sequence.take() {
            Some(held) if held.holds(request, keeps_heads(request)) => held,
            held => {
                self.sequence = held;
                self.begin(request).await?
            }
        };
        let result = self.execute(request, Some(&mut sequence), pace).await;
        self.sequence = Some(sequence);
        result
    }

    /// Gives the memory of the last text's cache back.
    pub fn forget(&mut self) {
        if let Some(sequence) = self.sequence.take() {
            self.last = self.last.filter(|last| last.states != Some(sequence.states()));
            self.backend.drop_states(sequence.states());
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
        self.backend.drop_states(sequence.states());
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
        Sequence::new(&mut self.backend, shapes, request, keeps, turned(request), context).await
    }

    async fn execute(
        &mut self,
        request: &Request,
        mut sequence: Option<&mut Sequence>,
        pace: &dyn Pace,
    ) -> Result<Output, Error> {
        let facts = &self.model.facts;
        let created = self.backend.created();
        let turned = turned(request);
        let head_rows = request.head_rows(facts);
        let first_row = head_rows.iter().map(|row| *row as usize % request.length).min().unwrap_or(0);
        let mut past = 0;
        if let Some(sequence) = sequence.as_deref_mut() {
            past = if request.taps.is_empty() { sequence.shared(request, turned, first_row, &self.model) } else { 0 };
            if request.length > sequence.context() {
                let context = Sequence::context_for(request.length, request.exact, facts.longest);
                sequence.grow(&mut self.backend, context, past).await?;
            }
            sequence.cut(past);
        }
        let sizes = Sizes {
            batch: request.batch,
            length: request.length - past,
            past,
            context: sequence.as_deref().map_or(0, Sequence::context),
            rows: head_rows.len(),
        };
        let inputs = request.inputs(facts, past);
        let purpose = purpose(facts, request, sizes);
        self.last = None;
        let planned = self.plans.get(&mut self.backend, &self.model, purpose, sizes, self.cell).await?;
        if planned.turned.is_none_or(|before| !before.serves(turned, &self.model)) {
            write_tables(&mut self.backend, planned.id, &self.model, turned, self.stored_table.as_deref())?;
            planned.turned = Some(turned);
        }
        let (plan, result) = (planned.id, planned.result);
        let finished = self.backend.plan(plan)?;
        let whole = |value: Value| Read { of: value.into(), first: 0, count: finished.elements(value, sizes) as usize };
        let taps = finished.taps.clone();
        let result_shape = finished.shapes[result.index()].dimensions(sizes);
        let widths: Vec<usize> =
            taps.iter().map(|(_, view)| finished.shapes[view.value().index()].fixed_width().unwrap_or(0)).collect();
        let mut reads = vec![whole(result)];
        reads.extend(taps.iter().map(|(_, view)| whole(view.value())));
        let asked = match request.selection {
            Some(Selection { layer, head }) => {
                let heads = finished.heads.get(layer).ok_or_else(no_heads)?;
                check_map(heads, sizes)?;
                Some(head_questions(heads, head, sizes))
            }
            None => None,
        };
        if let Some(asked) = &asked {
            reads.extend(asked.reads());
        }
        let states = sequence.as_deref().map(Sequence::states);
        let heads = finished.heads.clone();
        if let Some(asked) = &asked {
            self.prepare_heads((plan, states), &heads, sizes, asked.numbers())?;
        }
        let (questions, numbers) = asked.as_ref().map_or((&[][..], 0), |asked| (&asked.questions, asked.numbers()));
        let asked = Asked { questions, numbers, reads: &reads };
        let (read, dispatches) = self.backend.run((plan, states), inputs, sizes, asked, pace).await?;
        if let Some(sequence) = sequence {
            sequence.take(request, turned);
        }
        self.last = Some(Ran { plan, states, sizes, turned });

        let bytes_read_back = reads.iter().map(|read| 4 * read.count as u64).sum();
        let mut read = read.into_iter();
        let mut output = Output {
            tensors: BTreeMap::new(),
            top: Vec::new(),
            head: None,
            report: Report { dispatches, computed: sizes.length, created: 0, bytes_held: 0, bytes_read_back },
        };
        let data = read.next().unwrap_or_default();
        if request.top_k > 0 {
            output.top = data.chunks_exact(2 * request.top_k).map(fills).collect();
        } else {
            output.tensors.insert(self.model.facts.result_name().into(), Tensor { shape: result_shape, data });
        }
        for (((tap, view), width), data) in taps.iter().zip(widths).zip(read.by_ref()) {
            output.tensors.insert(tap.to_string(), arrange(*view, width, data, sizes));
        }
        if request.selection.is_some() {
            output.head = Some(head_maps(read));
        }
        for tap in request.taps.iter() {
            if let Tap::Attentions(layer) = tap {
                output.tensors.insert(tap.to_string(), self.attentions(layer, pace).await?);
            }
        }
        output.report.created = self.backend.created() - created;
        output.report.bytes_held = self.backend.bytes();
        Ok(output)
    }

    /// Runs one more token of a text, and leaves what questions are about as it was: the shorter text is still in the cache.
    pub(super) async fn step(&mut self, request: &Request, pace: &dyn Pace) -> Result<Output, Error> {
        let before = self.last;
        let states = self.sequence.as_ref().map(Sequence::states);
        let result = self.run_paced(request, pace).await;
        let before = before.filter(|ran| ran.states == states && states.is_some());
        self.last = match (before, self.last) {
            (Some(before), Some(now)) => {
                let sizes = Sizes { context: now.sizes.context, ..before.sizes };
                Some(Ran { plan: now.plan, states: now.states, sizes, turned: before.turned })
            }
            (before, now) => now.or(before),
        };
        result
    }

    /// The heads of every layer of the last run.
    fn heads(&self) -> Result<(Ran, Vec<Heads>), Error> {
        let last = self.last.filter(|last| self.plans.holds(last.plan)).ok_or_else(no_heads)?;
        let heads = self.backend.plan(last.plan)?.heads.clone();
        if heads.is_empty() { Err(no_heads()) } else { Ok((last, heads)) }
    }

    /// Makes what a question about any head needs, with room for so many numbers: choosing another one later creates
    /// nothing.
    fn prepare_heads(
        &mut self,
        plan: (PlanId, Option<StatesId>),
        heads: &[Heads],
        sizes: Sizes,
        numbers: u64,
    ) -> Result<(), Error> {
        let questions: Vec<_> = heads.iter().flat_map(|heads| head_questions(heads, 0, sizes).questions).collect();
        self.backend.prepare(plan, &questions, numbers)
    }

    /// Probabilities of all heads of a layer, for every sequence: (batch, heads, length, keys).
    async fn attentions(&mut self, layer: usize, pace: &dyn Pace) -> Result<Tensor, Error> {
        let (last, heads) = self.heads()?;
        let heads = heads.get(layer).ok_or_else(no_heads)?;
        check_map(heads, last.sizes)?;
        let (queries, keys, count) = (heads.queries(last.sizes), last.sizes.keys(), heads.query.heads);
        let together = (LARGEST_MAP as usize / (queries * keys).max(1)).clamp(1, count);
        let mut data = Vec::new();
        for sequence in 0..last.sizes.batch {
            for first in (0..count).step_by(together) {
                let asked = whole_maps(heads, sequence, first..(first + together).min(count), last.sizes);
                let reads = asked.reads();
                let numbers = asked.numbers();
                let asked = Asked { questions: &asked.questions, numbers, reads: &reads };
                let read = self.backend.ask((last.plan, last.states), last.sizes, asked, pace).await?;
                data.extend(read.into_iter().flatten());
            }
        }
        Ok(Tensor { shape: vec![last.sizes.batch, count, queries, keys], data })
    }

    /// Reads another head of the last run, without running the model again.
    ///
    /// # Errors
    /// Nothing has run with a selection yet; a head out of range; a lost device.
    pub async fn head(&mut self, selection: Selection) -> Result<HeadMaps, Error> {
        let Selection { layer, head } = selection;
        let missing = || Error::InvalidInput { reason: format!("layer {layer}, head {head} is not there to be read") };
        let (last, heads) = self.heads().map_err(|_| missing())?;
        let heads = heads.get(layer).filter(|heads| head < heads.query.heads).ok_or_else(missing)?;
        check_map(heads, last.sizes)?;
        let asked = head_questions(heads, head, last.sizes);
        let reads = asked.reads();
        let numbers = asked.numbers();
        let asked = Asked { questions: &asked.questions, numbers, reads: &reads };
        let read = self.backend.ask((last.plan, last.states), last.sizes, asked, &Unhurried).await?;
        Ok(head_maps(read.into_iter()))
    }

    /// Every head's map of the last run, pooled to at most `cell` rows and columns, left where it is made. `None` before a run
    /// with a selection.
    ///
    /// # Errors
    /// No room; a lost device.
    pub fn picture(&mut self, cell: usize) -> Result<Option<Picture<'_>>, Error> {
        let Ok((last, heads)) = self.heads() else { return Ok(None) };
        let asked = picture_questions(&heads, cell, last.sizes);
        // Room for the longest text of the plan, so that a longer one finds it.
        let full = Sizes::from(self.backend.plan(last.plan)?.capacity);
        let numbers = picture_questions(&heads, cell, full).numbers();
        self.prepare_heads((last.plan, last.states), &heads, last.sizes, numbers)?;
        self.cell = cell;
        let answer = self.backend.answer((last.plan, last.states), last.sizes, &asked.questions, numbers)?;
        let (layers, heads, dispatches) = (heads.len(), self.model.facts.heads, asked.questions.len());
        Ok(Some(Picture { answer, layers, heads, side: side(last.sizes, cell), dispatches }))
    }

    /// The numbers of [`Session::picture`], and the side of a map.
    ///
    /// # Errors
    /// No run kept its heads yet; a lost device.
    pub async fn read_picture(&mut self, cell: usize) -> Result<(Vec<f32>, usize), Error> {
        let (last, heads) = self.heads()?;
        let asked = picture_questions(&heads, cell, last.sizes);
        let (reads, numbers) = (asked.reads(), asked.numbers());
        self.prepare_heads((last.plan, last.states), &heads, last.sizes, numbers)?;
        let asked = Asked { questions: &asked.questions, numbers, reads: &reads };
        let read = self.backend.ask((last.plan, last.states), last.sizes, asked, &Unhurried).await?;
        Ok((read.concat(), side(last.sizes, cell)))
    }
}

fn no_heads() -> Error {
    Error::InvalidInput { reason: "no run has kept its heads yet".into() }
}

/// # Errors
/// [`Error::TooManyMaps`] for a map that is too large to be read back.
fn check_map(heads: &Heads, sizes: Sizes) -> Result<(), Error> {
    let needed = (heads.queries(sizes) as u64).saturating_mul(sizes.keys() as u64);
    if needed > LARGEST_MAP {
        return Err(Error::TooManyMaps { needed: 4 * needed, limit: 4 * LARGEST_MAP });
    }
    Ok(())
}

/// Whether a request looks at heads after the run.
fn keeps_heads(request: &Request) -> bool {
    request.keeps_heads
        || request.selection.is_some()
        || request.taps.iter().any(|tap| matches!(tap, Tap::Attentions(_)))
}

fn turned(request: &Request) -> Turned {
    Turned { offset: request.position_offset, length: request.position_offset.saturating_add(request.length as u64) }
}

/// The plan that a request needs, in buffers with room to grow.
fn purpose(facts: &Facts, request: &Request, sizes: Sizes) -> Purpose {
    let grown = |size: usize, least: usize| if request.exact { size } else { size.max(least).next_power_of_two() };
    let longest = facts.longest.and_then(|longest| usize::try_from(longest).ok()).unwrap_or(usize::MAX);
    let cached = sizes.context > 0;
    let length = match sizes.length {
        1 if cached && sizes.past > 0 => 1,
        length => grown(length, 32).min(longest.max(length)),
    };
    let keys = if cached { sizes.context.max(length) } else { length };
    let capacity = Capacity { batch: sizes.batch, length, keys, rows: grown(sizes.rows.max(1), 4) };
    Purpose {
        capacity,
        taps: request.taps.iter().filter(|tap| !matches!(tap, Tap::Attentions(_))).collect::<Taps>(),
        keeps_heads: keeps_heads(request),
        cached,
        // Fills are of gathered rows: where all are asked for, of all.
        gathers: sizes.rows > 0 || request.rows != super::Rows::All,
        top_k: request.top_k,
        penalises: request.penalty.is_some(),
        intervenes: request.intervention.kind(),
    }
}

/// A tap in the shape that Hugging Face gives it.
fn arrange(view: TapView, width: usize, data: Vec<f32>, sizes: Sizes) -> Tensor {
    let Sizes { batch, length, .. } = sizes;
    let shape = match view {
        TapView::Whole(_) => vec![batch, length, width],
        TapView::Columns { view, .. } => vec![batch, view.heads, length, view.head_size],
    };
    Tensor { shape, data: view.arrange(data, batch, length) }
}

/// k logarithms of probabilities, then k ids.
fn fills(row: &[f32]) -> Vec<Fill> {
    let (logarithms, ids) = row.split_at(row.len() / 2);
    logarithms.iter().zip(ids).map(|(&log_probability, &id)| Fill { id: id as u32, log_probability }).collect()
}
