//! The public async functions of the runtime, each with calls that are interrupted.

use super::scene::{HEAD, Scene, TEXT, numbers};
use crate::support;
use ropescope::Error;
use ropescope::backend::Cancellation;
use ropescope::draw::{GridPainter, Layout, MapBuffer, Palette};
use ropescope::model::Variant;
use ropescope::ops::MapKind;
use ropescope::plan::{Part, Taps, TensorName};
use ropescope::rope::Scaling;
use ropescope::runtime::{
    BackendChoice, Context, ContextOptions, Device, Explainer, Grid, HeadId, LoadOptions, Loading, Model, ModelFiles,
    Request, SourceText, Tensor, Weighing,
};
use ropescope::trial::{Trial, TrialKind};
use ropescope::weights::Header;
use std::future::Future;
use std::pin::Pin;

type Running<'a> = Pin<Box<dyn Future<Output = Result<Vec<f32>, Error>> + 'a>>;
type Call = for<'a> fn(&'a mut Scene, &'a dyn Cancellation) -> Running<'a>;

/// A public async function, and a call of it.
pub struct Function {
    pub name: &'static str,
    /// A folder of tests/golden.
    pub model: &'static str,
    /// Whether the run before it stays: a call in the same context may overwrite it.
    pub keeps_run: bool,
    /// Whether it pauses on the CPU. On a GPU every call waits.
    pub waits_on_cpu: bool,
    /// Goes on where an interrupted call ended, or begins anew.
    pub call: Call,
}

const fn function(name: &'static str, model: &'static str, call: Call) -> Function {
    Function { name, model, keeps_run: true, waits_on_cpu: true, call }
}

/// A call that may overwrite the run before it.
const fn overwriting(name: &'static str, model: &'static str, call: Call) -> Function {
    Function { keeps_run: false, ..function(name, model, call) }
}

/// A call that pauses on no CPU.
const fn waiting_on_gpu(name: &'static str, model: &'static str, call: Call) -> Function {
    Function { waits_on_cpu: false, ..function(name, model, call) }
}

const LLAMA: &str = "decoders/llama";
const LINEAR: &str = "sources/linear_causal";
const ROTATE_FIRST: &str = "sources/linear_rotate_first_causal";
const MARIAN: &str = "pairs/marian";
const ESM: &str = "readers/esm";

