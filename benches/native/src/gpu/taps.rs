//! What keeping and reading back costs: the same run with nothing kept, with what the page keeps, and with all taps.

use std::time::Instant;

use pollster::block_on;
use ropescope::backend::NeverCancelled;
use ropescope::runtime::{ContextOptions, HeadId, Model, Request, every_tap};

use super::report::{Cell, Table};
use super::sweep::request;
use super::{EXACT, Limits, median};
use crate::measure::milliseconds;

/// A run may take so much longer for what the page keeps.
const GOAL: f64 = 1.1;

pub fn table() -> Table {
    let columns = &[
        "model",
        "tokens",
        "nothing kept ms",
        "as the page ms",
        "all taps ms",
        "page / nothing",
        "all / nothing",
        "goal",
        "bytes read: nothing, page, all",
    ];
    let mut table = Table::new("taps", "What is kept beside a run's result", columns);
    table.notes.push(format!(
        "As the page: every head's queries, keys and statistics of its rows stay, and one head's map, queries and keys are read. All taps \
         are read back, every head's map among them, which are made layer by layer in submits of their own. Runs in turn, medians; goal: the \
         page's at most {GOAL} of the time with nothing kept.",
    ));
    table
}

/// A row for texts of this length.
///
/// # Errors
/// What runs meet.
pub fn row(name: &str, model: &Model, length: usize, limits: &Limits) -> anyhow::Result<Vec<Cell>> {
    let nothing = request(1, length, model.facts().vocab_size);
    let page = Request { selection: Some(HeadId::new(0, 0)), ..nothing.clone() };
    let all = Request { taps: every_tap(model.facts()), ..nothing.clone() };
    let heads = ContextOptions { keep_heads: true, ..EXACT };
    let runs =
        [(nothing, EXACT), (page, heads), (all, EXACT)].map(|(request, options)| (model.context(options), request));
    let mut read = [0; 3];
    for ((context, request), read) in runs.iter().zip(&mut read) {
        *read = block_on(context.run(request, &NeverCancelled))?.0.report.bytes_read_back;
    }
    let mut times = [(); 3].map(|()| Vec::new());
    limits.times(|| {
        let mut sum = 0.0;
        for ((context, request), times) in runs.iter().zip(&mut times) {
            let start = Instant::now();
            block_on(context.run(request, &NeverCancelled))?;
            times.push(milliseconds(start));
            sum += milliseconds(start);
        }
        Ok(sum)
    })?;
    let [nothing, page, all] = times.map(median);
    let mut cells = vec![name.into(), Cell::count(length)];
    cells.extend([nothing, page, all].map(|time| Cell::Number(time, 2)));
    cells.extend([page, all].map(|time| Cell::Number(time / nothing, 2)));
    cells.push(if page <= GOAL * nothing { "met".into() } else { "missed".into() });
    cells.push(Cell::Text(read.map(|bytes| bytes.to_string()).join(", ")));
    Ok(cells)
}
