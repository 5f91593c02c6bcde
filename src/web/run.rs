//! Runs of the main text, and its continuation.

use super::cancellation::MessagePauses;
use super::change::Change;
use super::engine::Engine;
use super::generation::settings::PageSettings;
use super::generation::{GenerationHandle, candidates};
use super::model_contexts::{Place, model_contexts};
use super::names::PartName;
use super::results::RunOutput;
use crate::backend::NeverCancelled;
use crate::error::Error;
use crate::model::{Attention, HeadKind};
use crate::plan::Part;
use crate::runtime::{Draws, Fill, HeadId, PredictionRows, Request, RunReport};
use crate::sampling::{MAX_CANDIDATES, Nucleus};
use js_sys::{Date, Function};
use serde_json::json;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl Engine {
    /// Runs (length) ids, reads fills at `rows` and one head, and repaints the canvas with all heads of that head's part. A causal model
    /// computes only the tokens after the prefix that it shares with the previous text. A changed model computes all of them, in a context
    /// of its own, so that questions about the unchanged run still find it. `pause` is awaited every few milliseconds; false cancels the
    /// run.
    #[allow(clippy::too_many_arguments)] // as JavaScript calls it
    pub async fn run(
        &mut self,
        ids: Vec<u32>,
        rows: Vec<u32>,
        top_k: usize,
        part: PartName,
        layer: usize,
        head: usize,
        position_offset: f64,
        change: Change,
        pause: Function,
    ) -> Result<RunOutput, Error> {
        let head = HeadId { part: part.value()?, layer, head };
        let (length, position_offset) = (ids.len(), position_offset as u64);
        let request = Request { position_offset, selection: Some(head), ..Request::new(ids, 1, length) };
        self.run_text(request, rows, top_k, head.part, &change, pause).await
    }

    /// JSON {candidates: [{id, before, after}], left}: candidates for the token after the last row of the last run, best first, and how many
    /// tokens of the vocabulary the settings leave. settings: JSON. `pause` is that of [`Engine::run`]; a run that it cancels leaves the
    /// last one as it was.
    pub async fn candidates(&mut self, settings: String, pause: Function) -> Result<String, Error> {
        let settings = PageSettings::parse(&settings)?.sampling()?;
        let contexts = model_contexts(&mut self.contexts)?;
        let facts = contexts.model.facts();
        let (request, fills, context) = contexts.last.as_ref().ok_or(Error::NothingToContinue)?;
        let best = |fills: &[Fill]| fills.iter().map(|fill| (fill.id, fill.log_probability)).collect::<Vec<_>>();
        let penalty = Some(settings.repetition_penalty as f32).filter(|penalty| *penalty != 1.0);
        let mut next = best(fills);
        let mut nucleus = Nucleus::among(&next, facts.vocab_size, &settings).filter(|_| penalty.is_none());
        if nucleus.is_none() {
            // These settings need the logits of the whole vocabulary, so the last row runs again.
            let rows = match &request.rows {
                PredictionRows::At(rows) => PredictionRows::At(rows.last().copied().into_iter().collect()),
                PredictionRows::All => return Err(Error::NothingToContinue),
            };
            let draws = (!settings.is_greedy()).then(|| Draws { warpers: settings.warpers(), random: vec![0] });
            // Linear attention stores one state of the entire text, which cannot go back by a token: all tokens run.
            let continues = request.continues && facts.attention == Attention::Softmax;
            let request = Request { rows, penalty, draws, continues, selection: None, ..request.clone() };
            let context = context.upgrade().ok_or(Error::NothingToContinue)?;
            let (output, _) = if continues {
                // One row, over the KV cache. If it were cancelled, the last row of the cache would be incomplete, which views of the last run read.
                context.run(&request, &NeverCancelled).await?
            } else {
                context.run(&request, &MessagePauses::new(pause)).await?
            };
            next = best(output.top.last().ok_or(Error::NothingToContinue)?);
            nucleus = output.samples.last().map(|sample| sample.nucleus);
        }
        let nucleus = nucleus.unwrap_or(Nucleus::BEST);
        if next.iter().any(|(_, logarithm)| logarithm.is_nan()) {
            return Err(Error::LogitsNotFinite);
        }
        let candidates = candidates(&nucleus.probabilities(&next, &settings));
        Ok(json!({"candidates": candidates, "left": nucleus.count}).to_string())
    }

    /// Continues ids. settings: JSON, with a source for an encoder–decoder.
    pub fn generate(&mut self, ids: Vec<u32>, settings: &str) -> Result<GenerationHandle, Error> {
        GenerationHandle::new(&ids, settings, model_contexts(&mut self.contexts)?.continued())
    }
}

