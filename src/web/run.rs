//! The engine runs: a text for the views, a text that is written on. Texts beside them: aside.rs.

use super::cancellation::BetweenMessages;
use super::change::Change;
use super::engine::Engine;
use super::failure::failure;
use super::generation::{Generating, sampling};
use super::loaded::{Place, loaded};
use super::results::RunOutput;
use super::told;
use crate::backend::NeverCancelled;
use crate::error::Error;
use crate::kernels::THREAD_POOL;
use crate::runtime::{HeadId, Penalty, Request, Rows};
use crate::sampling::{Candidates, MOST_CANDIDATES, distribution};
use js_sys::{Date, Function};
use serde_json::json;
use std::rc::Rc;
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
        let selection = Some(HeadId { part: self.part, layer, head });
        let length = ids.len();
        let request = Request { position_offset: position_offset as u64, selection, ..Request::new(ids, 1, length) };
        self.try_run(request, rows, top_k, &change, pause).await.map_err(|error| failure(&error))
    }

    /// JSON [{id, before, after}]: what may come after the last row that the last run was asked for, best first. settings: JSON.
    pub async fn candidates(&mut self, settings: String) -> Result<String, JsValue> {
        self.try_candidates(&settings).await.map_err(|error| failure(&error))
    }

    /// Begins to write on after ids. settings: JSON; with a source, what an encoder–decoder reads before.
    pub fn generate(&mut self, ids: Vec<u32>, settings: &str) -> Result<Generating, JsValue> {
        let context = loaded(&mut self.loaded).map(|loaded| loaded.continued());
        let generating = context.and_then(|context| Generating::begin(&ids, settings, context));
        generating.map_err(|error| failure(&error))
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
        let loaded = loaded(&mut self.loaded)?;
        let model = loaded.model.clone();
        let facts = model.facts();
        let request = change.within(request, facts.heads);
        let changed = !change.is_none() || request.position_offset > 0;
        let request = Request { continues: facts.causal && !changed, ..request };
        let request = match facts.predicts_tokens() {
            // A text that may be continued shows all its candidates later.
            true if facts.causal => {
                Request { rows: Rows::At(rows), top_k: MOST_CANDIDATES.min(facts.vocab_size), ..request }
            }
            true => Request { rows: Rows::At(rows), top_k: top_k.clamp(1, facts.vocab_size), ..request },
            false => request,
        };
        let context = if changed { loaded.context(Place::Changed, &change.variant()?)? } else { loaded.main() };
        loaded.runs.newest_number += 1;
        loaded.runs.newest = None;
        let has_workers = THREAD_POOL.threads() > 1;
        let single_threaded = has_workers && self.threading.prefers_one_thread(request.length);
        THREAD_POOL.set_single_threaded(single_threaded);
        let started = now();
        let ran = context.run(&request, &BetweenMessages::new(pause)).await;
        let milliseconds = now() - started;
        THREAD_POOL.set_single_threaded(false);
        if has_workers && ran.is_ok() {
            self.threading.record(request.length, single_threaded, milliseconds);
        }
        let (mut output, run) = ran?;
        let created = model.created();
        let theta = |layer| run.frequencies(layer).ok().flatten().map_or_else(Vec::new, |rope| rope.theta);
        let theta = (0..facts.layers).flat_map(theta).collect();
        let request = Request { labels: None, ..request };
        loaded.last =
            output.top.last().filter(|_| facts.causal).map(|fills| (request, fills.clone(), Rc::downgrade(&context)));
        let number = loaded.runs.newest_number;
        if !changed {
            loaded.runs.unchanged = Some((number, run.clone()));
        }
        loaded.runs.newest = Some(run);
        output.report.bytes_held = loaded.bytes();
        output.top.iter_mut().for_each(|fills| fills.truncate(top_k));
        // A grid that fails is no reason to lose the run.
        let painted = self.paint();
        output.report.created += model.created() - created;
        let report = json!({
            "backend": if model.gpu().is_some() { "gpu" } else { "cpu" },
            "milliseconds": milliseconds,
            "dispatches": output.report.dispatches,
            "paintDispatches": painted.unwrap_or(0),
            "computed": output.report.computed,
            "created": output.report.created,
            "bytesHeld": output.report.bytes_held,
            "bytesReadBack": output.report.bytes_read_back,
        });
        Ok(RunOutput::new(output, theta, report.to_string(), number, changed))
    }

    async fn try_candidates(&mut self, settings: &str) -> Result<String, Error> {
        let settings = sampling(settings)?;
        let missing = || Error::InvalidInput { reason: "nothing has run that could be continued".into() };
        let (request, fills, context) = loaded(&mut self.loaded)?.last.as_ref().ok_or_else(missing)?;
        let penalty = settings.repetition_penalty as f32;
        let fills = if penalty == 1.0 {
            fills.clone()
        } else {
            // The penalty acts on the whole vocabulary: the last row once more, from the cache.
            let request = Request { penalty: Some(Penalty(penalty)), ..request.clone() };
            let context = context.upgrade().ok_or_else(missing)?;
            let (output, _) = context.run(&request, &NeverCancelled).await?;
            output.top.into_iter().next_back().ok_or_else(missing)?
        };
        let best = fills.iter().map(|fill| (fill.id, fill.log_probability)).collect();
        Ok(told::candidates(&distribution(&settings, &Candidates::new(best, 0.0)?)).to_string())
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
