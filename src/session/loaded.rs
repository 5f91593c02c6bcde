//! A loaded model: what it is, what it ran last, and the texts that it keeps.

use super::ahead::Ahead;
use super::backend::{Asked, Backend, PlanId, StatesId};
use super::device::GpuDevice;
use super::differences::Remembered;
use super::heads::{Questions, head_maps, head_questions};
use super::plans::{Planned, Plans};
use super::questions::no_heads;
use super::request::Selection;
use super::rotary::{Turned, write_tables};
use super::sequence::Sequence;
use super::source::tap_name;
use super::{Fill, Output, Report, Request, Tensor};
use crate::backend::gpu::Gpu;
use crate::backend::{Pace, Read, Unhurried};
use crate::error::Error;
use crate::model::{Facts, Model, Purpose};
use crate::plan::{Capacity, Part, Sizes, Tap, TapView, Taps, Value};
use crate::rope::Frequencies;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A loaded model. A future of its methods may be dropped while it waits: the session then is as after a run that failed.
pub struct Session {
    pub(super) model: Model,
    pub(super) backend: Backend,
    pub(super) stored: Stored,
    pub(super) plans: Plans,
    /// Of runs beside the last one.
    pub(super) aside: Plans,
    /// Of the run beside the last one that can be looked at, too.
    pub(super) beside: Plans,
    /// The text that requests go on from.
    pub(super) sequence: Option<Sequence>,
    /// The texts of a search, until it ends or another one begins.
    pub(super) searched: Option<Sequence>,
    /// Steps of a text that were sent on their way before the one in front of them was read.
    pub(super) ahead: Option<Ahead>,
    pub(super) last: Option<Ran>,
    /// Rows and columns of the last picture's maps at most; 0 before one.
    pub(super) cell: usize,
    /// A run that later ones are compared with.
    pub(super) remembered: Option<Rc<Remembered>>,
    /// The part whose heads are asked about.
    pub(super) part: Part,
    /// Sources that were read.
    pub(super) sources: u64,
}

/// Numbers that a file holds and no kernel reads.
#[derive(Default)]
pub(super) struct Stored {
    /// A rotary table (max_position_embeddings, head_size), sines before cosines.
    pub table: Option<Vec<f32>>,
    /// θ of the first rope (head_size / 2).
    pub theta: Option<Vec<f32>>,
    /// Weights (layers · heads) and bias of the regression of contacts.
    pub contact_head: Option<(Vec<f32>, f32)>,
}

impl Stored {
    /// Turns a model by the file's own θ, unless it turns by another scaling.
    ///
    /// # Errors
    /// θ that are no numbers.
    pub fn turn(&self, model: &mut Model) -> Result<(), Error> {
        if let (Some(theta), Some(_), Some(rope)) = (&self.theta, model.stored_theta, model.ropes.first_mut()) {
            *rope = rope.clone().stored(theta)?;
        }
        Ok(())
    }

    /// The file's table for a model; none where its ropes are changed.
    pub fn table(&self, model: &Model) -> Option<&[f32]> {
        self.table.as_deref().filter(|_| model.stored_table.is_some())
    }
}

/// The last run that came to its end: what questions are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ran {
    pub plan: PlanId,
    pub states: Option<StatesId>,
    pub sizes: Sizes,
    /// Logits or the last hidden state, where they are kept.
    pub compared: Option<Value>,
    pub turned: Turned,
    /// Whose run it is, the encoder's or the decoder's.
    pub part: Part,
    /// The number of the source that it came after; 0 without one.
    pub source: u64,
}

impl Ran {
    /// The same text from the plan of a later step of its own, whose states may be larger ones.
    pub fn seen_from(self, Ran { plan, states, sizes, .. }: Self) -> Self {
        // The plan's position ids are those of the step: all that is asked about came before it.
        let sizes = Sizes { context: sizes.context, past: self.sizes.keys(), length: 0, ..self.sizes };
        Self { plan, states, sizes, compared: None, ..self }
    }
}

