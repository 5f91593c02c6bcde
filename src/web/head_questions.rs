//! Questions about the heads of a finished run: the newest one, the last one on the unchanged model, or the last second text.

use super::cancellation::MessagePauses;
use super::engine::Engine;
use super::model_contexts::model_contexts;
use super::results::HeadOutput;
use crate::backend::Cancellation;
use crate::error::Error;
use crate::ops::MapKind;
use crate::runtime::{HeadId, HeadRows, Run, Weighing};
use js_sys::Function;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl Engine {
    /// Reads a head of a run; `None` once the run is stale. `pause` as for a run.
    ///
    /// # Errors
    /// The model has no such head; the run was cancelled.
    pub async fn head(
        &mut self,
        run: u32,
        layer: usize,
        head: usize,
        pause: Function,
    ) -> Result<Option<HeadOutput>, Error> {
        let part = self.part;
        let Some(run) = self.run_of(run)? else { return Ok(None) };
        let maps = run.head(HeadId { part, layer, head }, &MessagePauses::new(pause)).await;
        unless_stale(maps.map(HeadOutput))
    }

    /// Numbers about heads (count, 2) of layer and number; `None` once the run is stale. `pause` as for a run.
    ///
    /// - "weight", "value" (weight · ‖v‖), "output" (weight · ‖v W_O‖): the mean over these heads, (length, length).
    /// - "score", "content" (the score without rotation), "rotation" (the score less "content"), "mask" (1 where a query may attend):
    ///   the first head's map, (length, length).
    /// - "small": the first head's weights, pooled to at most `given` rows and columns, (side, side).
    /// - "rows": of all heads of the first one's layer before rotation, queries (length, heads, head_size), then keys (length, key
    ///   heads, head_size).
    /// - "statistics": of all heads of that layer over the tokens `given`, (heads, 10), see [`Run::statistics`].
    /// - "contacts": of the ids `given`, (length − 2, length − 2), see [`Run::contacts`].
    ///
    /// # Errors
    /// The model has no such head; an unknown name; the run was cancelled.
    pub async fn look(
        &mut self,
        run: u32,
        what: String,
        heads: Vec<u32>,
        given: Vec<f32>,
        pause: Function,
    ) -> Result<Option<Vec<f32>>, Error> {
        let part = self.part;
        let Some(run) = self.run_of(run)? else { return Ok(None) };
        let head = |place: &[u32]| HeadId { part, layer: place[0] as usize, head: place[1] as usize };
        let heads: Vec<HeadId> = heads.chunks_exact(2).map(head).collect();
        unless_stale(look(&run, &what, &heads, &given, &MessagePauses::new(pause)).await)
    }
}

impl Engine {
    /// The run of this number; `None` once the engine has dropped it.
    fn run_of(&mut self, number: u32) -> Result<Option<Run>, Error> {
        Ok(model_contexts(&mut self.contexts)?.runs.find(number))
    }
}

/// `None` for a stale run.
fn unless_stale<T>(answer: Result<T, Error>) -> Result<Option<T>, Error> {
    match answer {
        Err(Error::Stale) => Ok(None),
        answer => answer.map(Some),
    }
}

async fn look(
    run: &Run,
    what: &str,
    heads: &[HeadId],
    given: &[f32],
    cancellation: &dyn Cancellation,
) -> Result<Vec<f32>, Error> {
    let weighing = match what {
        "weight" => Some(Weighing::Weight),
        "value" => Some(Weighing::Value),
        "output" => Some(Weighing::Output),
        _ => None,
    };
    if let Some(weighing) = weighing {
        return run.mean_map(heads, weighing, cancellation).await.map(|map| map.data);
    }
    let invalid = |reason: String| Error::InvalidInput { reason };
    if what == "contacts" {
        let ids: Vec<u32> = given.iter().map(|id| *id as u32).collect();
        return run.contacts(&ids, None, cancellation).await.map(|contacts| contacts.data);
    }
    let first = heads.first().copied().ok_or_else(|| invalid("the question names no head".into()))?;
    let layers = first.layer..first.layer.saturating_add(1);
    let (kind, most_rows) = match what {
        "score" => (MapKind::Score, usize::MAX),
        "content" => (MapKind::Unrotated, usize::MAX),
        "rotation" => (MapKind::RotationEffect, usize::MAX),
        "mask" => (MapKind::Mask, usize::MAX),
        "small" => (MapKind::Weight, given.first().map_or(1, |rows| *rows as usize)),
        "statistics" => {
            return run.statistics(first.part, layers, given, cancellation).await.map(|statistics| statistics.data);
        }
        "rows" => {
            return run
                .head_rows(first.part, layers, cancellation)
                .await
                .map(|HeadRows { queries, keys }| [queries, keys].concat());
        }
        _ => return Err(invalid(format!("{what:?} is no question about heads"))),
    };
    run.map(first, kind, most_rows, cancellation).await.map(|map| map.data)
}
