//! Runs of an encoder over texts of growing length, for growing batches.

use std::path::Path;
use std::time::Instant;

use anyhow::anyhow;
use pollster::block_on;
use ropescope::backend::NeverCancelled;
use ropescope::model::Architecture;
use ropescope::plan::{Capacity, PlanOptions, Sizes};
use ropescope::runtime::{Context, Device, PredictionRows, Request};

use super::report::{Cell, Table};
use super::work::Extents;
use super::{EXACT, Limits, Source, median};
use crate::measure::{ids, milliseconds};

/// Tokens of the shortest text.
const SHORTEST: usize = 16;

/// So many of the likeliest tokens are read of each text's middle one.
pub const TOP: usize = 1;

/// Texts of so many tokens, whose middle ones are predicted.
pub fn request(batch: usize, length: usize, vocabulary: usize) -> Request {
    let mut request = Request::new(ids(1, batch * length, vocabulary), batch, length);
    request.rows = PredictionRows::At((0..batch).map(|row| (row * length + length / 2) as u32).collect());
    request.top_k = TOP;
    request.beyond_length = true;
    request
}

/// Additions and multiplications of a run.
fn operations(architecture: &Architecture, batch: usize, length: usize) -> anyhow::Result<f64> {
    let options =
        PlanOptions { gathers_rows: true, top_k: TOP, ..PlanOptions::new(Capacity::new(batch, length, batch)) };
    let plan = architecture.record(&options)?.plan;
    let work = Extents::of_plan(&plan, Sizes::new(batch, length, batch));
    Ok(work.map_err(|op| anyhow!("operations of {op} are not counted"))?.operations as f64)
}

/// Adds a row for each batch and length, powers of two, as long as runs do not take too long; a note says what is left out.
///
/// # Errors
/// When the model cannot be read or run.
pub fn measure(table: &mut Table, folder: &Path, device: &Device, limits: &Limits) -> anyhow::Result<()> {
    let source = Source::read(folder)?;
    let architecture = source.architecture()?;
    let facts = &architecture.facts;
    let name = source.name.clone();
    let context = source.model(device)?.context(EXACT);
    let longest = match facts.longest {
        Some(longest) if !facts.stretches => limits.longest.min(longest as usize),
        _ => limits.longest,
    };
    if longest < limits.longest {
        table.notes.push(format!("Left out: {name} beyond {longest} tokens: it is made for no more."));
    }
    let powers =
        |first, last| std::iter::successors(Some(first), |n: &usize| Some(2 * n)).take_while(move |n| *n <= last);
    // Least milliseconds and operations of the shortest texts of the batch before.
    let mut before: Option<(f64, f64)> = None;
    for batch in powers(1, limits.batch) {
        let mut shorter = None;
        for length in powers(SHORTEST, longest) {
            let operations = operations(&architecture, batch, length)?;
            // What a run takes beside its operations makes this rather too much than too little.
            let foreseen = shorter.or(before).map_or(0.0, |(time, fewer): (f64, f64)| time * operations / fewer);
            if foreseen > limits.run_ms {
                let larger = if shorter.is_none() { " and more" } else { "" };
                table.notes.push(format!(
                    "Left out: {name}, batch {batch}{larger} from {length} tokens on: a run would take some {foreseen:.0} ms, and the limit \
                     is {:.0}.",
                    limits.run_ms
                ));
                break;
            }
            let (times, top) = match point(&context, &request(batch, length, facts.vocab_size), limits) {
                Ok(measured) => measured,
                Err(error) => {
                    table.notes.push(format!("Left out: {name}, batch {batch} from {length} tokens on: {error:#}."));
                    break;
                }
            };
            let least = times.iter().copied().fold(f64::INFINITY, f64::min);
            let time = median(times);
            table.rows.push(vec![
                name.as_str().into(),
                Cell::count(batch),
                Cell::count(length),
                Cell::Number(time, 2),
                Cell::Number(least, 2),
                Cell::Number((batch * length) as f64 / time * 1e3, 0),
                Cell::Number(operations / time / 1e6, 1),
                Cell::Ids(top),
            ]);
            if shorter.is_none() {
                before = Some((least, operations));
            }
            shorter = Some((least, operations));
        }
        if shorter.is_none() {
            break;
        }
    }
    Ok(())
}

pub fn table() -> Table {
    let columns = &["model", "batch", "tokens", "median ms", "least ms", "tokens/s", "GFLOP/s", "likeliest tokens"];
    Table::new("sweep", "Runs against batch and length", columns)
}

/// Milliseconds of runs, and the likeliest token of each text's middle one.
fn point(context: &Context, request: &Request, limits: &Limits) -> anyhow::Result<(Vec<f64>, Vec<u32>)> {
    // The first lays out and compiles.
    let (first, _) = block_on(context.run(request, &NeverCancelled))?;
    let top = first.top.iter().filter_map(|fills| fills.first()).map(|fill| fill.id).collect();
    let times = limits.times(|| {
        let start = Instant::now();
        let report = block_on(context.run(request, &NeverCancelled))?.0.report;
        anyhow::ensure!(report.created == 0, "a later run created {} things", report.created);
        Ok(milliseconds(start))
    })?;
    Ok((times, top))
}
