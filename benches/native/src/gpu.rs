//! Everything that is worth knowing of the GPU backend on an adapter, in one go: what the adapter reaches, a run by kernel, what dispatches
//! cost, decoding, taps, and runs against batch and length.
//!
//! A machine without cargo and network needs three things of another one, and its own driver with the loader (libvulkan.so.1 on Linux):
//!
//!     cargo build --release --package ropescope-bench
//!     target/release/ropescope-bench make-model target/bench/random-6x384
//!     target/release/ropescope-bench make-decoder target/bench/random-135m
//!
//! There, with the program, both folders (the program makes them there, too, the same bytes) and models/roformer-english:
//!
//!     ./ropescope-bench gpu models/roformer-english target/bench/random-6x384 target/bench/random-135m gpu.json
//!     python benches/pytorch.py gpu.json models/roformer-english target/bench/random-6x384 target/bench/random-135m --json pytorch.json

mod decode;
mod kernels;
mod peaks;
mod report;
mod sweep;
mod taps;
mod work;

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::Context as _;
use pollster::block_on;
use ropescope::model::Architecture;
use ropescope::runtime::{BackendChoice, ContextOptions, Device, LoadOptions, Model};
use ropescope::weights::Header;

use crate::formats::Lengths;
use kernels::Times;
use peaks::Peaks;
use report::{Report, Table};

/// The folders of the models, and the file that is written.
pub struct Places<'a> {
    pub demo: &'a Path,
    pub encoder: &'a Path,
    pub decoder: &'a Path,
    pub json: &'a Path,
}

/// How much is measured.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Runs that are foreseen to take more milliseconds are left out of the sweep.
    run_ms: f64,
    /// Runs of one row go on for so many milliseconds, within these counts.
    row_ms: f64,
    least_runs: usize,
    most_runs: usize,
    /// Bytes that are streamed from one buffer to another.
    streamed: u64,
    /// A peak is of passes that take so many milliseconds.
    peak_ms: f64,
    /// Tokens and batch of the sweep at most.
    longest: usize,
    batch: usize,
    /// Tokens of the runs that are taken apart by kernel, and of those with taps.
    lengths: Vec<usize>,
    decode: Lengths,
}

impl Limits {
    fn hardware() -> Self {
        Self {
            run_ms: 2000.0,
            row_ms: 600.0,
            least_runs: 5,
            most_runs: 31,
            streamed: 256 << 20,
            peak_ms: 20.0,
            longest: 4096,
            batch: 32,
            lengths: vec![16, 128, 512],
            decode: Lengths { prompt: 128, tokens: 64, turns: 5 },
        }
    }

    /// A processor that does a GPU's work takes a hundred times as long.
    fn software() -> Self {
        Self {
            run_ms: 500.0,
            row_ms: 300.0,
            least_runs: 3,
            streamed: 128 << 20,
            lengths: vec![16, 128],
            decode: Lengths { prompt: 16, tokens: 4, turns: 1 },
            ..Self::hardware()
        }
    }

    /// With the options of the command line.
    fn with(mut self, options: &[(String, usize)]) -> anyhow::Result<Self> {
        for (name, number) in options {
            match name.as_str() {
                "run-ms" => self.run_ms = *number as f64,
                "row-ms" => self.row_ms = *number as f64,
                "peak-ms" => self.peak_ms = *number as f64,
                "streamed-mib" => self.streamed = (*number as u64) << 20,
                "longest" => self.longest = *number,
                "batch" => self.batch = *number,
                "prompt" => self.decode.prompt = *number,
                "tokens" => self.decode.tokens = *number,
                "turns" => self.decode.turns = *number,
                _ => anyhow::bail!("--{name} is no limit of the GPU's measurement"),
            }
        }
        self.lengths.retain(|length| *length <= self.longest);
        let counts = [
            self.longest / 16,
            self.batch,
            self.lengths.len(),
            self.decode.prompt,
            self.decode.tokens,
            self.decode.turns,
        ];
        anyhow::ensure!(
            !counts.contains(&0),
            "a limit leaves nothing to be measured: 16 tokens, and one of all else, are the least"
        );
        Ok(self)
    }

