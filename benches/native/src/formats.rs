//! Load, prefill and decode of a causal model whose matrices are kept in several formats, by one thread or several, run in turn.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;

use anyhow::Context as _;
use pollster::block_on;
use ropescope::backend::NeverCancelled;
use ropescope::backend::gpu::{AdapterChoice, Gpu};
use ropescope::kernels::{Format, set_threads};
use ropescope::runtime::{
    BackendChoice, Context, ContextOptions, Continuation, Device, Generation, LoadOptions, Loading, ModelFiles,
};
use ropescope::sampling::SamplingSettings;
use ropescope::weights::Header;

use crate::measure::{ids, milliseconds};

/// Bytes that a loading model is given at a time.
const CHUNK: usize = 4 << 20;

/// After a name: f16 weights are read as words by the GPU, whatever the default is.
const AS_WORDS: &str = "words";

/// After a name: f16 weights are read as 16-bit floats by the GPU.
const AS_FLOATS: &str = "floats";

/// After a name: the KV cache is f16.
const F16_CACHE: &str = "f16-cache";

/// Steps in flight on a GPU at most.
const IN_FLIGHT: usize = 4;

/// Prompts of so many ids, tokens written behind each, and turns that medians are taken of behind a first one that warms up.
#[derive(Debug, Clone, Copy)]
pub struct Lengths {
    pub prompt: usize,
    pub tokens: usize,
    pub turns: usize,
}

/// A model in one format.
pub struct Contender {
    pub name: String,
    /// Threads of the CPU.
    threads: usize,
    load: f64,
    /// A text of it.
    pub context: Context,
    /// Milliseconds of each turn.
    pub prefills: Vec<f64>,
    pub decodes: Vec<f64>,
    /// Created in the first turn, and in all others.
    created: [u64; 2],
    /// Dispatches (ops on the CPU) of the last token.
    pub dispatches: usize,
    /// Ids of the first turn: its prompt, and what was written behind it.
    pub text: Vec<u32>,
}

/// Prints a table in Markdown, of "gpu" or "cpu".
///
/// # Errors
/// When the model cannot be read or run, or there is no Vulkan, Metal or DirectX 12 adapter.
pub fn run(folder: &Path, backend: &str, lengths: Lengths, formats: &[String]) -> anyhow::Result<()> {
    let Lengths { prompt, tokens, turns } = lengths;
    let choice = match backend {
        "gpu" => BackendChoice::Gpu,
        "cpu" => BackendChoice::Cpu,
        other => anyhow::bail!("{other} is no backend: gpu or cpu"),
    };
    let device = block_on(Device::open(choice))?;
    let config = fs::read_to_string(folder.join("config.json"))?;
    let bytes = fs::read(folder.join("model.safetensors"))?;
    let load = |name: &String| Contender::load(&config, &bytes, name, &device);
    let mut contenders = formats.iter().map(load).collect::<anyhow::Result<Vec<_>>>()?;
    for turn in 0..=turns {
        for contender in &mut contenders {
            contender.turn(turn, lengths)?;
        }
    }
    println!(
        "| {} | load ms | prefill tokens/s | decode tokens/s | held MB | created at first | later | prefill, decode beside the first |",
        device.describe()
    );
    println!("|---|---|---|---|---|---|---|---|");
    let speeds = |contender: &Contender| {
        [(prompt, &contender.prefills), (tokens, &contender.decodes)]
            .map(|(count, times)| count as f64 / median(times) * 1e3)
    };
    let first = contenders.first().map(speeds).context("name a format")?;
    for contender in &contenders {
        let [prefill, decode] = speeds(contender);
        let Contender { name, load, context, created: [created, later], .. } = contender;
        println!(
            "| {name} | {load:.0} | {prefill:.1} | {decode:.2} | {:.1} | {created} | {later} | {:.2}, {:.2} |",
            (context.model().bytes() + context.bytes()) as f64 / 1e6,
            prefill / first[0],
            decode / first[1],
        );
    }
    Ok(())
}

