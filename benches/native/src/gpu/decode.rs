//! Writing on with weights kept in several formats: tokens a second beside what streaming the weights alone would take.

use std::path::Path;

use anyhow::Context as _;
use pollster::block_on;
use ropescope::backend::NeverCancelled;
use ropescope::runtime::{Device, PredictionRows, Request};

use super::kernels::{Times, take};
use super::peaks::Peaks;
use super::report::{Cell, Table};
use super::{Limits, Source, median};
use crate::formats::{Contender, Lengths};
use crate::measure::ids;

const FORMATS: [&str; 3] = ["f16", "int8", "int4"];

/// The same with 16-bit floats in shaders, where the adapter has them.
const F16_FORMATS: [&str; 3] = ["f16/words", "f16/floats", "f16/f16-cache"];

/// The share of the measured bandwidth that decoding is to reach in per cent, where the weights take so many milliseconds to stream.
const GOAL: f64 = 60.0;
const GOAL_FROM: f64 = 10.0;

pub fn table(limits: &Limits) -> Table {
    let columns = &[
        "weights",
        "prefill tokens/s",
        "tokens/s",
        "ms a token",
        "MB of weights",
        "ms to stream them",
        "% of the bandwidth",
        "dispatches",
        "µs a dispatch",
        "goal",
        "prompt",
        "written",
    ];
    let title = format!("Decoding, greedily, behind a prompt of {} tokens", limits.decode.prompt);
    let mut table = Table::new("decode", title, columns);
    table.notes.push(format!(
        "{} tokens behind the first, medians of {} turns, formats in turn. Goal: {GOAL} % of the measured bandwidth where the weights take \
         {GOAL_FROM} ms or more to stream; else there is none, and microseconds a dispatch tell.",
        limits.decode.tokens, limits.decode.turns
    ));
    table
}

/// Adds a row a format. Returns what the kernels of a step take in each.
///
/// # Errors
/// When the model cannot be read or run.
pub fn measure(
    table: &mut Table,
    folder: &Path,
    device: &Device,
    peaks: Peaks,
    limits: &Limits,
) -> anyhow::Result<Vec<(String, anyhow::Result<Times>)>> {
    let Source { config, bytes, .. } = Source::read(folder)?;
    let load = |name: &&str| Contender::load(&config, &bytes, name, device);
    let has_f16 = matches!(device, Device::Gpu(device) if device.gpu.has_f16());
    let names = || FORMATS.into_iter().chain(F16_FORMATS.into_iter().filter(|_| has_f16));
    let mut contenders = names().map(|name| load(&name)).collect::<anyhow::Result<Vec<_>>>()?;
    for turn in 0..=limits.decode.turns {
        for contender in &mut contenders {
            contender.turn(turn, limits.decode)?;
        }
    }
    let mut steps = Vec::new();
    for (contender, name) in contenders.into_iter().zip(names()) {
        table.rows.push(row(&contender, peaks, limits.decode).with_context(|| format!("{name} wrote nothing"))?);
        steps.push((format!("one token, {name}"), step(&contender, limits)));
    }
    Ok(steps)
}

fn row(contender: &Contender, peaks: Peaks, Lengths { prompt, tokens, .. }: Lengths) -> Option<Vec<Cell>> {
    let each = median(contender.decodes.clone()) / tokens as f64;
    let bytes = contender.context.model().bytes() as f64;
    let streamed = bytes / peaks.bytes * 1e3;
    let reached = 100.0 * streamed / each;
    let goal = match () {
        () if streamed < GOAL_FROM => "none",
        () if reached >= GOAL => "met",
        () => "missed",
    };
    let (prompt_ids, written) = contender.text.split_at_checked(prompt)?;
    Some(vec![
        contender.name.as_str().into(),
        Cell::Number(prompt as f64 / median(contender.prefills.clone()) * 1e3, 1),
        Cell::Number(1e3 / each, 2),
        Cell::Number(each, 3),
        Cell::Number(bytes / 1e6, 1),
        Cell::Number(streamed, 3),
        Cell::Number(reached, 1),
        Cell::count(contender.dispatches),
        Cell::Number(1e3 * each / contender.dispatches.max(1) as f64, 2),
        goal.into(),
        Cell::Ids(prompt_ids.to_vec()),
        Cell::Ids(written.to_vec()),
    ])
}

/// The kernels of one token behind a prompt, the same one every time: what comes before it is in the cache.
fn step(contender: &Contender, limits: &Limits) -> anyhow::Result<Times> {
    let vocabulary = contender.context.model().facts().vocab_size;
    let request = |length: usize| Request {
        rows: PredictionRows::At(vec![length as u32 - 1]),
        top_k: 1,
        continues: true,
        ..Request::new(ids(1, length, vocabulary), 1, length)
    };
    block_on(contender.context.run(&request(limits.decode.prompt), &NeverCancelled))?;
    take(&contender.context, limits, &request(limits.decode.prompt + 1))
}