    /// Milliseconds of run after run.
    fn times(&self, mut run: impl FnMut() -> anyhow::Result<f64>) -> anyhow::Result<Vec<f64>> {
        let begin = Instant::now();
        let mut times = Vec::new();
        while times.len() < self.least_runs
            || (times.len() < self.most_runs && begin.elapsed().as_secs_f64() * 1e3 < self.row_ms)
        {
            times.push(run()?);
        }
        Ok(times)
    }
}

/// A model's files.
pub struct Source {
    name: String,
    config: String,
    bytes: Vec<u8>,
}

impl Source {
    fn read(folder: &Path) -> anyhow::Result<Self> {
        let read = |file: &str| {
            fs::read(folder.join(file)).with_context(|| format!("cannot read {file} in {}", folder.display()))
        };
        let name = folder.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        Ok(Self { name, config: String::from_utf8(read("config.json")?)?, bytes: read("model.safetensors")? })
    }

    fn architecture(&self) -> anyhow::Result<Architecture> {
        let header = Header::parse(&self.bytes, Some(self.bytes.len() as u64))?;
        Ok(Architecture::read(&self.config, Some(&header))?)
    }

    fn model(&self, device: &Device) -> anyhow::Result<Model> {
        Ok(block_on(Model::load(device, &self.config, &self.bytes, LoadOptions::default()))?)
    }
}

/// Buffers of exactly the size that a run needs.
const EXACT: ContextOptions = ContextOptions { keep_heads: false, exact: true, f16_cache: false };

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Prints all tables in Markdown and writes them as JSON.
///
/// # Errors
/// No Vulkan, Metal or DirectX 12 adapter; models that cannot be read or run; a file that cannot be written.
pub fn run(places: &Places<'_>, options: &[(String, usize)]) -> anyhow::Result<()> {
    let device = block_on(Device::open(BackendChoice::Gpu))
        .context("there is no GPU to be measured: a Vulkan, Metal or DirectX 12 driver is needed")?;
    let Device::Gpu(opened) = &device else { anyhow::bail!("the GPU's backend opened no GPU") };
    let gpu = &opened.gpu;
    let is_software = gpu.information().device_type == wgpu::DeviceType::Cpu;
    let limits = if is_software { Limits::software() } else { Limits::hardware() }.with(options)?;
    let mut report = Report::new(gpu, places.json)?;
    println!("{}", report.headline());
    if is_software {
        println!("\nThis is a software adapter: its times say nothing of a GPU. Sizes are smaller for it.");
    }

    let (peaks, table) = peaks::measure(gpu, &limits)?;
    report.add(&table)?;
    let mut by_kernel = ByKernel { peaks, kernels: kernels::table(), overhead: kernels::overhead() };
    let mut taps = taps::table();
    for folder in [places.demo, places.encoder] {
        let source = Source::read(folder)?;
        let model = source.model(&device)?;
        let context = model.context(EXACT);
        for &length in &limits.lengths {
            let request = sweep::request(1, length, model.facts().vocab_size);
            let times = kernels::take(&context, &limits, &request);
            by_kernel.add(&format!("{}, {length} tokens", source.name), times);
            taps.rows.push(taps::row(&source.name, &model, length, &limits)?);
        }
    }
    let mut decode = decode::table(&limits);
    match decode::measure(&mut decode, places.decoder, &device, peaks, &limits) {
        Ok(steps) => steps.into_iter().for_each(|(name, times)| by_kernel.add(&name, times)),
        // What the encoders came to is worth being told.
        Err(error) => decode.notes.push(format!("Left out, what is missing here: {error:#}.")),
    }
    report.add(&by_kernel.kernels)?;
    report.add(&by_kernel.overhead)?;
    report.add(&decode)?;
    report.add(&taps)?;
    let mut sweep = sweep::table();
    for folder in [places.demo, places.encoder] {
        sweep::measure(&mut sweep, folder, &device, &limits)?;
    }
    report.add(&sweep)
}

/// Both tables that are made of runs which are taken apart.
struct ByKernel {
    peaks: Peaks,
    kernels: Table,
    overhead: Table,
}

impl ByKernel {
    fn add(&mut self, name: &str, times: anyhow::Result<Times>) {
        match times {
            Ok(times) => {
                self.kernels.rows.extend(kernels::rows(name, &times, self.peaks));
                self.overhead.rows.push(kernels::overhead_row(name, &times));
            }
            Err(error) => self.kernels.notes.push(format!("Left out: {name}: {error:#}.")),
        }
    }
}
