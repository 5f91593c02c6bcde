//! Questions about the heads of a finished run: a method for each probe of [`Run`]. A question names its run by number: the newest one, the
//! last one on the unchanged model, or the last second text. The answer is `None` once that run is stale.

use super::cancellation::MessagePauses;
use super::engine::Engine;
use super::model_contexts::model_contexts;
use super::names::{MapName, PartName, WeighingName};
use super::results::HeadOutput;
use crate::error::Error;
use crate::runtime::{HeadId, HeadRows, Run};
use js_sys::Function;
use wasm_bindgen::prelude::wasm_bindgen;

/// `pause` is awaited every few milliseconds; false cancels the question. Every question fails on a head that the model lacks, and when it
/// is cancelled.
#[wasm_bindgen]
impl Engine {
    /// One head's map with its rotated queries and keys, see [`Run::head`].
    pub async fn head(
        &mut self,
        run: u32,
        part: PartName,
        layer: usize,
        head: usize,
        pause: Function,
    ) -> Result<Option<HeadOutput>, Error> {
        let Some(run) = self.run_of(run)? else { return Ok(None) };
        let head = HeadId { part: part.value()?, layer, head };
        unless_stale(run.head(head, &MessagePauses::new(pause)).await.map(HeadOutput::from))
    }

    /// One head's map of a kind, see [`Run::map`]: (queries, keys), or pooled to at most `most` rows and columns, (side, side).
    #[allow(clippy::too_many_arguments)] // as JavaScript calls it
    pub async fn map(
        &mut self,
        run: u32,
        part: PartName,
        kind: MapName,
        layer: usize,
        head: usize,
        most: Option<usize>,
        pause: Function,
    ) -> Result<Option<Vec<f32>>, Error> {
        let Some(run) = self.run_of(run)? else { return Ok(None) };
        let head = HeadId { part: part.value()?, layer, head };
        let map = run.map(head, kind.value()?, most.unwrap_or(usize::MAX), &MessagePauses::new(pause)).await;
        unless_stale(map.map(|map| map.data))
    }

    /// The mean of heads' maps, see [`Run::mean_map`]: (queries, keys). heads: layer and number of each, (count, 2).
    #[wasm_bindgen(js_name = meanMap)]
    pub async fn mean_map(
        &mut self,
        run: u32,
        part: PartName,
        weighing: WeighingName,
        heads: Vec<u32>,
        pause: Function,
    ) -> Result<Option<Vec<f32>>, Error> {
        let Some(run) = self.run_of(run)? else { return Ok(None) };
        let part = part.value()?;
        let head = |&[layer, head]: &[u32; 2]| HeadId { part, layer: layer as usize, head: head as usize };
        let heads: Vec<HeadId> = heads.as_chunks().0.iter().map(head).collect();
        let map = run.mean_map(&heads, weighing.value()?, &MessagePauses::new(pause)).await;
        unless_stale(map.map(|map| map.data))
    }

    /// Rows of all heads of a layer before rotation, see [`Run::head_rows`]: queries (length, heads, head_size), then keys (length, key
    /// heads, head_size).
    #[wasm_bindgen(js_name = headRows)]
    pub async fn head_rows(
        &mut self,
        run: u32,
        part: PartName,
        layer: usize,
        pause: Function,
    ) -> Result<Option<Vec<f32>>, Error> {
        let Some(run) = self.run_of(run)? else { return Ok(None) };
        let rows = run.head_rows(part.value()?, layer..layer.saturating_add(1), &MessagePauses::new(pause)).await;
        unless_stale(rows.map(|HeadRows { queries, keys }| [queries, keys].concat()))
    }

    /// Statistics of all heads of a layer, see [`Run::statistics`]: (heads, 10). tokens: (length), negative for special ones.
    pub async fn statistics(
        &mut self,
        run: u32,
        part: PartName,
        layer: usize,
        tokens: Vec<f32>,
        pause: Function,
    ) -> Result<Option<Vec<f32>>, Error> {
        let Some(run) = self.run_of(run)? else { return Ok(None) };
        let layers = layer..layer.saturating_add(1);
        let statistics = run.statistics(part.value()?, layers, &tokens, &MessagePauses::new(pause)).await;
        unless_stale(statistics.map(|statistics| statistics.data))
    }

    /// Contacts of residues, see [`Run::contacts`]: (length − 2, length − 2).
    pub async fn contacts(&mut self, run: u32, pause: Function) -> Result<Option<Vec<f32>>, Error> {
        let Some(run) = self.run_of(run)? else { return Ok(None) };
        let contacts = run.contacts(&MessagePauses::new(pause)).await;
        unless_stale(contacts.map(|contacts| contacts.data))
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