/// A device, a model and a fork are made at once outside a browser: their calls go on with a run of what was made.
pub const FUNCTIONS: &[Function] = &[
    function("Device::open", LLAMA, |scene, cancel| {
        Box::pin(async move {
            let choice = if scene.model.gpu().is_some() { BackendChoice::Gpu } else { BackendChoice::Cpu };
            let device = Device::open(choice).await?;
            let (config, file) = (scene.folder.config_json(), scene.folder.file());
            run_of(Model::load(&device, &config, &file, LoadOptions::default()).await?, scene, cancel).await
        })
    }),
    waiting_on_gpu("Device::check", LLAMA, |scene, _| {
        Box::pin(async move { scene.device.check().await.map(|()| Vec::new()) })
    }),
    function("Loading::begin", LLAMA, |scene, cancel| {
        Box::pin(async move {
            let file = scene.folder.file();
            let header = Header::parse(&file, None)?;
            let data = &file[header.length() as usize..];
            let files = ModelFiles { config_json: scene.folder.config_json(), header };
            let mut loading = Loading::begin(&scene.device, files, LoadOptions::default()).await?;
            loading.push(data)?;
            run_of(loading.finish()?, scene, cancel).await
        })
    }),
    function("Model::load", LLAMA, |scene, cancel| {
        Box::pin(async move {
            let (config, file) = (scene.folder.config_json(), scene.folder.file());
            run_of(Model::load(&scene.device, &config, &file, LoadOptions::default()).await?, scene, cancel).await
        })
    }),
    function("Model::of_numbers", LLAMA, |scene, cancel| {
        Box::pin(async move {
            let architecture = scene.folder.architecture();
            let weights = architecture.table.iter();
            let weights =
                weights.map(|(weight, ..)| support::numbers(weight.index as u64, weight.rows * weight.columns));
            let weights = weights.collect();
            run_of(Model::of_numbers(&scene.device, architecture, weights).await?, scene, cancel).await
        })
    }),
    function("Context::run", LLAMA, run_text::<11>),
    // The cache grows, and another plan replaces that of the run before.
    overwriting("Context::run", LLAMA, run_text::<70>),
    overwriting("Context::run", LINEAR, run_text::<11>),
    overwriting("Context::run", ROTATE_FIRST, run_text::<11>),
    // Taps that are made from heads after the run.
    overwriting("Context::run", ESM, |scene, cancel| {
        Box::pin(async move {
            let taps = Taps::from_iter([
                TensorName::HiddenStates.at(1),
                TensorName::Attentions.at(1),
                TensorName::Contacts.in_every_layer(),
            ]);
            let request = Request { taps, selection: Some(HEAD), ..scene.text(11) };
            run_in(&scene.context, &request, cancel).await
        })
    }),
    // Another source, and a head of the encoder that reads it.
    overwriting("Context::run", MARIAN, |scene, cancel| {
        Box::pin(async move {
            let source = Some(SourceText::one(vec![5, 3, 8, 1]));
            let selection = Some(HeadId { part: Part::Encoder, ..HEAD });
            let taps = Taps::from_iter([TensorName::HiddenStates.at(1), TensorName::Attentions.at(0)]);
            let request = Request { source, selection, taps, ..scene.text(11) };
            run_in(&scene.context, &request, cancel).await
        })
    }),
    // A run without a cache leaves the text in it.
    function("Context::run", MARIAN, |scene, cancel| {
        Box::pin(async move {
            let request = Request { continues: false, ..scene.text(11) };
            run_in(&scene.context, &request, cancel).await
        })
    }),
    // In a context of its own, of the same weights.
    function("Context::run", LLAMA, |scene, cancel| {
        Box::pin(async move {
            let scaling = Scaling::Linear { factor: 4.0, original_max_position_embeddings: None };
            let variant = scene.model.variant(&Variant { scaling: Some(scaling), ..Variant::default() })?;
            run_of(variant, scene, cancel).await
        })
    }),
    function("Context::fork", LLAMA, run_fork),
    function("Context::fork", MARIAN, run_fork),
    function("Context::generate", LLAMA, |scene, cancel| Box::pin(generate(scene, cancel))),
    function("Context::generate", MARIAN, |scene, cancel| Box::pin(generate(scene, cancel))),
    overwriting("Context::generate", LINEAR, |scene, cancel| Box::pin(generate(scene, cancel))),
    function("BeamSearch::step", MARIAN, |scene, cancel| {
        Box::pin(async move {
            let Some(search) = &mut scene.search else { return Ok(Vec::new()) };
            while !search.ended() {
                search.step(cancel).await?;
            }
            Ok(search.ids().flatten().map(|id| *id as f32).collect())
        })
    }),
    function("Run::head", LLAMA, |scene, cancel| {
        Box::pin(async move {
            let maps = scene.run.head(HEAD, cancel).await?;
            Ok([maps.attention, maps.query, maps.key].concat())
        })
    }),
    function("Run::head", MARIAN, |scene, cancel| {
        Box::pin(async move {
            let maps = scene.run.head(HeadId { part: Part::Encoder, ..HEAD }, cancel).await?;
            Ok([maps.attention, maps.query, maps.key].concat())
        })
    }),
    function("Run::attention_map", LLAMA, |scene, cancel| {
        Box::pin(async move { data(scene.run.attention_map(HEAD, cancel).await) })
    }),
    function("Run::attention_map", MARIAN, |scene, cancel| {
        Box::pin(async move { data(scene.run.attention_map(HeadId { part: Part::Cross, ..HEAD }, cancel).await) })
    }),
    function("Run::map", LLAMA, |scene, cancel| {
        Box::pin(async move { data(scene.run.map(HEAD, MapKind::RotationEffect, 5, cancel).await) })
    }),
    function("Run::statistics", LLAMA, |scene, cancel| {
        Box::pin(async move {
            let tokens: Vec<f32> = scene.text(TEXT).ids.iter().map(|id| *id as f32).collect();
            data(scene.run.statistics(Part::Decoder, 0..2, &tokens, cancel).await)
        })
    }),
    function("Run::head_rows", LLAMA, |scene, cancel| {
        Box::pin(async move {
            let rows = scene.run.head_rows(Part::Decoder, 0..2, cancel).await?;
            Ok([rows.queries, rows.keys].concat())
        })
    }),
    function("Run::mean_map", LLAMA, |scene, cancel| {
        Box::pin(async move {
            let heads = [HEAD, HeadId::new(1, 0), HeadId::new(1, 1)];
            data(scene.run.mean_map(&heads, Weighing::Output, cancel).await)
        })
    }),
    function("Run::rollout", LLAMA, |scene, cancel| {
        Box::pin(async move { data(scene.run.rollout(Part::Decoder, cancel).await) })
    }),
    function("Run::contacts", ESM, |scene, cancel| Box::pin(async move { data(scene.run.contacts(cancel).await) })),
    waiting_on_gpu("Run::read_grid", LLAMA, |scene, _| {
        Box::pin(async move { Ok(scene.run.read_grid(Part::Decoder, 5).await?.0) })
    }),
    waiting_on_gpu("GridPainter::pixels", LLAMA, |scene, _| {
        Box::pin(async move {
            let Some(gpu) = scene.model.gpu() else { return Ok(Vec::new()) };
            let Some(Grid { maps, layers, heads, side, .. }) = scene.run.grid(Part::Decoder, 5)? else {
                panic!("a run on a GPU has no grid")
            };
            let layout =
                Layout { cell: 5, gap: 1, palette: Palette::from_stops(&[0; 6]), ground: [9; 3], order: vec![] };
            let maps = MapBuffer { buffer: &maps, layers, heads, side };
            let pixels = GridPainter::pixels(gpu, &layout, &maps).await?;
            Ok(pixels.into_iter().map(f32::from).collect())
        })
    }),
    function("Explainer::explain", LLAMA, |scene, cancel| {
        Box::pin(async move {
            let mut explainer = Explainer::new(&scene.model, &Request { continues: false, ..scene.text(TEXT) })?;
            let site = "layer.1.head[0,3,2]".parse()?;
            // The tree is read from runs of several taps, and from rows of weights.
            let explained = explainer.explain(site, 4, cancel).await?;
            Ok(vec![explained.value.unwrap_or_default(), explained.recomputed.unwrap_or_default() as f32])
        })
    }),
    function("Explainer::attribute", MARIAN, |scene, cancel| {
        Box::pin(async move {
            let mut explainer = Explainer::new(&scene.model, &Request { continues: false, ..scene.text(TEXT) })?;
            let attribution = explainer.attribute(3, 5, cancel).await?;
            Ok(attribution.terms.iter().map(|term| term.value as f32).collect())
        })
    }),
    function("Model::neuron_tokens", MARIAN, |scene, cancel| {
        Box::pin(async move {
            let found = scene.model.neuron_tokens(Part::Decoder, 1, 3, 5, cancel).await?;
            Ok(found.reads.iter().map(|token| token.number).collect())
        })
    }),
    function("Trial::new", LLAMA, |scene, cancel| {
        Box::pin(async move { Trial::new(&scene.device, TrialKind::Map, 5, 4).await?.run(cancel).await })
    }),
    function("Trial::run", LLAMA, |scene, cancel| Box::pin(async move { scene.trial.run(cancel).await })),
];

