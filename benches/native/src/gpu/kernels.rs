//! A run's time by kernel: timestamps of its dispatches, summed by op, form and sizes, beside what the adapter reaches at most.

use std::time::Instant;

use anyhow::ensure;
use pollster::block_on;
use ropescope::backend::NeverCancelled;
use ropescope::backend::gpu::{Dispatch, SubmitTimes};
use ropescope::plan::Operand;
use ropescope::runtime::{Context, Output, Request};

use super::peaks::Peaks;
use super::report::{Cell, Table};
use super::work::{Extents, Work};
use super::{Limits, median};
use crate::measure::milliseconds;

/// Times of one kind of run.
pub struct Times {
    /// Of a run as usual, in one pass and by the clock: median milliseconds.
    pub run: f64,
    pub dispatches: usize,
    pub kernels: Vec<Sum>,
}

/// What the dispatches of one kernel with the same sizes come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Sum {
    pub kernel: String,
    pub count: usize,
    pub nanoseconds: f64,
    /// None where it is not known.
    pub work: Option<Work>,
}

impl Times {
    /// Milliseconds that the kernels take by their timestamps.
    pub fn by_kernels(&self) -> f64 {
        self.kernels.iter().map(|sum| sum.nanoseconds).sum::<f64>() / 1e6
    }
}

/// Runs a request as usual and timed, in turn. One that continues a text computes its last token.
///
/// # Errors
/// An adapter without timestamps; other dispatches in a timed run than in a usual one; what runs meet.
pub fn take(context: &Context, limits: &Limits, request: &Request) -> anyhow::Result<Times> {
    let run = || block_on(context.run(request, &NeverCancelled)).map(|(output, _)| output.report);
    // The first lays out, the second is the usual one.
    run()?;
    let dispatches = run()?.dispatches;
    let (mut runs, mut timed) = (Vec::new(), Vec::new());
    limits.times(|| {
        let start = Instant::now();
        run()?;
        runs.push(milliseconds(start));
        timed.push(timed_run(context, request)?.1);
        Ok(milliseconds(start))
    })?;
    ensure!(timed.iter().all(|timed| timed.dispatches.len() == dispatches), "a timed run has other dispatches");
    Ok(Times { run: median(runs), dispatches, kernels: sums(&timed) })
}

/// A run whose dispatches are timed, and its output.
///
/// # Errors
/// As for [`take`].
pub fn timed_run(context: &Context, request: &Request) -> anyhow::Result<(Output, SubmitTimes)> {
    let gpu = context.model().gpu().ok_or_else(|| anyhow::anyhow!("a model on the CPU has no dispatches"))?;
    gpu.time()?;
    let (output, _) = block_on(context.run(request, &NeverCancelled))?;
    Ok((output, block_on(gpu.times())?))
}

/// By kernel and sizes, those that take longest first. Of each dispatch the median of all runs counts.
fn sums(runs: &[SubmitTimes]) -> Vec<Sum> {
    let Some(first) = runs.first() else { return Vec::new() };
    let extents = Extents { shapes: &first.shapes, formats: &first.formats, sizes: first.sizes };
    let mut sums: Vec<Sum> = Vec::new();
    for (at, (dispatch, _)) in first.dispatches.iter().enumerate() {
        let times = runs.iter().filter_map(|run| run.dispatches.get(at)).map(|(_, nanoseconds)| *nanoseconds);
        let (nanoseconds, work) = (median(times.collect()), extents.work(dispatch));
        let kernel = named(dispatch, &extents);
        match sums.iter_mut().find(|sum| sum.kernel == kernel) {
            Some(sum) => {
                sum.count += 1;
                sum.nanoseconds += nanoseconds;
                sum.work = sum.work.zip(work).map(|(sum, work)| sum + work);
            }
            None => sums.push(Sum { kernel, count: 1, nanoseconds, work }),
        }
    }
    sums.sort_by(|a, b| b.nanoseconds.total_cmp(&a.nanoseconds));
    sums
}

