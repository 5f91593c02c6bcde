//! The engine looks at the heads of the last run.

use super::engine::Engine;
use super::failure::failure;
use super::results::HeadOutput;
use crate::error::Error;
use crate::ops::Kind;
use crate::session::{HeadRows, Selection, Session};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl Engine {
    /// Reads another head of the last run.
    pub async fn head(&mut self, layer: usize, head: usize) -> Result<HeadOutput, JsValue> {
        let mut session = self.session.take().map_err(|error| failure(&error))?;
        let read = session.head(Selection { layer, head }).await;
        self.session.put(session);
        read.map(HeadOutput).map_err(|error| failure(&error))
    }

    /// Numbers about the heads of the last run, by what is asked for. Of one head, (length, length): "weight", "score", "content"
    /// (the score without rotation), "rotation" (what that adds). Of all heads: "statistics", (layers, heads, 6), see
    /// [`Session::statistics`]. Of all heads of one layer, unrotated: "rows", queries (length, heads, head_size), then keys
    /// (length, key heads, head_size).
    pub async fn look(&mut self, what: String, layer: usize, head: usize) -> Result<Vec<f32>, JsValue> {
        let mut session = self.session.take().map_err(|error| failure(&error))?;
        let read = look(&mut session, &what, Selection { layer, head }).await;
        self.session.put(session);
        read.map_err(|error| failure(&error))
    }
}

async fn look(session: &mut Session, what: &str, selection: Selection) -> Result<Vec<f32>, Error> {
    let kind = match what {
        "weight" => Kind::Weight,
        "score" => Kind::Score,
        "content" => Kind::Unrotated,
        "rotation" => Kind::RotationEffect,
        "statistics" => return session.statistics().await.map(|statistics| statistics.data),
        "rows" => {
            let layers = selection.layer..selection.layer.saturating_add(1);
            return session.head_rows(layers).await.map(|HeadRows { queries, keys }| [queries, keys].concat());
        }
        _ => return Err(Error::InvalidInput { reason: format!("{what:?} is nothing that heads are asked for") }),
    };
    session.map(selection, kind).await.map(|map| map.data)
}