fn data(tensor: Result<Tensor, Error>) -> Result<Vec<f32>, Error> {
    tensor.map(|tensor| tensor.data)
}

async fn run_in(context: &Context, request: &Request, cancel: &dyn Cancellation) -> Result<Vec<f32>, Error> {
    context.run(request, cancel).await.map(|(output, _)| numbers(output))
}

/// Runs a text of this length.
fn run_text<'a, const LENGTH: usize>(scene: &'a mut Scene, cancel: &'a dyn Cancellation) -> Running<'a> {
    Box::pin(async move {
        let request = scene.text(LENGTH);
        run_in(&scene.context, &request, cancel).await
    })
}

/// Runs a text in a fork of the context.
fn run_fork<'a>(scene: &'a mut Scene, cancel: &'a dyn Cancellation) -> Running<'a> {
    Box::pin(async move {
        let fork = scene.context.fork().await?;
        let request = scene.text(11);
        run_in(&fork, &request, cancel).await
    })
}

/// Runs a text of a model that was just made.
async fn run_of(model: Model, scene: &Scene, cancel: &dyn Cancellation) -> Result<Vec<f32>, Error> {
    run_in(&model.context(ContextOptions::default()), &scene.text(TEXT), cancel).await
}

/// Generates until the text has ended.
async fn generate(scene: &mut Scene, cancel: &dyn Cancellation) -> Result<Vec<f32>, Error> {
    let Some(generation) = &mut scene.generation else { return Ok(Vec::new()) };
    while !generation.ended() {
        scene.context.generate(generation, cancel).await?;
    }
    Ok(generation.ids().flatten().map(|id| *id as f32).collect())
}