/// Its op; a product's form and its rows, inner axis and columns, too.
fn named(dispatch: &Dispatch, extents: &Extents<'_>) -> String {
    let operands: Vec<Operand> = dispatch.uses.iter().take(2).map(|used| used.operand).collect();
    let [Operand::Value(x), Operand::Weight(weight)] = operands[..] else { return dispatch.op.into() };
    if !matches!(dispatch.op, "gemm" | "gemm/gemv") {
        return dispatch.op.into();
    }
    let rows = extents.shapes[x.index()].matrix_rows(extents.sizes);
    let tile = dispatch.kernel.constants.iter().find(|(name, _)| *name == "TILE");
    let form = tile.map_or("by rows".into(), |(_, tile)| format!("tiles of {tile}"));
    format!("gemm {rows} × {} × {}, {form}", weight.columns, dispatch.rows.len())
}

/// A row for each kernel of a run, and one for all of them.
pub fn rows(of: &str, times: &Times, peaks: Peaks) -> Vec<Vec<Cell>> {
    let all = Sum {
        kernel: "all".into(),
        count: times.dispatches,
        nanoseconds: 1e6 * times.by_kernels(),
        work: times.kernels.iter().map(|sum| sum.work).try_fold(Work::default(), |all, work| Some(all + work?)),
    };
    let row = |sum: &Sum| {
        let seconds = sum.nanoseconds / 1e9;
        let speed = |of: fn(Work) -> u64, peak: f64| match sum.work.map(of) {
            Some(done) if done > 0 && seconds > 0.0 => {
                let speed = done as f64 / seconds;
                [Cell::Number(speed / 1e9, 1), Cell::share(speed, peak)]
            }
            _ => [Cell::Empty, Cell::Empty],
        };
        let mut cells = vec![
            of.into(),
            sum.kernel.as_str().into(),
            Cell::count(sum.count),
            Cell::Number(sum.nanoseconds / 1e3, 1),
            Cell::share(sum.nanoseconds, all.nanoseconds),
        ];
        cells.extend(speed(|work| work.operations, peaks.operations));
        cells.extend(speed(|work| work.bytes, peaks.bytes));
        cells
    };
    times.kernels.iter().chain([&all]).map(row).collect()
}

/// Under which rows of all kinds of runs stand.
pub fn table() -> Table {
    let columns =
        &["run", "kernel", "dispatches", "µs", "% of the run", "GFLOP/s", "% of its peak", "GB/s", "% of that peak"];
    let mut table =
        Table::new("kernels", "A run by kernel: timestamps on the device, each dispatch in a pass of its own", columns);
    table.notes.push(
        "Operations and bytes are those of the formula, each number moved once: what a kernel reads again counts once, and what lies in a cache may pass the peak.".into(),
    );
    table
}

/// Under which whole runs stand beside the sums of their kernels.
pub fn overhead() -> Table {
    let columns = &["run", "dispatches", "whole ms", "kernels ms", "difference ms", "µs a dispatch"];
    Table::new("overhead", "Whole runs, by the clock and in one pass, less the sum of their kernels", columns)
}

