//! The engine looks at the heads of the last run, of the last one in which nothing was changed, or of one beside them.

use super::cancellation::BetweenMessages;
use super::engine::Engine;
use super::failure::failure;
use super::loaded::loaded;
use super::results::HeadOutput;
use crate::backend::Cancellation;
use crate::error::Error;
use crate::ops::MapKind;
use crate::runtime::{HeadId, HeadRows, Run, Weighing};
use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl Engine {
    /// Reads another head of a run; nothing where it is not there any more. `pause` as for a run.
    pub async fn head(
        &mut self,
        run: u32,
        layer: usize,
        head: usize,
        pause: Function,
    ) -> Result<Option<HeadOutput>, JsValue> {
        let part = self.part;
        let Some(run) = self.run_of(run)? else { return Ok(None) };
        let read = run.head(HeadId { part, layer, head }, &BetweenMessages::new(pause)).await;
        fresh(read.map(HeadOutput))
    }

    /// Numbers about the heads of a run, nothing where it is not there any more, by what is asked for of heads (count, 2), each its
    /// layer and its number. The mean over them, (length, length): "weight", "value" (weight · ‖v‖), "output" (weight · ‖v W_O‖). Of
    /// the first of them, (length, length): "score", "content" (the score without rotation), "rotation" (what that adds), "mask" (1 where it
    /// may be seen). Of all
    /// heads of its layer: "rows", unrotated, queries (length, heads, head_size), then keys (length, key heads, head_size);
    /// "statistics" over the given tokens, (heads, 10), see [`Run::statistics`]. Of the first of them, pooled to at most the given
    /// rows and columns, (side, side): "small". Of a model that tells them "contacts" of the given ids, (length − 2, length − 2), see
    /// [`Run::contacts`]. `pause` as for a run.
    pub async fn look(
        &mut self,
        run: u32,
        what: String,
        heads: Vec<u32>,
        given: Vec<f32>,
        pause: Function,
    ) -> Result<Option<Vec<f32>>, JsValue> {
        let part = self.part;
        let Some(run) = self.run_of(run)? else { return Ok(None) };
        let head = |place: &[u32]| HeadId { part, layer: place[0] as usize, head: place[1] as usize };
        let heads: Vec<HeadId> = heads.chunks_exact(2).map(head).collect();
        fresh(look(&run, &what, &heads, &given, &BetweenMessages::new(pause)).await)
    }
}

impl Engine {
    /// The run of this number; nothing where no run has it.
    fn run_of(&mut self, number: u32) -> Result<Option<Run>, JsValue> {
        let loaded = loaded(&mut self.loaded).map_err(|error| failure(&error))?;
        Ok(loaded.runs.find(number))
    }
}

/// Nothing where a run's results were overwritten.
fn fresh<T>(read: Result<T, Error>) -> Result<Option<T>, JsValue> {
    match read {
        Err(Error::Stale) => Ok(None),
        read => read.map(Some).map_err(|error| failure(&error)),
    }
}

async fn look(
    run: &Run,
    what: &str,
    heads: &[HeadId],
    given: &[f32],
    cancel: &dyn Cancellation,
) -> Result<Vec<f32>, Error> {
    let weighing = match what {
        "weight" => Some(Weighing::Weight),
        "value" => Some(Weighing::Value),
        "output" => Some(Weighing::Output),
        _ => None,
    };
    if let Some(weighing) = weighing {
        return run.mean_map(heads, weighing, cancel).await.map(|map| map.data);
    }
    let nothing = |reason: String| Error::InvalidInput { reason };
    if what == "contacts" {
        let ids: Vec<u32> = given.iter().map(|id| *id as u32).collect();
        return run.contacts(&ids, None, cancel).await.map(|contacts| contacts.data);
    }
    let first = heads.first().copied().ok_or_else(|| nothing("no head is asked about".into()))?;
    let layers = first.layer..first.layer.saturating_add(1);
    let (kind, most) = match what {
        "score" => (MapKind::Score, usize::MAX),
        "content" => (MapKind::Unrotated, usize::MAX),
        "rotation" => (MapKind::RotationEffect, usize::MAX),
        "mask" => (MapKind::Mask, usize::MAX),
        "small" => (MapKind::Weight, given.first().map_or(1, |most| *most as usize)),
        "statistics" => return run.statistics(first.part, layers, given, cancel).await.map(|told| told.data),
        "rows" => {
            return run
                .head_rows(first.part, layers, cancel)
                .await
                .map(|HeadRows { queries, keys }| [queries, keys].concat());
        }
        _ => return Err(nothing(format!("{what:?} is nothing that heads are asked for"))),
    };
    run.map(first, kind, most, cancel).await.map(|map| map.data)
}
