//! The engine class: one backend, the model on it, the canvas it paints.

use super::adapter;
use super::canvas::Canvas;
use super::failure::failure;
use super::results::{HeadOutput, Pixels, RunOutput};
use crate::backend::Pace;
use crate::draw::{GridPainter, Layout, Palette, paint};
use crate::error::Error;
use crate::model::{Checkpoint, Config};
use crate::session::{BackendChoice, Device, LayerMaps, Request, Rows, Selection, Session};
use js_sys::{Date, Function, Promise};
use serde_json::json;
use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::OffscreenCanvas;

/// The CPU backend lets messages in this often.
const MILLISECONDS_BETWEEN_PAUSES: f64 = 8.0;

/// See the module. Its methods must not overlap.
#[wasm_bindgen]
pub struct Engine {
    device: Device,
    session: Option<Session>,
    canvas: Option<Canvas>,
    layout: Option<Layout>,
}

#[wasm_bindgen]
impl Engine {
    /// Opens a backend, "gpu" or "cpu"; `on_lost` is called with the reason when the device goes.
    pub async fn open(backend: String, on_lost: Function) -> Result<Engine, JsValue> {
        let choice = if backend == "gpu" { BackendChoice::Gpu } else { BackendChoice::Cpu };
        let device = Device::open(choice).await.map_err(|error| failure(&error))?;
        if let Device::Gpu(device) = &device {
            device.gpu.when_lost(move |reason| {
                // A listener that throws has no bearing on the engine.
                let _ = on_lost.call1(&JsValue::NULL, &reason.into());
            });
        }
        Ok(Engine { device, session: None, canvas: None, layout: None })
    }

    /// JSON {adapter?, vendor?, architecture?}, as far as the browser tells.
    pub fn adapter(&self) -> String {
        match &self.device {
            Device::Cpu => "{}".into(),
            Device::Gpu(device) => adapter::describe(&device.gpu),
        }
    }

    /// Compiles the pipelines of a model before its weights are there.
    pub fn prepare(&self, config_json: &str) -> Result<(), JsValue> {
        let prepared = Config::parse(config_json).and_then(|config| self.device.prepare(&config));
        prepared.map_err(|error| failure(&error))
    }

    /// Loads a model; the one before stays if that fails. Returns JSON of its sizes.
    pub async fn load(&mut self, config_json: String, weights: Vec<u8>) -> Result<String, JsValue> {
        self.try_load(&config_json, &weights).await.map_err(|error| failure(&error))
    }

    /// Runs (length) ids, reads fills at `rows` and the chosen head, and repaints the canvas.
    #[allow(clippy::too_many_arguments)] // as JavaScript calls it
    pub async fn run(
        &mut self,
        ids: Vec<u32>,
        rows: Vec<u32>,
        top_k: usize,
        layer: usize,
        head: usize,
        position_offset: f64,
        pause: Function,
    ) -> Result<RunOutput, JsValue> {
        let selection = Some(Selection { layer, head });
        let length = ids.len();
        let request = Request { position_offset: position_offset as u64, selection, ..Request::new(ids, 1, length) };
        self.try_run(request, rows, top_k, pause).await.map_err(|error| failure(&error))
    }

    /// Reads another head of the last run.
    pub async fn head(&mut self, layer: usize, head: usize) -> Result<HeadOutput, JsValue> {
        let Some(session) = &mut self.session else { return Err(failure(&no_model())) };
        session.head(Selection { layer, head }).await.map(HeadOutput).map_err(|error| failure(&error))
    }

    /// Takes a canvas and paints it from now on.
    pub fn attach(&mut self, canvas: OffscreenCanvas) -> Result<(), JsValue> {
        self.canvas = Some(Canvas::new(&self.device, canvas).map_err(|error| failure(&error))?);
        self.paint().map(drop).map_err(|error| failure(&error))
    }

    /// Sizes and colours of the grid; repaints. stops: (stops × 3) and ground: (3) sRGB bytes.
    pub fn layout(&mut self, cell: u32, gap: u32, stops: &[u8], ground: &[u8]) -> Result<(), JsValue> {
        let ground = ground.first_chunk().copied().unwrap_or([255; 3]);
        let layout =
            Layout { cell: cell.clamp(1, 1024), gap: gap.min(1024), palette: Palette::from_stops(stops), ground };
        if self.layout.as_ref() == Some(&layout) {
            return Ok(());
        }
        self.layout = Some(layout);
        self.paint().map(drop).map_err(|error| failure(&error))
    }

    /// The grid's pixels as the GPU or the CPU painter makes them.
    #[wasm_bindgen(js_name = gridPixels)]
    pub async fn grid_pixels(&self, painter: String) -> Result<Pixels, JsValue> {
        self.try_pixels(painter == "gpu").await.map_err(|error| failure(&error))
    }

    /// The device by itself, to be lost even while the engine is at work.
    pub fn device(&self) -> DeviceHandle {
        DeviceHandle(self.device.clone())
    }

    /// Panics, so that tests see what the page does then.
    pub fn panic(&self) {
        panic!("asked to");
    }
}

/// The engine's device, for tests of its loss.
#[wasm_bindgen]
pub struct DeviceHandle(Device);