/// What a run takes beside its kernels.
pub fn overhead_row(of: &str, times: &Times) -> Vec<Cell> {
    let difference = times.run - times.by_kernels();
    vec![
        of.into(),
        Cell::count(times.dispatches),
        Cell::Number(times.run, 3),
        Cell::Number(times.by_kernels(), 3),
        Cell::Number(difference, 3),
        Cell::Number(1e3 * difference / times.dispatches.max(1) as f64, 2),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use ropescope::backend::gpu::SubmitTimes;
    use ropescope::plan::{Kernel, Launch, Member, ParameterType, Sizes, Use};
    use ropescope::runtime::{BackendChoice, ContextOptions, Device, LoadOptions, Model};
    use std::fs;

    fn dispatch(op: &'static str) -> Dispatch {
        let kernel = Kernel::new(op);
        const ELEMENTS: Member = Member { name: "elements", offset: 0, parameter_type: ParameterType::U32 };
        let of = ParameterType::Struct { members: &[ELEMENTS], size: 4 };
        let launch = Launch { parameter_type: of, ..Launch::new(1, 6_u32) };
        Dispatch { op, uses: Vec::<Use>::new(), kernel, rows: 0..0, launch }
    }

    #[test]
    fn times_are_summed_by_kernel() {
        let run = |[first, other, second]: [f64; 3]| SubmitTimes {
            dispatches: vec![
                (dispatch("copy_rows"), first),
                (dispatch("in_place_rotation"), other),
                (dispatch("copy_rows"), second),
            ],
            sizes: Sizes::new(1, 1, 1),
            ..SubmitTimes::default()
        };
        // Medians are 20 and 40 of the copies, 50 of the other: one slow run changes nothing.
        let sums = sums(&[run([10.0, 50.0, 40.0]), run([20.0, 9000.0, 30.0]), run([9000.0, 40.0, 9000.0])]);
        let copies = Sum {
            kernel: "copy_rows".into(),
            count: 2,
            nanoseconds: 60.0,
            work: Some(Work { operations: 0, bytes: 96 }),
        };
        let other = Sum { kernel: "in_place_rotation".into(), count: 1, nanoseconds: 50.0, work: None };
        assert_eq!(sums, [copies, other]);
        let times = Times { run: 1.0, dispatches: 3, kernels: sums };
        let peaks = Peaks { bytes: 3.2e9, operations: 1e9 };
        let rows = rows("a run", &times, peaks);
        let printed = |row: &[Cell]| row.iter().map(Cell::markdown).collect::<Vec<_>>();
        // 96 bytes in 60 ns are 1.6 GB/s.
        assert_eq!(printed(&rows[0][2..]), ["2", "0.1", "54.5", "", "", "1.6", "50.0"]);
        assert_eq!(printed(&rows[1][2..]), ["1", "0.1", "45.5", "", "", "", ""]);
        assert_eq!(printed(&rows[2][1..]), ["all", "3", "0.1", "100.0", "", "", "", ""]);
        assert_eq!(printed(&overhead_row("a run", &times)[1..]), ["3", "1.000", "0.000", "1.000", "333.30"]);
    }

    fn context(device: &Device, model: crate::random_model::RandomModel, name: &str) -> Context {
        let folder = std::env::temp_dir().join(format!("ropescope-bench-{}-{name}", std::process::id()));
        model.write(&folder).unwrap();
        let config = fs::read_to_string(folder.join("config.json")).unwrap();
        let bytes = fs::read(folder.join("model.safetensors")).unwrap();
        fs::remove_dir_all(folder).unwrap();
        let model = block_on(Model::load(device, &config, &bytes, LoadOptions::default())).unwrap();
        model.context(ContextOptions::default())
    }

    #[test]
    fn a_timed_run_computes_the_same_and_has_a_time_for_every_dispatch() {
        use crate::random_model::{Sizes, llama, roformer};
        let device = block_on(Device::open(BackendChoice::Gpu)).expect("a Vulkan adapter");
        let Device::Gpu(opened) = &device else { panic!("a GPU") };
        assert!(opened.gpu.device().features().contains(wgpu::Features::TIMESTAMP_QUERY), "no timestamps");
        assert!(block_on(opened.gpu.times()).is_err(), "nothing was to be timed");
        let sizes = Sizes { layers: 2, hidden: 24, heads: 3, key_heads: 3, intermediate: 40, vocabulary: 50 };
        let encoder = context(&device, roformer::model(sizes), "timed-encoder");
        let decoder = context(&device, llama::model(Sizes { key_heads: 1, ..sizes }), "timed-decoder");
        for (context, continues) in [(encoder, false), (decoder, true)] {
            let ids = crate::measure::ids(1, 9, 50);
            let request = Request { continues, ..Request::new(ids, 1, 9) };
            let run = || block_on(context.run(&request, &NeverCancelled)).unwrap().0;
            let [_, _, usual] = [(); 3].map(|()| run());
            let (output, timed) = timed_run(&context, &request).unwrap();
            assert_eq!((&output.result, &output.taps), (&usual.result, &usual.taps));
            assert_eq!(output.report, usual.report);
            assert_eq!(timed.dispatches.len(), usual.report.dispatches);
            assert!(timed.dispatches.iter().all(|(_, nanoseconds)| *nanoseconds > 0.0), "{:?}", timed.dispatches);
            let extents = Extents { shapes: &timed.shapes, formats: &timed.formats, sizes: timed.sizes };
            assert!(timed.dispatches.iter().all(|(dispatch, _)| extents.work(dispatch).is_some()));
            // The next run is as usual again.
            assert_eq!(run().report.created, 0);
            assert!(block_on(opened.gpu.times()).is_err(), "it was timed, too");
        }
    }
}
