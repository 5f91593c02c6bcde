//! Results as typed arrays.

use crate::runtime::{Fill, HeadMaps, Output};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(getter_with_clone)]
pub struct HeadOutput {
    /// (length, length)
    #[wasm_bindgen(readonly)]
    pub attention: Vec<f32>,
    /// (length, head_size)
    #[wasm_bindgen(readonly)]
    pub query: Vec<f32>,
    /// (length, head_size)
    #[wasm_bindgen(readonly)]
    pub key: Vec<f32>,
}

impl From<HeadMaps> for HeadOutput {
    fn from(HeadMaps { attention, query, key }: HeadMaps) -> Self {
        Self { attention, query, key }
    }
}

#[wasm_bindgen]
pub struct RunOutput {
    output: Output,
    /// θ_i in radians per position (layers, head_size / 2): the frequencies of each layer in this run.
    #[wasm_bindgen(readonly, getter_with_clone)]
    pub theta: Vec<f64>,
    /// JSON of times, dispatches and bytes.
    #[wasm_bindgen(readonly, getter_with_clone)]
    pub report: String,
    /// Names the run in questions about it.
    #[wasm_bindgen(readonly)]
    pub number: u32,
    /// Whether a change or a position offset was in force.
    #[wasm_bindgen(readonly)]
    pub changed: bool,
}

impl RunOutput {
    pub(super) fn new(output: Output, theta: Vec<f64>, report: String, number: u32, changed: bool) -> Self {
        Self { output, theta, report, number, changed }
    }

    fn of_head(&self, array: fn(&HeadMaps) -> &Vec<f32>) -> Vec<f32> {
        self.output.head.as_ref().map_or_else(Vec::new, |head| array(head).clone())
    }
}

#[wasm_bindgen]
impl RunOutput {
    /// (rows, k)
    #[wasm_bindgen(getter, js_name = topIds)]
    pub fn top_ids(&self) -> Vec<u32> {
        self.output.top.iter().flatten().map(|fill| fill.id).collect()
    }

    /// (rows, k)
    #[wasm_bindgen(getter, js_name = topProbabilities)]
    pub fn top_probabilities(&self) -> Vec<f32> {
        self.output.top.iter().flatten().map(Fill::probability).collect()
    }

    /// Logits of a classifier, in `logitsShape`; else empty.
    #[wasm_bindgen(getter)]
    pub fn logits(&self) -> Vec<f32> {
        self.output.result.as_ref().map_or_else(Vec::new, |tensor| tensor.data.clone())
    }

    #[wasm_bindgen(getter, js_name = logitsShape)]
    pub fn logits_shape(&self) -> Vec<u32> {
        self.output
            .result
            .as_ref()
            .map_or_else(Vec::new, |tensor| tensor.shape.iter().map(|size| *size as u32).collect())
    }

    /// −log p of each row's label in nats, NaN for a row without a label; empty without labels.
    #[wasm_bindgen(getter)]
    pub fn losses(&self) -> Vec<f32> {
        self.output.losses.iter().map(|loss| loss.unwrap_or(f32::NAN)).collect()
    }

    /// (length, length)
    #[wasm_bindgen(getter)]
    pub fn attention(&self) -> Vec<f32> {
        self.of_head(|head| &head.attention)
    }

    /// (length, head_size)
    #[wasm_bindgen(getter)]
    pub fn query(&self) -> Vec<f32> {
        self.of_head(|head| &head.query)
    }

    /// (length, head_size)
    #[wasm_bindgen(getter)]
    pub fn key(&self) -> Vec<f32> {
        self.of_head(|head| &head.key)
    }
}

#[wasm_bindgen]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    /// RGBA, row by row.
    #[wasm_bindgen(readonly, getter_with_clone)]
    pub pixels: Vec<u8>,
}

impl Pixels {
    pub(super) fn new((width, height): (u32, u32), pixels: Vec<u8>) -> Self {
        Self { width, height, pixels }
    }
}