impl Session {
    pub(super) fn new(model: Model, backend: Backend, stored: Stored) -> Self {
        Self {
            model,
            backend,
            stored,
            plans: Plans::default(),
            aside: Plans::default(),
            beside: Plans::default(),
            sequence: None,
            searched: None,
            ahead: None,
            last: None,
            cell: 0,
            remembered: None,
            part: Part::Decoder,
            sources: 0,
        }
    }

    pub fn facts(&self) -> &Facts {
        &self.model.facts
    }

    /// Numbers of all weights, tied ones once.
    pub fn parameters(&self) -> u64 {
        self.model.table.parameters()
    }

    /// θ and magnitude of a layer's rope in the last run; of a short text before one.
    pub fn frequencies(&self, layer: usize) -> Option<Frequencies> {
        let length = self.last.map_or(1, |last| last.turned.length);
        self.model.rope(layer).map(|rope| rope.frequencies(length))
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
        // The encoder's heads are read like any other's, once both have run.
        if let Some(selection) = request.selection.filter(|_| self.part == Part::Encoder) {
            let request = Request { selection: None, keeps_heads: true, ..request.clone() };
            let mut output = self.run_both(&request, pace).await?;
            output.head = Some(self.head_paced(selection, pace).await?);
            return Ok(output);
        }
        self.run_both(request, pace).await
    }

    /// Reads a request's source, where it has one, and runs its text.
    async fn run_both(&mut self, request: &Request, pace: &dyn Pace) -> Result<Output, Error> {
        request.check(&self.model.facts)?;
        let read = self.read_source(request, pace).await?;
        let mut output = self.run_text(request, pace).await?;
        output.tensors.extend(read);
        Ok(output)
    }

