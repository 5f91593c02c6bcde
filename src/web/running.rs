//! The engine runs: a text for the views, a text that is written on. Texts beside them: aside.rs.

use super::change::Change;
use super::engine::Engine;
use super::failure::failure;
use super::generation::{Generating, sampling};
use super::pace::BetweenMessages;
use super::results::RunOutput;
use super::told;
use crate::error::Error;
use crate::kernels::THREAD_POOL;
use crate::model::Variant;
use crate::sampling::{Candidates, MOST_CANDIDATES, distribution};
use crate::session::{Penalty, Request, Rows, Selection};
use js_sys::{Date, Function};
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

#[wasm_bindgen]
impl Engine {
    /// Runs (length) ids, reads fills at `rows` and the chosen head, and repaints the canvas. A causal model computes only what
    /// the text before did not begin with; where something is changed, all of it, beside the text as it is, of which heads can
    /// still be read.
    #[allow(clippy::too_many_arguments)] // as JavaScript calls it
    pub async fn run(
        &mut self,
        ids: Vec<u32>,
        rows: Vec<u32>,
        top_k: usize,
        layer: usize,
        head: usize,
        position_offset: f64,
        change: Change,
        pause: Function,
    ) -> Result<RunOutput, JsValue> {
        let selection = Some(Selection { layer, head });
        let length = ids.len();
        let request = Request { position_offset: position_offset as u64, selection, ..Request::new(ids, 1, length) };
        self.try_run(request, rows, top_k, &change, pause).await.map_err(|error| failure(&error))
    }

    /// JSON [{id, before, after}]: what may come after the last row that the last run was asked for, best first. settings: JSON.
    pub async fn candidates(&mut self, settings: String) -> Result<String, JsValue> {
        self.try_candidates(&settings).await.map_err(|error| failure(&error))
    }

    /// Begins to write on after ids. settings: JSON; with a source, what an encoder–decoder reads before.
    pub fn generate(&self, ids: Vec<u32>, settings: &str) -> Result<Generating, JsValue> {
        Generating::begin(&ids, settings, self.session.clone()).map_err(|error| failure(&error))
    }
}

impl Engine {
    async fn try_run(
        &mut self,
        request: Request,
        rows: Vec<u32>,
        top_k: usize,
        change: &Change,
        pause: Function,
    ) -> Result<RunOutput, Error> {
        self.become_variant(change.variant()?)?;
        let mut session = self.session.take()?;
        let facts = session.facts();
        let request = change.within(request, facts.heads);
        let changed = !change.is_none() || request.position_offset > 0;
        let causal = facts.causal;
        let request = Request { continues: causal && !changed, apart: changed, ..request };
        let request = match facts.predicts_tokens() {
            // A text that may be written on shows all its candidates later.
            true if facts.causal => {
                Request { rows: Rows::At(rows), top_k: MOST_CANDIDATES.min(facts.vocab_size), ..request }
            }
            true => Request { rows: Rows::At(rows), top_k: top_k.clamp(1, facts.vocab_size), ..request },
            false => request,
        };
        self.runs += 1;
        if let Some((_, unchanged)) = self.unchanged.filter(|_| changed) {
            // The plan of the text as it is outlasts those of earlier changes.
            let newest = session.mark();
            session.look_at(unchanged);
            session.look_at(newest);
        }
        let has_workers = THREAD_POOL.threads() > 1;
        let single_threaded = has_workers && self.threading.prefers_one_thread(request.length);
        THREAD_POOL.set_single_threaded(single_threaded);
        let started = now();
        let run = session.run_paced(&request, &BetweenMessages::new(pause)).await;
        let milliseconds = now() - started;
        THREAD_POOL.set_single_threaded(false);
        if has_workers && run.is_ok() {
            self.threading.record(request.length, single_threaded, milliseconds);
        }
        let created = session.created();
        let of_layer = |layer| session.frequencies(layer).map_or_else(Vec::new, |frequencies| frequencies.theta);
        let theta = (0..session.facts().layers).flat_map(of_layer).collect();
        self.session.put(session);
        let mut output = run?;
        let request = Request { labels: None, ..request };
        self.last = output.top.last().filter(|_| causal).map(|fills| (request, fills.clone()));
        if !changed {
            self.mark()?;
        }
        output.top.iter_mut().for_each(|fills| fills.truncate(top_k));
        // A picture that fails is no reason to lose the run.
        let painted = self.paint();
        let on_gpu = self.session.with(|session| {
            output.report.created += session.created() - created;
            session.gpu().is_some()
        })?;
        let report = json!({
            "backend": if on_gpu { "gpu" } else { "cpu" },
            "milliseconds": milliseconds,
            "dispatches": output.report.dispatches,
            "paintDispatches": painted.unwrap_or(0),
            "computed": output.report.computed,
            "created": output.report.created,
            "bytesHeld": output.report.bytes_held,
            "bytesReadBack": output.report.bytes_read_back,
        });
        Ok(RunOutput::new(output, theta, report.to_string(), self.runs, changed))
    }

    async fn try_candidates(&mut self, settings: &str) -> Result<String, Error> {
        let settings = sampling(settings)?;
        let missing = || Error::InvalidInput { reason: "nothing has run that could be written on".into() };
        let (request, fills) = self.last.as_ref().ok_or_else(missing)?;
        let penalty = settings.repetition_penalty as f32;
        let fills = if penalty == 1.0 {
            fills.clone()
        } else {
            // The penalty acts on the whole vocabulary: the last row once more, from the cache.
            let request = Request { penalty: Some(Penalty(penalty)), ..request.clone() };
            let mut session = self.session.take()?;
            let run = session.run(&request).await;
            self.session.put(session);
            let run = run?;
            if self.unchanged.is_some_and(|(number, _)| number == self.runs) {
                self.mark()?;
            }
            run.top.into_iter().next_back().ok_or_else(missing)?
        };
        let best = fills.iter().map(|fill| (fill.id, fill.log_probability)).collect();
        Ok(told::candidates(&distribution(&settings, &Candidates::new(best, 0.0)?)).to_string())
    }

    /// Notes that the last run was of the model as it is.
    fn mark(&mut self) -> Result<(), Error> {
        let mark = self.session.with(|session| session.mark())?;
        self.unchanged = mark.map(|mark| (self.runs, mark));
        Ok(())
    }

    /// Goes on as another variant of the model, where it is not that one already.
    fn become_variant(&mut self, wanted: Variant) -> Result<(), Error> {
        if let Some((origin, variant)) = &mut self.origin
            && *variant != wanted
        {
            let model = origin.read(&wanted)?;
            self.session.with(|session| session.become_variant(model))??;
            *variant = wanted;
        }
        Ok(())
    }
}

/// Milliseconds with fractions, as far as the browser gives them.
fn now() -> f64 {
    let performance = js_sys::Reflect::get(&js_sys::global(), &"performance".into());
    performance
        .ok()
        .and_then(|value| value.dyn_into::<web_sys::Performance>().ok())
        .map_or_else(Date::now, |clock| clock.now())
}