#[wasm_bindgen]
impl DeviceHandle {
    /// Destroys the device, as a driver's reset would.
    pub fn lose(&self) {
        if let Device::Gpu(device) = &self.0 {
            device.gpu.destroy();
        }
    }
}

impl Engine {
    async fn try_load(&mut self, config_json: &str, weights: &[u8]) -> Result<String, Error> {
        let config = Config::parse(config_json)?;
        let checkpoint = Checkpoint::parse(weights)?;
        let session = Session::load(config, &checkpoint, self.device.clone()).await?;
        let (config, architecture) = (session.config(), session.architecture());
        let described = json!({
            "architecture": architecture.name(),
            "num_hidden_layers": config.num_hidden_layers,
            "num_attention_heads": config.num_attention_heads,
            "hidden_size": config.hidden_size,
            "embedding_size": config.embedding_size,
            "intermediate_size": config.intermediate_size,
            "vocab_size": config.vocab_size,
            "max_position_embeddings": config.max_position_embeddings,
            "head_size": config.head_size(),
            "is_decoder": config.is_decoder,
            "rotary_value": config.rotary_value,
            "parameters": session.parameters(),
            "predicts_tokens": architecture.predicts_tokens(),
            "labels": config.labels,
        });
        self.session = Some(session);
        Ok(described.to_string())
    }

    async fn try_run(
        &mut self,
        request: Request,
        rows: Vec<u32>,
        top_k: usize,
        pause: Function,
    ) -> Result<RunOutput, Error> {
        let session = self.session.as_mut().ok_or_else(no_model)?;
        let predicts = session.architecture().predicts_tokens();
        let request = match predicts {
            true => Request { rows: Rows::At(rows), top_k: top_k.clamp(1, session.config().vocab_size), ..request },
            false => request,
        };
        let pace = BetweenMessages { pause, last: Cell::new(Date::now()) };
        let started = now();
        let mut output = session.run_paced(&request, &pace).await?;
        let milliseconds = now() - started;
        let created = session.gpu().map_or(0, |gpu| gpu.created());
        let paint_dispatches = self.paint()?;
        let session = self.session.as_ref().ok_or_else(no_model)?;
        output.report.created += session.gpu().map_or(0, |gpu| gpu.created()) - created;
        let report = json!({
            "backend": if session.gpu().is_some() { "gpu" } else { "cpu" },
            "milliseconds": milliseconds,
            "dispatches": output.report.dispatches,
            "paintDispatches": paint_dispatches,
            "created": output.report.created,
            "bytesHeld": output.report.bytes_held,
            "bytesReadBack": output.report.bytes_read_back,
        });
        Ok(RunOutput::new(output, report.to_string()))
    }

    async fn try_pixels(&self, on_gpu: bool) -> Result<Pixels, Error> {
        let missing = || Error::InvalidInput { reason: "there is no picture before a run and a layout".into() };
        let session = self.session.as_ref().ok_or_else(no_model)?;
        let layout = self.layout.as_ref().ok_or_else(missing)?;
        let maps = session.maps().ok_or_else(missing)?;
        let layers = session.config().num_hidden_layers;
        let pixels = match (&maps.layers, session.gpu()) {
            (LayerMaps::Gpu(buffers), Some(gpu)) if on_gpu => {
                GridPainter::pixels(gpu, layout, buffers, maps.heads, maps.length).await?
            }
            (LayerMaps::Cpu(_), _) if on_gpu => {
                return Err(Error::InvalidInput { reason: "the CPU backend has no GPU painter".into() });
            }
            _ => {
                let read = session.read_maps().await?;
                let layers: Vec<&[f32]> = read.iter().map(Vec::as_slice).collect();
                paint(layout, &layers, maps.heads, maps.length)
            }
        };
        Ok(Pixels::new(layout.size(layers, maps.heads), pixels))
    }

    fn paint(&mut self) -> Result<usize, Error> {
        match (&mut self.canvas, &self.session, &self.layout) {
            (Some(canvas), Some(session), Some(layout)) => canvas.paint(session, layout),
            _ => Ok(0),
        }
    }
}

fn no_model() -> Error {
    Error::InvalidInput { reason: "no model is loaded yet".into() }
}

/// Milliseconds with fractions, as far as the browser gives them.
fn now() -> f64 {
    let performance = js_sys::Reflect::get(&js_sys::global(), &"performance".into());
    performance
        .ok()
        .and_then(|value| value.dyn_into::<web_sys::Performance>().ok())
        .map_or_else(Date::now, |clock| clock.now())
}

/// Pauses for the worker's messages every few milliseconds.
struct BetweenMessages {
    pause: Function,
    last: Cell<f64>,
}

impl Pace for BetweenMessages {
    fn due(&self) -> bool {
        Date::now() - self.last.get() >= MILLISECONDS_BETWEEN_PAUSES
    }

    fn pause(&self) -> Pin<Box<dyn Future<Output = bool> + '_>> {
        Box::pin(async {
            let promise = self.pause.call0(&JsValue::NULL).ok().and_then(|value| value.dyn_into::<Promise>().ok());
            let goes_on = match promise {
                Some(promise) => JsFuture::from(promise).await.is_ok_and(|answer| answer.is_truthy()),
                None => true,
            };
            self.last.set(Date::now());
            goes_on
        })
    }
}