    /// Runs the encoder's or the decoder's pass of a request; its source, where it has one, has been read. A request that continues goes
    /// on from the session's sequence, which has been begun.
    pub(super) async fn execute(&mut self, part: Part, request: &Request, pace: &dyn Pace) -> Result<Output, Error> {
        let facts = self.model.facts.of(part);
        let created = self.backend.created();
        if let Some(ahead) = &mut self.ahead {
            ahead.end();
        }
        let turned = turned(request);
        let head_rows = request.head_rows(facts);
        let first_row = head_rows.iter().map(|row| *row as usize % request.length).min().unwrap_or(0);
        let [mut past, mut context] = [0; 2];
        if let Some(sequence) = self.sequence.as_mut().filter(|_| request.continues) {
            past = if request.taps.is_empty() { sequence.shared(request, turned, first_row, &self.model) } else { 0 };
            if request.length > sequence.context() {
                let context = Sequence::context_for(request.length, request.exact, facts.longest);
                sequence.grow(&mut self.backend, context, past).await?;
            }
            sequence.cut(past);
            context = sequence.context();
        }
        let source = self.plans.source.as_ref();
        let memory = source.map(|source| source.memory);
        let sizes = Sizes {
            past,
            context,
            source: memory.map_or(0, |memory| memory.sizes.source),
            source_context: memory.map_or(0, |memory| memory.sizes.source_context),
            ..Sizes::new(request.batch, request.length - past, head_rows.len())
        };
        let source = source.map_or(0, |source| source.number);
        let inputs = request.inputs(facts, past)?;
        self.last = None;
        let planned = self.planned(part, request, sizes).await?;
        let (plan, result, losses) = (planned.id, planned.result, planned.losses);
        let (compared, lens) = (planned.compared, planned.lens.clone());
        let finished = self.backend.plan(plan)?;
        let whole = |value: Value| Read { of: value.into(), first: 0, count: finished.elements(value, sizes) as usize };
        let taps = finished.taps.clone();
        let result_shape = finished.shapes[result.index()].dimensions(sizes);
        let is_read = |(tap, _): &&(Tap, TapView)| !matches!(tap, Tap::Written(_));
        let widths: Vec<usize> = taps
            .iter()
            .filter(is_read)
            .map(|(_, view)| finished.shapes[view.value().index()].fixed_width().unwrap_or(0))
            .collect();
        // What the encoder makes is read by the decoder alone.
        let reads_result = part == Part::Decoder;
        let mut reads = Vec::new();
        reads.extend(reads_result.then(|| whole(result)));
        reads.extend(losses.map(whole));
        reads.extend(lens.iter().copied().map(whole));
        reads.extend(taps.iter().filter(is_read).map(|(_, view)| whole(view.value())));
        let mut asked = Questions::default();
        if let Some(Selection { layer, head }) = request.selection {
            asked = head_questions(finished.heads(self.part).get(layer).ok_or_else(no_heads)?, head, sizes);
        }
        for (tap, of) in &taps {
            if let (Tap::Written(layer), TapView::Columns { view, .. }) = (tap, of) {
                asked.ask_written(*view, finished.weighed(part).get(*layer).ok_or_else(no_heads)?.output, sizes);
            }
        }
        reads.extend(asked.reads());
        let continued = self.sequence.as_ref().filter(|_| request.continues);
        let states = continued.map(Sequence::states).or(memory.map(|memory| memory.states));
        let heads = finished.heads(self.part);
        if request.selection.is_some() {
            self.prepare_heads((plan, states), &heads, sizes, asked.numbers())?;
        }
        let numbers = asked.numbers();
        let asked = Asked { questions: &asked.questions, numbers, reads: &reads };
        if let Some(sequence) = self.sequence.as_mut().filter(|_| request.continues) {
            sequence.begin_run();
        }
        let (read, dispatches) = self.backend.run((plan, states), inputs, sizes, asked, pace).await?;
        if let Some(sequence) = self.sequence.as_mut().filter(|_| request.continues) {
            sequence.take(request, turned);
        }
        self.last = Some(Ran { plan, states, sizes, compared, turned, part, source });

        let bytes_read_back = reads.iter().map(|read| 4 * read.count as u64).sum();
        let mut read = read.into_iter();
        let mut output = Output {
            tensors: BTreeMap::new(),
            top: Vec::new(),
            lens: Vec::new(),
            losses: Vec::new(),
            head: None,
            report: Report { dispatches, computed: sizes.length, created: 0, bytes_held: 0, bytes_read_back },
        };
        if reads_result {
            let data = read.next().unwrap_or_default();
            if request.top_k > 0 {
                output.top = fills(&data, request.top_k);
            } else {
                output.tensors.insert(self.model.facts.result_name().into(), Tensor { shape: result_shape, data });
            }
        }
        if let Some(labels) = request.labels.as_ref().filter(|_| losses.is_some()) {
            let losses = read.next().unwrap_or_default().into_iter();
            output.losses = labels.iter().zip(losses).map(|(label, loss)| label.map(|_| loss)).collect();
        }
        if request.lens {
            let early = read.by_ref().take(lens.len()).map(|data| fills(&data, request.top_k));
            output.lens = early.chain([output.top.clone()]).collect();
        }
        for (((tap, view), width), data) in taps.iter().filter(is_read).zip(widths).zip(read.by_ref()) {
            let name = tap_name(&self.model.facts, part, *tap);
            output.tensors.insert(name, arrange(*view, width, data, sizes));
        }
        if request.selection.is_some() {
            output.head = Some(head_maps(read.by_ref()));
        }
        for (tap, of) in &taps {
            if let (Tap::Written(_), TapView::Columns { view, .. }) = (tap, of) {
                let data = read.by_ref().take(sizes.batch).collect::<Vec<_>>().concat();
                let shape = vec![sizes.batch, view.heads, sizes.length];
                output.tensors.insert(tap_name(&self.model.facts, part, *tap), Tensor { shape, data });
            }
        }
        for tap in request.taps.iter() {
            match tap {
                Tap::Attentions(layer) => {
                    let crosses = part == Part::Decoder && self.model.encoder.is_some();
                    for of in [part, Part::Cross] {
                        if (of == part || crosses) && layer < self.model.facts.of(of).layers {
                            let made = self.attentions_of(of, layer, pace).await?;
                            output.tensors.insert(tap_name(&self.model.facts, of, tap), made);
                        }
                    }
                }
                Tap::Contacts => {
                    let made = self.contacts(&request.ids, request.attention_mask.as_deref(), pace).await?;
                    output.tensors.insert(tap.to_string(), made);
                }
                _ => {}
            }
        }
        output.report.created = self.backend.created() - created;
        output.report.bytes_held = self.backend.bytes();
        Ok(output)
    }

