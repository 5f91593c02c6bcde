//! What the adapter can do at most, by kernels of the benchmark's own: bytes streamed through memory, multiply-adds in registers, and how
//! long the smallest dispatch takes.

use std::time::Instant;

use anyhow::Context;
use ropescope::backend::gpu::Gpu;
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use super::report::{Cell, Table};
use super::{Limits, median};
use crate::measure::milliseconds;

/// The most that was reached.
#[derive(Debug, Clone, Copy)]
pub struct Peaks {
    /// Read and written bytes a second.
    pub bytes: f64,
    /// f32 additions and multiplications a second.
    pub operations: f64,
}

/// Invocations of a workgroup in both shaders, and fours that each of `streaming.wgsl` moves.
const WIDTH: u64 = 256;
const PARTS: u64 = 4;

/// Operations of a round of `multiply_add.wgsl`: eight sums of four numbers, a multiplication and an addition each.
const OPERATIONS: f64 = 64.0;

/// Workgroups of it.
const WORKGROUPS: u64 = 8192;

/// Dispatches of the longer chain.
const CHAIN: usize = 1024;

/// A pass is repeated so often. The best counts as a peak, and the median of a chain. Peaks are of passes so long that what a submit takes
/// is nothing beside them.
const REPEATS: usize = 7;

/// A kernel with its bind group.
struct Kernel<'a> {
    gpu: &'a Gpu,
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
}

/// Bandwidth and arithmetic of this adapter, and the time of dispatches that do nothing: a row each.
///
/// # Errors
/// No memory for the buffers; a lost device.
pub fn measure(gpu: &Gpu, limits: &Limits) -> anyhow::Result<(Peaks, Table)> {
    let mut table = Table::new(
        "peaks",
        "What the adapter reaches with the benchmark's own kernels",
        &["what", "a pass ms", "reached", "unit"],
    );
    let most = gpu.device().limits().max_storage_buffer_binding_size.min(gpu.device().limits().max_buffer_size);
    let size = limits.streamed.min(most) / (16 * WIDTH * PARTS) * (16 * WIDTH * PARTS);
    let streaming =
        Kernel::new(gpu, include_str!("../../shaders/streaming.wgsl"), &storage(gpu, size), &storage(gpu, size));
    let (workgroups, mut times) = (size / (16 * WIDTH * PARTS), 1);
    while streaming.pass(workgroups, times)? < limits.peak_ms {
        times *= 2;
    }
    let time = streaming.best(workgroups, times)?;
    let bytes = 2.0 * (size * times as u64) as f64 / time * 1e3;
    let what = format!("{:.0} MB read and as many written, {times} times", size as f64 / 1e6);
    table.rows.push(vec![Cell::Text(what), Cell::Number(time, 3), Cell::Number(bytes / 1e9, 1), "GB/s".into()]);
    drop(streaming);

    let (rounds, time) = arithmetic(gpu, limits)?;
    let invocations = (WORKGROUPS * WIDTH) as f64;
    let operations = OPERATIONS * f64::from(rounds) * invocations / time * 1e3;
    let what = format!("{rounds} rounds of multiply-adds in f32, {invocations} invocations");
    table.rows.push(vec![Cell::Text(what), Cell::Number(time, 3), Cell::Number(operations / 1e9, 1), "GFLOP/s".into()]);

    for (what, time) in chains(gpu)? {
        table.rows.push(vec![what.into(), Cell::Number(time, 3), Cell::Empty, Cell::Empty]);
    }
    let [.., one, chain] = table.rows.as_slice() else { anyhow::bail!("two chains") };
    if let (Cell::Number(one, _), Cell::Number(chain, _)) = (&one[1], &chain[1]) {
        let each = (chain - one) / (CHAIN - 1) as f64 * 1e3;
        let row = vec!["each of them, beyond the first".into(), Cell::Empty, Cell::Number(each, 2), "µs".into()];
        table.rows.push(row);
    }
    Ok((Peaks { bytes, operations }, table))
}

/// Rounds that last long enough to be measured, and milliseconds of a pass with them.
fn arithmetic(gpu: &Gpu, limits: &Limits) -> anyhow::Result<(u32, f64)> {
    let mut rounds: u32 = 16;
    loop {
        let numbers = [rounds, 0.999_f32.to_bits(), 0.001_f32.to_bits()];
        let source = gpu.device().create_buffer_init(&BufferInitDescriptor {
            label: None,
            contents: &numbers.map(u32::to_le_bytes).concat(),
            usage: wgpu::BufferUsages::STORAGE,
        });
        let shader = include_str!("../../shaders/multiply_add.wgsl");
        let kernel = Kernel::new(gpu, shader, &source, &storage(gpu, 16 * WORKGROUPS * WIDTH));
        if kernel.pass(WORKGROUPS, 1)? >= limits.peak_ms {
            return Ok((rounds, kernel.best(WORKGROUPS, 1)?));
        }
        rounds = rounds.checked_mul(2).context("multiply-adds take no time on this adapter")?;
    }
}

/// From a submit to its end, medians: of one dispatch, and of many that wait for one another.
fn chains(gpu: &Gpu) -> anyhow::Result<[(&'static str, f64); 2]> {
    let kernel = Kernel::new(gpu, include_str!("../../shaders/chain.wgsl"), &storage(gpu, 16), &storage(gpu, 16));
    let measured = |count: usize| -> anyhow::Result<f64> {
        kernel.pass(1, count)?;
        let times = (0..REPEATS).map(|_| kernel.pass(1, count)).collect::<anyhow::Result<Vec<_>>>()?;
        Ok(median(times))
    };
    Ok([
        ("one dispatch that adds to a number, submitted and waited for", measured(1)?),
        ("1,024 of them, one after the other", measured(CHAIN)?),
    ])
}

fn storage(gpu: &Gpu, size: u64) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::STORAGE;
    gpu.device().create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
}

impl<'a> Kernel<'a> {
    fn new(gpu: &'a Gpu, source: &str, x: &wgpu::Buffer, y: &wgpu::Buffer) -> Self {
        let device = gpu.device();
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let entries = [x, y].into_iter().zip(0..);
        let entries: Vec<_> = entries
            .map(|(buffer, binding)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let layout = &pipeline.get_bind_group_layout(0);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries });
        Self { gpu, pipeline, group }
    }

    /// The least of several passes, in milliseconds, behind one that warms up.
    fn best(&self, workgroups: u64, count: usize) -> anyhow::Result<f64> {
        self.pass(workgroups, count)?;
        let times = (0..REPEATS).map(|_| self.pass(workgroups, count)).collect::<anyhow::Result<Vec<_>>>()?;
        times.into_iter().reduce(f64::min).context("no pass")
    }

    /// So many dispatches of so many workgroups in one pass: milliseconds from the submit to its end.
    fn pass(&self, workgroups: u64, count: usize) -> anyhow::Result<f64> {
        let mut encoder = self.gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.group, &[]);
            let across = workgroups.min(32_768) as u32;
            for _ in 0..count {
                pass.dispatch_workgroups(across, workgroups.div_ceil(u64::from(across)) as u32, 1);
            }
        }
        let commands = encoder.finish();
        let start = Instant::now();
        let submission = self.gpu.queue().submit([commands]);
        let wait = wgpu::PollType::Wait { submission_index: Some(submission), timeout: None };
        self.gpu.device().poll(wait)?;
        let time = milliseconds(start);
        self.gpu.check_alive()?;
        Ok(time)
    }
}