impl Contender {
    /// From the file's bytes to a model that can run. `name`: a format. After it may stand ":" and a number of threads, or "/" and [`AS_WORDS`],
    /// [`AS_FLOATS`] or [`F16_CACHE`].
    ///
    /// # Errors
    /// No such format; a model that cannot be read, or does not fit.
    pub fn load(config: &str, bytes: &[u8], name: &str, device: &Device) -> anyhow::Result<Self> {
        let (format, ending) = name.split_once('/').unwrap_or((name, ""));
        let open = || block_on(Gpu::open(AdapterChoice::Any));
        let device = match ending {
            "" | F16_CACHE => device.clone(),
            AS_WORDS => open()?.into(),
            AS_FLOATS => {
                let gpu = block_on(open()?.with_f16())?;
                anyhow::ensure!(gpu.has_f16(), "{} has no 16-bit floats in shaders", gpu.describe());
                gpu.with_f16_weights().into()
            }
            _ => anyhow::bail!("{ending} is no way to read f16: {AS_WORDS}, {AS_FLOATS} or {F16_CACHE}"),
        };
        let (format, threads) = format.split_once(':').unwrap_or((format, "1"));
        let threads = threads.parse().with_context(|| format!("{threads} is no number of threads"))?;
        let format = Format::named(format).with_context(|| format!("{format} is no format of weights"))?;
        let start = Instant::now();
        let header = Header::parse(bytes, Some(bytes.len() as u64))?;
        let data = &bytes[header.length() as usize..];
        let files = ModelFiles { config_json: config.into(), header };
        let options = LoadOptions { format: Some(format), ..LoadOptions::default() };
        let mut loading = block_on(Loading::begin(&device, files, options))?;
        data.chunks(CHUNK).try_for_each(|chunk| loading.push(chunk))?;
        let context =
            loading.finish()?.context(ContextOptions { f16_cache: ending == F16_CACHE, ..ContextOptions::default() });
        Ok(Self {
            name: name.into(),
            threads,
            load: milliseconds(start),
            context,
            prefills: Vec::new(),
            decodes: Vec::new(),
            created: [0, 0],
            dispatches: 0,
            text: Vec::new(),
        })
    }

    /// A text that no turn before began with, and `tokens` more behind its first ones. The prefill ends with the very first.
    ///
    /// # Errors
    /// What runs meet.
    pub fn turn(&mut self, turn: usize, Lengths { prompt, tokens, .. }: Lengths) -> anyhow::Result<()> {
        let before = self.context.model().created();
        let written = self.write(turn as u64 + 1, prompt, tokens)?;
        if turn == 0 {
            self.text = written.text;
        }
        self.created[turn.min(1)] += self.context.model().created() - before;
        if turn > 0 {
            self.prefills.push(written.prefill);
            self.decodes.push(written.decode);
        }
        Ok(())
    }

    /// Writes a first token and `tokens` more behind the prompt of a seed. On a GPU several steps are in flight: as many tokens come before
    /// and behind those that are timed, so that as many steps are in flight when the clock starts as when it stops.
    ///
    /// # Errors
    /// What runs meet.
    pub fn write(&mut self, seed: u64, prompt: usize, tokens: usize) -> anyhow::Result<Written> {
        set_threads(NonZeroUsize::new(self.threads).context("no thread computes nothing")?);
        let model = self.context.model();
        let settling = if model.gpu().is_some() { IN_FLIGHT } else { 0 };
        let continuation = Continuation {
            sampling: SamplingSettings { temperature: 0.0, ..SamplingSettings::default() },
            candidates: 0,
            most: 1 + settling + tokens + settling,
            ends: Vec::new(),
            beyond_length: false,
        };
        let ids = ids(seed, prompt, model.facts().vocab_size);
        let mut generation = Generation::new(&ids, 1, None, continuation)?;
        let mut timed = |count: usize| -> anyhow::Result<f64> {
            let start = Instant::now();
            for _ in 0..count {
                block_on(self.context.generate(&mut generation, &NeverCancelled))?;
            }
            Ok(milliseconds(start))
        };
        let prefill = timed(1)?;
        timed(settling)?;
        let decode = timed(tokens)?;
        timed(settling)?;
        anyhow::ensure!(generation.ended(), "{} tokens were written", generation.written());
        self.dispatches = generation.dispatches();
        let text = generation.ids().next().unwrap_or_default().to_vec();
        Ok(Written { prefill, decode, ids: text.get(prompt..).unwrap_or_default().to_vec(), text })
    }
}

/// What a contender wrote.
pub struct Written {
    /// Milliseconds to the first token.
    pub prefill: f64,
    /// Milliseconds of the tokens behind it.
    pub decode: f64,
    /// The tokens.
    pub ids: Vec<u32>,
    /// The prompt, and the tokens behind it.
    text: Vec<u32>,
}

fn median(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