    /// The plan for a request, with its tables written.
    ///
    /// # Errors
    /// Those of laying it out.
    pub(super) async fn planned(&mut self, part: Part, request: &Request, sizes: Sizes) -> Result<&Planned, Error> {
        let spreads = self.backend.device().is_some();
        let (purpose, turned) = (purpose(&self.model.facts, part, request, sizes, spreads), turned(request));
        let planned = self.plans.get(&mut self.backend, &self.model, purpose, sizes, self.cell).await?;
        if planned.turned.is_none_or(|before| !before.serves(turned, &self.model)) {
            write_tables(&mut self.backend, planned.id, &self.model, turned, self.stored.table(&self.model))?;
            planned.turned = Some(turned);
        }
        Ok(planned)
    }
}

/// Whether a request looks at heads after the run.
pub(super) fn keeps_heads(request: &Request) -> bool {
    request.keeps_heads
        || request.selection.is_some()
        || request.taps.iter().any(|tap| matches!(tap, Tap::Attentions(_) | Tap::Written(_) | Tap::Contacts))
}

/// Some ropes turn by the length: by the largest position id and one, whatever padding lies before it, as Hugging Face's
/// `dynamic_rope_update` has it.
pub(super) fn turned(request: &Request) -> Turned {
    let offset = request.position_offset;
    let largest = request.position_ids.as_ref().and_then(|ids| ids.iter().max());
    let length = largest.map_or(request.length as u64, |largest| u64::from(*largest) + 1);
    Turned { offset, length: offset.saturating_add(length) }
}

/// Tokens and prediction rows that a plan has room for at least, unless it is for one more token of a text.
pub(super) const LEAST: [usize; 2] = [32, 4];

/// The plan that a request needs, in buffers with room to grow.
fn purpose(facts: &Facts, part: Part, request: &Request, sizes: Sizes, spreads: bool) -> Purpose {
    let grown = |size: usize, least: usize| if request.exact { size } else { size.max(least).next_power_of_two() };
    let longest = facts.of(part).longest.and_then(|longest| usize::try_from(longest).ok()).unwrap_or(usize::MAX);
    let cached = sizes.context > 0;
    let length = match sizes.length {
        1 if cached && sizes.past > 0 => 1,
        length => grown(length, LEAST[0]).min(longest.max(length)),
    };
    let keys = if cached { sizes.context.max(length) } else { length };
    let rows = grown(sizes.rows.max(1), LEAST[1]);
    let capacity = Capacity { keys, source: sizes.source_context, ..Capacity::new(sizes.batch, length, rows) };
    Purpose {
        capacity,
        part,
        taps: request.taps.iter().filter(|tap| !matches!(tap, Tap::Attentions(_) | Tap::Contacts)).collect::<Taps>(),
        keeps_heads: keeps_heads(request),
        cached,
        apart: request.apart,
        // Fills are of gathered rows: where all are asked for, of all.
        gathers: sizes.rows > 0 || request.rows != super::Rows::All,
        top_k: request.top_k,
        penalises: request.penalty.is_some(),
        scores_labels: request.labels.is_some(),
        lens: request.lens,
        keeps_logits: request.keeps_logits,
        intervenes: request.intervention.kind(),
        spreads,
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

/// The fills of each row, which has k logarithms of probabilities, then k ids.
pub(super) fn fills(rows: &[f32], k: usize) -> Vec<Vec<Fill>> {
    let fills = |row: &[f32]| {
        let (logarithms, ids) = row.split_at(k);
        logarithms.iter().zip(ids).map(|(&log_probability, &id)| Fill { id: id as u32, log_probability }).collect()
    };
    rows.chunks_exact(2 * k).map(fills).collect()
}
