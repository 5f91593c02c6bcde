//! The engine class: one backend, the model on it, the canvas it paints.

use super::adapter;
use super::canvas::Canvas;
use super::failure::failure;
use super::generation::{Generating, sampling};
use super::loading::ModelLoading;
use super::pace::BetweenMessages;
use super::results::{HeadOutput, Pixels, RunOutput};
use super::shared::SharedSession;
use crate::draw::{GridPainter, Layout, Numbers, Palette, paint};
use crate::error::Error;
use crate::sampling::{Candidates, MOST_CANDIDATES, distribution};
use crate::session::{
    Answer, BackendChoice, Device, Fill, Generation, Penalty, Picture, Request, Rows, Selection, Session,
};
use js_sys::{Date, Function};
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::OffscreenCanvas;

/// See the module. Its methods must not overlap.
#[wasm_bindgen]
pub struct Engine {
    device: Device,
    session: SharedSession,
    canvas: Option<Canvas>,
    layout: Option<Layout>,
    /// The last run of a model that writes on: its request, and the candidates for what comes after its last row.
    last: Option<(Request, Vec<Fill>)>,
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
        Ok(Engine { device, session: SharedSession::default(), canvas: None, layout: None, last: None })
    }

    /// Whether the adapter computes what the CPU computes: rejects with code "self-check" where it does not.
    pub async fn check(&self) -> Result<(), JsValue> {
        self.device.check().await.map_err(|error| failure(&error))
    }

    /// JSON {adapter?, vendor?, architecture?, device?}, as far as the browser tells.
    pub fn adapter(&self) -> String {
        match &self.device {
            Device::Cpu => "{}".into(),
            Device::Gpu(device) => adapter::describe(&device.gpu),
        }
    }

    /// Begins to load a model: checks config.json and the header of its weights, makes room and compiles pipelines. The model
    /// before stays. file_length: bytes of the whole file, 0 where that is not known.
    pub async fn begin(&self, config_json: String, header: Vec<u8>, file_length: f64) -> Result<ModelLoading, JsValue> {
        let loading = ModelLoading::begin(&self.device, &config_json, &header, file_length).await;
        loading.map_err(|error| failure(&error))
    }

    /// Takes over a model whose weights are all there, and gives back the one before. Returns JSON of its sizes.
    pub fn adopt(&mut self, loading: ModelLoading) -> Result<String, JsValue> {
        let session = loading.finish().map_err(|error| failure(&error))?;
        let described = describe(&session);
        self.last = None;
        self.session.put(session);
        Ok(described)
    }

    /// Runs (length) ids, reads fills at `rows` and the chosen head, and repaints the canvas. A causal model computes only what
    /// the text before did not begin with.
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
        let mut session = self.session.take().map_err(|error| failure(&error))?;
        let read = session.head(Selection { layer, head }).await;
        self.session.put(session);
        read.map(HeadOutput).map_err(|error| failure(&error))
    }

    /// JSON [{id, before, after}]: what may come after the last row that the last run was asked for, best first. settings: JSON.
    pub async fn candidates(&mut self, settings: String) -> Result<String, JsValue> {
        self.try_candidates(&settings).await.map_err(|error| failure(&error))
    }

    /// Begins to write on after ids. settings: JSON.
    pub fn generate(&self, ids: Vec<u32>, settings: &str) -> Result<Generating, JsValue> {
        let generation =
            Generating::parse(settings).and_then(|continuation| Generation::new(&ids, 1, None, continuation));
        generation.map(|generation| Generating::new(generation, self.session.clone())).map_err(|error| failure(&error))
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
    async fn try_run(
        &mut self,
        request: Request,
        rows: Vec<u32>,
        top_k: usize,
        pause: Function,
    ) -> Result<RunOutput, Error> {
        let mut session = self.session.take()?;
        let facts = session.facts();
        let request = Request { continues: facts.causal, ..request };
        let request = match facts.predicts_tokens() {
            // A text that may be written on shows all its candidates later.
            true if facts.causal => {
                Request { rows: Rows::At(rows), top_k: MOST_CANDIDATES.min(facts.vocab_size), ..request }
            }
            true => Request { rows: Rows::At(rows), top_k: top_k.clamp(1, facts.vocab_size), ..request },
            false => request,
        };
        let started = now();
        let run = session.run_paced(&request, &BetweenMessages::new(pause)).await;
        let milliseconds = now() - started;
        let created = session.created();
        let theta = session.frequencies().map_or_else(Vec::new, |frequencies| frequencies.theta);
        self.session.put(session);
        let mut output = run?;
        self.last = output.top.last().filter(|_| request.continues).map(|fills| (request, fills.clone()));
        output.top.iter_mut().for_each(|fills| fills.truncate(top_k));
        // A picture that fails is no reason to lose the run.
        let painted = self.paint();
        let on_gpu = self.session.with(|session| {
            output.report.created += session.created() - created;
            session.gpu().is_some()
        })?;
        let report = json!({
            "backend": if on_gpu { "gpu" } else { "cpu" },
            "milliseconds": milliseconds,
            "dispatches": output.report.dispatches,
            "paintDispatches": painted.unwrap_or(0),
            "computed": output.report.computed,
            "created": output.report.created,
            "bytesHeld": output.report.bytes_held,
            "bytesReadBack": output.report.bytes_read_back,
        });
        Ok(RunOutput::new(output, theta, report.to_string()))
    }

    async fn try_candidates(&mut self, settings: &str) -> Result<String, Error> {
        let settings = sampling(settings)?;
        let missing = || Error::InvalidInput { reason: "nothing has run that could be written on".into() };
        let (request, fills) = self.last.as_ref().ok_or_else(missing)?;
        let penalty = settings.repetition_penalty as f32;
        let fills = if penalty == 1.0 {
            fills.clone()
        } else {
            // The penalty acts on the whole vocabulary: the last row once more, from the cache.
            let request = Request { penalty: Some(Penalty(penalty)), ..request.clone() };
            let mut session = self.session.take()?;
            let run = session.run(&request).await;
            self.session.put(session);
            run?.top.pop().ok_or_else(missing)?
        };
        let best = fills.iter().map(|fill| (fill.id, fill.log_probability)).collect();
        let candidates = distribution(&settings, &Candidates::new(best, 0.0)?);
        let told =
            |next: &crate::sampling::Probability| json!({"id": next.id, "before": next.before, "after": next.after});
        Ok(serde_json::Value::from_iter(candidates.iter().map(told)).to_string())
    }

    async fn try_pixels(&self, on_gpu: bool) -> Result<Pixels, Error> {
        let missing = || Error::InvalidInput { reason: "there is no picture before a run and a layout".into() };
        let layout = self.layout.as_ref().ok_or_else(missing)?;
        let mut session = self.session.take()?;
        let pixels = pixels(&mut session, layout, on_gpu).await;
        self.session.put(session);
        pixels
    }

    fn paint(&mut self) -> Result<usize, Error> {
        let (Some(canvas), Some(layout)) = (&mut self.canvas, &self.layout) else { return Ok(0) };
        // Before a model is there, there is nothing to paint.
        let painted = self.session.with(|session| canvas.paint(&self.device, session, layout));
        painted.unwrap_or(Ok(0))
    }
}

