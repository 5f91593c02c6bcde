//! The package as JavaScript sees it: which bytes are wanted, and what the checkpoint is made of. Failures become
//! `{code, message, retryable}`, as the engine's.

use js_sys::{Object, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{Checkpoint, FileLength, Opening, Refusal, Span, Step, weights_among};

/// The file among `names` that tells of all weights; undefined where there is none.
///
/// # Errors
/// See [`weights_among`].
#[wasm_bindgen(js_name = weightsAmong)]
pub fn among(names: Vec<String>) -> Result<Option<String>, JsValue> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    weights_among(&names).map(|name| name.map(str::to_string)).map_err(|refusal| failure(&refusal))
}

/// See [`Opening`].
#[wasm_bindgen]
pub struct WeightFiles {
    opening: Opening,
    wanted: Vec<Span>,
    done: Option<Checkpoint>,
}

#[wasm_bindgen]
impl WeightFiles {
    /// Opens `main`, one of the files of these names and lengths.
    #[wasm_bindgen(constructor)]
    pub fn new(main: String, names: Vec<String>, lengths: &[f64]) -> WeightFiles {
        let files = names.into_iter().zip(lengths).map(|(name, length)| FileLength { name, length: *length as u64 });
        WeightFiles { opening: Opening::new(main, files.collect()), wanted: Vec::new(), done: None }
    }

    /// Goes on, and gives the stretches whose bytes are wanted: file, start and end of each, all in one list; an empty list
    /// when nothing more is wanted.
    ///
    /// # Errors
    /// What makes the weights unreadable, as `{code, message, retryable}`.
    pub fn step(&mut self) -> Result<Vec<f64>, JsValue> {
        match self.opening.step().map_err(|refusal| failure(&refusal))? {
            Step::Read(wanted) => self.wanted = wanted,
            Step::Done(checkpoint) => {
                self.wanted.clear();
                self.done = Some(checkpoint);
            }
        }
        Ok(flat(&self.wanted))
    }

    /// Gives the bytes of the stretch of that number in the list.
    ///
    /// # Errors
    /// Fewer or more bytes than were asked for.
    pub fn give(&mut self, index: usize, bytes: Vec<u8>) -> Result<(), JsValue> {
        let Some(span) = self.wanted.get(index) else { return Ok(()) };
        self.opening.give(*span, bytes).map_err(|refusal| failure(&refusal))
    }

    /// The header of the whole, once nothing more is wanted.
    pub fn header(&self) -> Vec<u8> {
        self.done.as_ref().map(|done| done.header.clone()).unwrap_or_default()
    }

    /// What follows the header: file, start and end of each stretch, all in one list.
    pub fn pieces(&self) -> Vec<f64> {
        self.done.as_ref().map(|done| flat(&done.pieces)).unwrap_or_default()
    }
}

/// Numbers of bytes are whole below 2⁵³, which no file reaches.
fn flat(spans: &[Span]) -> Vec<f64> {
    spans.iter().flat_map(|span| [span.file as f64, span.start as f64, span.end as f64]).collect()
}

fn failure(refusal: &Refusal) -> JsValue {
    let object = Object::new();
    let fields = [
        ("code", JsValue::from(refusal.code())),
        ("message", JsValue::from(refusal.to_string())),
        ("retryable", JsValue::from(false)),
    ];
    for (key, value) in fields {
        // Setting a field of a fresh object cannot fail.
        let _ = Reflect::set(&object, &key.into(), &value);
    }
    object.into()
}