impl Engine {
    async fn run_text(
        &mut self,
        request: Request,
        rows: Vec<u32>,
        top_k: usize,
        part: Part,
        change: &Change,
        pause: Function,
    ) -> Result<RunOutput, Error> {
        let contexts = model_contexts(&mut self.contexts)?;
        let model = contexts.model.clone();
        let facts = model.facts();
        let request = change.within(request);
        let changed = !change.is_none() || request.position_offset > 0;
        let request = Request { continues: facts.causal && !changed, ..request };
        let request = match facts.predicts_tokens() {
            // The candidates for the next token are read later.
            true if facts.causal => {
                Request { rows: PredictionRows::At(rows), top_k: MAX_CANDIDATES.min(facts.vocab_size), ..request }
            }
            true => Request { rows: PredictionRows::At(rows), top_k: top_k.clamp(1, facts.vocab_size), ..request },
            false => request,
        };
        let variant = change.variant()?;
        let context = if changed { contexts.context(Place::Changed, &variant)? } else { contexts.main() };
        // Its text is often another one.
        contexts.explained = None;
        contexts.runs.newest_number += 1;
        contexts.runs.newest = None;
        let started = now();
        let (mut output, run) = context.run(&request, &MessagePauses::new(pause)).await?;
        let milliseconds = now() - started;
        contexts.set_last(&context, &variant);
        if facts.output == HeadKind::HiddenStates {
            // JavaScript reads logits; hidden states are taps.
            output.result = None;
        }
        let created = model.created();
        let theta = |layer| run.frequencies(layer).ok().flatten().map_or_else(Vec::new, |rope| rope.theta);
        let theta = (0..facts.layers).flat_map(theta).collect();
        let request = Request { labels: None, ..request };
        contexts.last =
            output.top.last().filter(|_| facts.causal).map(|fills| (request, fills.clone(), Rc::downgrade(&context)));
        let number = contexts.runs.newest_number;
        if !changed {
            contexts.runs.unchanged = Some((number, run.clone()));
        }
        contexts.runs.newest = Some((part, run));
        output.report.bytes_allocated = contexts.bytes();
        output.top.iter_mut().for_each(|fills| fills.truncate(top_k));
        // The run is valid even when its grid cannot be painted.
        let painted = self.paint();
        output.report.created += model.created() - created;
        let backend = if model.gpu().is_some() { "gpu" } else { "cpu" };
        let report = json(&output.report, backend, milliseconds, painted.unwrap_or(0));
        Ok(RunOutput::new(output, theta, report, number, changed))
    }
}

/// A run's report as the page reads it.
fn json(report: &RunReport, backend: &str, milliseconds: f64, paint_dispatches: usize) -> String {
    let report = json!({
        "backend": backend,
        "milliseconds": milliseconds,
        "dispatches": report.dispatches,
        "paintDispatches": paint_dispatches,
        "computed": report.computed,
        "created": report.created,
        "bytesAllocated": report.bytes_allocated,
        "bytesReadBack": report.bytes_read_back,
    });
    report.to_string()
}

/// Milliseconds, with the precision of the browser's clock.
fn now() -> f64 {
    let performance = js_sys::Reflect::get(&js_sys::global(), &"performance".into());
    performance
        .ok()
        .and_then(|value| value.dyn_into::<web_sys::Performance>().ok())
        .map_or_else(Date::now, |clock| clock.now())
}
