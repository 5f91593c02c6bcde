//! Time and memory of attention against the length: softmax, softmax with one head's map made, and linear.

use std::time::Instant;

use anyhow::Context;
use pollster::block_on;
use ropescope::backend::NeverCancelled;
use ropescope::runtime::{BackendChoice, Device};
use ropescope::trial::{Trial, TrialKind};

use crate::fit::exponent_at_the_end;
use crate::measure::milliseconds;

const LENGTHS: [usize; 11] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384];

/// A kind is left alone once a run takes longer.
const MOST_MILLISECONDS: f64 = 5000.0;

/// Of the four heads.
const HEAD_SIZE: usize = 64;

/// Runs that the median is taken of.
const RUNS: usize = 3;

/// Prints a table of all lengths for `gpu` or `cpu`, in Markdown, with the exponents of the time that fit the longer half of each.
///
/// # Errors
/// An unknown backend; a device that cannot be opened, or fails.
pub fn run(backend: &str) -> anyhow::Result<()> {
    let choice = match backend {
        "gpu" => BackendChoice::Gpu,
        "cpu" => BackendChoice::Cpu,
        _ => anyhow::bail!("{backend:?} is no backend: gpu or cpu"),
    };
    let device = block_on(Device::open(choice))?;
    println!("| {} | tokens | median run ms | held MB |\n|---|---|---|---|", device.describe());
    for (name, kind) in
        [("softmax", TrialKind::Softmax), ("softmax with a map", TrialKind::Map), ("linear", TrialKind::Linear)]
    {
        let mut points = Vec::new();
        for length in LENGTHS {
            let mut trial = match block_on(Trial::new(&device, kind, length, HEAD_SIZE)) {
                Ok(trial) => trial,
                Err(error) => {
                    println!("| {name} | {length} | {error} | |");
                    break;
                }
            };
            let median = median(&mut trial)?;
            println!("| {name} | {length} | {median:.2} | {:.1} |", trial.bytes() as f64 / 1e6);
            points.push((length as f64, median));
            if median > MOST_MILLISECONDS {
                break;
            }
        }
        println!("| {name} | | time ∝ length^{:.2} | |", exponent_at_the_end(&points).context("too few lengths")?);
    }
    Ok(())
}

fn median(trial: &mut Trial) -> anyhow::Result<f64> {
    let mut times = Vec::new();
    // The first run compiles.
    block_on(trial.run(&NeverCancelled))?;
    for _ in 0..RUNS {
        let start = Instant::now();
        block_on(trial.run(&NeverCancelled))?;
        times.push(milliseconds(start));
    }
    times.sort_by(f64::total_cmp);
    Ok(times[RUNS / 2])
}