/// The grid as one of the painters makes it.
async fn pixels(session: &mut Session, layout: &Layout, on_gpu: bool) -> Result<Pixels, Error> {
    let missing = || Error::InvalidInput { reason: "there is no picture before a run and a layout".into() };
    let cell = layout.cell as usize;
    let (layers, heads) = (session.facts().layers, session.facts().heads);
    if on_gpu {
        let device = session
            .device()
            .ok_or_else(|| Error::InvalidInput { reason: "the CPU backend has no GPU painter".into() })?;
        let Some(Picture { answer: Answer::Gpu(buffer), layers, heads, side, .. }) = session.picture(cell)? else {
            return Err(missing());
        };
        let numbers = Numbers { buffer, layers, heads, side };
        let pixels = GridPainter::pixels(&device.gpu, layout, &numbers).await?;
        return Ok(Pixels::new(layout.size(layers, heads), pixels));
    }
    let (numbers, side) = session.read_picture(cell).await?;
    let maps: Vec<&[f32]> = numbers.chunks_exact((heads * side * side).max(1)).collect();
    Ok(Pixels::new(layout.size(layers, heads), paint(layout, &maps, heads, side)))
}

/// JSON of a model's sizes, in the words of config.json.
fn describe(session: &Session) -> String {
    let facts = session.facts();
    json!({
        "architecture": facts.architecture,
        "num_hidden_layers": facts.layers,
        "num_attention_heads": facts.heads,
        "num_key_value_heads": facts.key_heads,
        "hidden_size": facts.hidden_size,
        "embedding_size": facts.embedding_size,
        "intermediate_size": facts.intermediate_size,
        "vocab_size": facts.vocab_size,
        // The longest text without being asked for more.
        "max_position_embeddings": facts.longest.map_or(facts.max_position_embeddings, |longest| longest as usize),
        "head_size": facts.head_size,
        "scale": facts.scale,
        "is_decoder": facts.causal,
        "eos_token_ids": facts.eos_token_ids,
        "rotary_value": facts.rotary_value,
        "parameters": session.parameters(),
        "predicts_tokens": facts.predicts_tokens(),
        "labels": facts.labels,
    })
    .to_string()
}

/// Milliseconds with fractions, as far as the browser gives them.
fn now() -> f64 {
    let performance = js_sys::Reflect::get(&js_sys::global(), &"performance".into());
    performance
        .ok()
        .and_then(|value| value.dyn_into::<web_sys::Performance>().ok())
        .map_or_else(Date::now, |clock| clock.now())
}
