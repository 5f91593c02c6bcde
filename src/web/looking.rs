//! The engine looks at the heads of the last run, of the last one in which nothing was changed, or of one beside them.

use super::engine::Engine;
use super::failure::failure;
use super::pace::BetweenMessages;
use super::results::HeadOutput;
use crate::backend::Pace;
use crate::error::Error;
use crate::ops::MapKind;
use crate::session::{HeadRows, Mark, Selection, Session, Weighing};
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
        let Some((mut session, newest)) = self.about(run)? else { return Ok(None) };
        let read = session.head_paced(Selection { layer, head }, &BetweenMessages::new(pause)).await;
        self.back(session, newest);
        read.map(HeadOutput).map(Some).map_err(|error| failure(&error))
    }

    /// Numbers about the heads of a run, nothing where it is not there any more, by what is asked for of heads (count, 2), each its
    /// layer and its number. The mean over them, (length, length): "weight", "value" (weight · ‖v‖), "output" (weight · ‖v W_O‖). Of
    /// the first of them, (length, length): "score", "content" (the score without rotation), "rotation" (what that adds), "mask" (1 where it
    /// may be seen). Of all
    /// heads of its layer: "rows", unrotated, queries (length, heads, head_size), then keys (length, key heads, head_size);
    /// "statistics" over the given tokens, (heads, 10), see [`Session::statistics`]. Of the first of them, pooled to at most the given
    /// rows and columns, (side, side): "small". Of a model that tells them "contacts" of the given ids, (length − 2, length − 2), see
    /// [`Session::contacts`]. `pause` as for a run.
    pub async fn look(
        &mut self,
        run: u32,
        what: String,
        heads: Vec<u32>,
        given: Vec<f32>,
        pause: Function,
    ) -> Result<Option<Vec<f32>>, JsValue> {
        let Some((mut session, newest)) = self.about(run)? else { return Ok(None) };
        let heads: Vec<Selection> = heads
            .chunks_exact(2)
            .map(|place| Selection { layer: place[0] as usize, head: place[1] as usize })
            .collect();
        let read = look(&mut session, &what, &heads, &given, &BetweenMessages::new(pause)).await;
        self.back(session, newest);
        read.map(Some).map_err(|error| failure(&error))
    }
}

impl Engine {
    /// Takes the session to ask about the run of this number, and tells what it was about.
    fn about(&self, run: u32) -> Result<Option<(Session, Option<Mark>)>, JsValue> {
        let mut session = self.session.take().map_err(|error| failure(&error))?;
        let newest = session.mark();
        let other = [self.unchanged, self.beside].into_iter().flatten().find(|(number, _)| *number == run);
        // A search leaves nothing of the run before it.
        let is_newest = run == self.runs && newest.is_some();
        if is_newest || other.is_some_and(|(_, mark)| session.look_at(mark)) {
            return Ok(Some((session, newest)));
        }
        self.session.put(session);
        Ok(None)
    }

    /// Puts the session back, about what it was about.
    fn back(&self, mut session: Session, newest: Option<Mark>) {
        session.look_at(newest);
        self.session.put(session);
    }
}

async fn look(
    session: &mut Session,
    what: &str,
    heads: &[Selection],
    given: &[f32],
    pace: &dyn Pace,
) -> Result<Vec<f32>, Error> {
    let weighing = match what {
        "weight" => Some(Weighing::Weight),
        "value" => Some(Weighing::Value),
        "output" => Some(Weighing::Output),
        _ => None,
    };
    if let Some(weighing) = weighing {
        return session.mean_map(heads, weighing, pace).await.map(|map| map.data);
    }
    let nothing = |reason: String| Error::InvalidInput { reason };
    if what == "contacts" {
        let ids: Vec<u32> = given.iter().map(|id| *id as u32).collect();
        return session.contacts(&ids, None, pace).await.map(|contacts| contacts.data);
    }
    let first = heads.first().copied().ok_or_else(|| nothing("no head is asked about".into()))?;
    let layers = first.layer..first.layer.saturating_add(1);
    let (kind, most) = match what {
        "score" => (MapKind::Score, usize::MAX),
        "content" => (MapKind::Unrotated, usize::MAX),
        "rotation" => (MapKind::RotationEffect, usize::MAX),
        "mask" => (MapKind::Mask, usize::MAX),
        "small" => (MapKind::Weight, given.first().map_or(1, |most| *most as usize)),
        "statistics" => return session.statistics_paced(given, layers, pace).await.map(|told| told.data),
        "rows" => {
            return session.head_rows(layers).await.map(|HeadRows { queries, keys }| [queries, keys].concat());
        }
        _ => return Err(nothing(format!("{what:?} is nothing that heads are asked for"))),
    };
    session.map(first, kind, most, pace).await.map(|map| map.data)
}
