//! The engine looks at the heads of the last run, or of the last one in which nothing was changed.

use super::engine::Engine;
use super::failure::failure;
use super::results::HeadOutput;
use crate::error::Error;
use crate::ops::Kind;
use crate::session::{HeadRows, Mark, Selection, Session};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl Engine {
    /// Reads another head of a run; nothing where it is not there any more.
    pub async fn head(&mut self, run: u32, layer: usize, head: usize) -> Result<Option<HeadOutput>, JsValue> {
        let Some((mut session, newest)) = self.about(run)? else { return Ok(None) };
        let read = session.head(Selection { layer, head }).await;
        self.back(session, newest);
        read.map(HeadOutput).map(Some).map_err(|error| failure(&error))
    }

    /// Numbers about the heads of a run, nothing where it is not there any more, by what is asked for. Of one head, (length, length):
    /// "weight", "score", "content" (the score without rotation), "rotation" (what that adds). Of all heads: "statistics" of
    /// these tokens, (layers, heads, 10), see [`Session::statistics`]. Of all heads of one layer, unrotated: "rows", queries (length, heads, head_size), then
    /// keys (length, key heads, head_size).
    pub async fn look(
        &mut self,
        run: u32,
        what: String,
        layer: usize,
        head: usize,
        tokens: Vec<f32>,
    ) -> Result<Option<Vec<f32>>, JsValue> {
        let Some((mut session, newest)) = self.about(run)? else { return Ok(None) };
        let read = look(&mut session, &what, Selection { layer, head }, &tokens).await;
        self.back(session, newest);
        read.map(Some).map_err(|error| failure(&error))
    }
}

impl Engine {
    /// Takes the session to ask about the run of this number, and tells what it was about.
    fn about(&self, run: u32) -> Result<Option<(Session, Option<Mark>)>, JsValue> {
        let mut session = self.session.take().map_err(|error| failure(&error))?;
        let newest = session.mark();
        let earlier = self.unchanged.filter(|(number, _)| *number == run);
        if run == self.runs || earlier.is_some_and(|(_, mark)| session.look_at(mark)) {
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

async fn look(session: &mut Session, what: &str, selection: Selection, tokens: &[f32]) -> Result<Vec<f32>, Error> {
    let kind = match what {
        "weight" => Kind::Weight,
        "score" => Kind::Score,
        "content" => Kind::Unrotated,
        "rotation" => Kind::RotationEffect,
        "statistics" => return session.statistics(tokens).await.map(|statistics| statistics.data),
        "rows" => {
            let layers = selection.layer..selection.layer.saturating_add(1);
            return session.head_rows(layers).await.map(|HeadRows { queries, keys }| [queries, keys].concat());
        }
        _ => return Err(Error::InvalidInput { reason: format!("{what:?} is nothing that heads are asked for") }),
    };
    session.map(selection, kind).await.map(|map| map.data)
}
