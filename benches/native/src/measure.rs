//! Load, first run, median run and counts of a model, on the GPU and on the CPU.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::Instant;

use pollster::block_on;
use ropescope::backend::NeverCancelled;
use ropescope::model::Architecture;
use ropescope::plan::{Capacity, PlanOptions};
use ropescope::runtime::{
    BackendChoice, ContextOptions, Device, LoadOptions, Model, PredictionRows, Request, RunReport,
};
use ropescope::weights::Header;

/// Runs that the median is taken of: as many as fit this many seconds, within these bounds.
const SECONDS: f64 = 10.0;
const FEWEST: usize = 5;
const MOST: usize = 51;

/// Prints a table of all lengths on both backends, in Markdown.
///
/// # Errors
/// When the model cannot be read or run, or there is no Vulkan, Metal or DirectX 12 adapter.
pub fn run(folder: &Path, lengths: &[usize]) -> anyhow::Result<()> {
    println!(
        "| backend | tokens | load ms | first run ms | median run ms | least ms | runs | dispatches | pipelines | created at first | held MB | read back bytes |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for backend in [BackendChoice::Gpu, BackendChoice::Cpu] {
        for &length in lengths {
            println!("{}", measure(folder, length, backend)?);
        }
    }
    Ok(())
}

/// One row. The file is read before the clock starts: a load is from its bytes to a model that can run, on a device that it opens.
fn measure(folder: &Path, length: usize, backend: BackendChoice) -> anyhow::Result<String> {
    let config = fs::read_to_string(folder.join("config.json"))?;
    let bytes = fs::read(folder.join("model.safetensors"))?;
    let architecture = Architecture::read(&config, Some(&Header::parse(&bytes, Some(bytes.len() as u64))?))?;
    let request = request(length, architecture.facts.vocab_size);
    let pipelines = pipelines(&architecture, &request)?;

    let start = Instant::now();
    let device = block_on(Device::open(backend))?;
    let model = block_on(Model::load(&device, &config, &bytes, LoadOptions::default()))?;
    let load = milliseconds(start);
    let context = model.context(ContextOptions::default());
    let run = || block_on(context.run(&request, &NeverCancelled)).map(|(output, _)| output.report);
    let start = Instant::now();
    let first = run()?;
    let first_run = milliseconds(start);

    let mut runs = Vec::new();
    let mut last = RunReport::default();
    let begin = Instant::now();
    while runs.len() < FEWEST || (runs.len() < MOST && begin.elapsed().as_secs_f64() < SECONDS) {
        let start = Instant::now();
        last = run()?;
        runs.push(milliseconds(start));
    }
    runs.sort_by(f64::total_cmp);
    anyhow::ensure!(last.created == 0, "a later run created {} things", last.created);
    Ok(format!(
        "| {} | {length} | {load:.1} | {first_run:.1} | {:.2} | {:.2} | {} | {} | {} | {} | {:.1} | {} |",
        model.backend_name(),
        runs[runs.len() / 2],
        runs[0],
        runs.len(),
        last.dispatches,
        if backend == BackendChoice::Cpu { 0 } else { pipelines },
        first.created,
        last.bytes_allocated as f64 / 1e6,
        last.bytes_read_back,
    ))
}

/// How many pipelines the run's plan needs.
fn pipelines(architecture: &Architecture, request: &Request) -> anyhow::Result<usize> {
    let capacity = Capacity::new(1, request.length, 1);
    let options = PlanOptions { gathers_rows: true, top_k: request.top_k, ..PlanOptions::new(capacity) };
    let kernels = architecture.record(&options)?.plan.steps.into_iter().map(|op| op.kernel());
    let kernels: HashSet<String> = kernels.map(|kernel| format!("{kernel:?}")).collect();
    Ok(kernels.len())
}

/// Seeded ids, the same as in the browser.
pub fn ids(seed: u64, length: usize, vocabulary: usize) -> Vec<u32> {
    let mut state = seed;
    let next = |_| {
        state = state * 48_271 % 2_147_483_647;
        (state % vocabulary as u64) as u32
    };
    (0..length).map(next).collect()
}

/// The five likeliest tokens of the middle one.
fn request(length: usize, vocabulary: usize) -> Request {
    let mut request = Request::new(ids(1, length, vocabulary), 1, length);
    request.rows = PredictionRows::At(vec![length as u32 / 2]);
    request.top_k = 5;
    request
}

pub fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}
