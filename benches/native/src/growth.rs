//! Time and memory of whole runs of a RoFormer against its layers, its heads and the batch: one of them grows, the others stay. Against the
//! length it is `attention` that tells.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::Context as _;
use pollster::block_on;
use ropescope::backend::NeverCancelled;
use ropescope::runtime::{BackendChoice, ContextOptions, Device, LoadOptions, Model, PredictionRows, Request};

use crate::fit::exponent_at_the_end;
use crate::measure::{ids, milliseconds};
use crate::random_model::{Sizes, roformer};

/// Tokens of each text.
const LENGTH: usize = 128;
const HEAD_SIZE: usize = 64;
const VOCABULARY: usize = 1024;
/// Layers, heads and texts of what does not grow.
const STILL: [usize; 3] = [4, 4, 1];
const STEPS: [usize; 5] = [1, 2, 4, 8, 16];
/// Runs that the median is taken of.
const RUNS: usize = 5;

/// Prints a table for `gpu` or `cpu`, in Markdown, with the exponents that fit the larger half of each. Models are written into the folder.
///
/// # Errors
/// An unknown backend; a device that cannot be opened, or fails; a folder that cannot be written.
pub fn run(backend: &str, folder: &Path) -> anyhow::Result<()> {
    let choice = match backend {
        "gpu" => BackendChoice::Gpu,
        "cpu" => BackendChoice::Cpu,
        _ => anyhow::bail!("{backend:?} is no backend: gpu or cpu"),
    };
    println!("| {backend} | | median run ms | least ms | held MB |\n|---|---|---|---|---|");
    for (grows, name) in ["layers", "heads of 64", "texts in a batch"].into_iter().enumerate() {
        let (mut times, mut bytes) = (Vec::new(), Vec::new());
        for step in STEPS {
            let mut sizes = STILL;
            sizes[grows] = step;
            let Run { median, least, bytes_in_use } = measure(choice, sizes, folder)?;
            println!("| {name} | {step} | {median:.2} | {least:.2} | {:.1} |", bytes_in_use as f64 / 1e6);
            times.push((step as f64, median));
            bytes.push((step as f64, bytes_in_use as f64));
        }
        let fitted = |points: &[(f64, f64)]| exponent_at_the_end(points).context("too few steps");
        println!("| {name} | | ∝ n^{:.2} | | ∝ n^{:.2} |", fitted(&times)?, fitted(&bytes)?);
    }
    Ok(())
}

struct Run {
    /// Milliseconds.
    median: f64,
    least: f64,
    /// Bytes of weights and of all that runs need.
    bytes_in_use: u64,
}

fn measure(backend: BackendChoice, [layers, heads, batch]: [usize; 3], folder: &Path) -> anyhow::Result<Run> {
    let hidden = HEAD_SIZE * heads;
    let sizes = Sizes { layers, hidden, heads, key_heads: heads, intermediate: 4 * hidden, vocabulary: VOCABULARY };
    roformer::model(sizes).write(folder)?;
    let config = fs::read_to_string(folder.join("config.json"))?;
    let bytes = fs::read(folder.join("model.safetensors"))?;
    let device = block_on(Device::open(backend))?;
    let model = block_on(Model::load(&device, &config, &bytes, LoadOptions::default()))?;
    let context = model.context(ContextOptions::default());
    let mut request = Request::new(ids(1, batch * LENGTH, VOCABULARY), batch, LENGTH);
    request.rows = PredictionRows::At((0..batch * LENGTH).step_by(LENGTH).map(|row| row as u32).collect());
    request.top_k = 1;
    let run = || block_on(context.run(&request, &NeverCancelled)).map(|(output, _)| output.report.bytes_allocated);
    // The first makes the plan.
    let mut bytes_in_use = run()?;
    let mut runs = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        bytes_in_use = run()?;
        runs.push(milliseconds(start));
    }
    runs.sort_by(f64::total_cmp);
    Ok(Run { median: runs[RUNS / 2], least: runs[0], bytes_in_use })
}
