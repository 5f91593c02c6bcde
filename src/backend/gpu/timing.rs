//! Times of the dispatches of a submit, where they are asked for: each is a pass of its own then, between two timestamps. Runs that nobody
//! times are one pass, as without this.

use super::Gpu;
use crate::error::Error;
use crate::kernels::Format;
use crate::plan::{Kernel, Launch, Op, Plan, Shape, Sizes, Use};
use std::ops::Range;
use std::sync::{MutexGuard, PoisonError};

/// What one dispatch was of.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispatch {
    /// [`Op::name`]
    pub op: &'static str,
    pub uses: Vec<Use>,
    pub kernel: Kernel,
    /// Rows of the weight that it takes in parts; empty where there is none.
    pub rows: Range<usize>,
    pub launch: Launch,
}

/// A submit's dispatches, each with its nanoseconds on the device, and what tells how large their operands are.
#[derive(Debug, Clone, Default)]
pub struct Timed {
    pub dispatches: Vec<(Dispatch, f64)>,
    /// Of the plan's values, by their index.
    pub shapes: Vec<Shape>,
    /// How weights are kept, by their index; f32 where there is no entry.
    pub formats: Vec<Format>,
    pub sizes: Sizes,
}

/// Where timestamps are written, and what the last submit was.
pub struct Timer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    timed: Timed,
}

impl Dispatch {
    pub fn of(op: &dyn Op, rows: Range<usize>, launch: Launch) -> Self {
        Self { op: op.name(), uses: op.uses(), kernel: op.kernel(), rows, launch }
    }
}

impl Gpu {
    /// The adapter that it is.
    pub fn information(&self) -> wgpu::AdapterInfo {
        self.adapter.get_info()
    }

    /// Times all submits of plans until [`Gpu::times`]; the last one counts.
    ///
    /// # Errors
    /// [`Error::Gpu`] where the adapter has no timestamps.
    pub fn time(&self) -> Result<(), Error> {
        if !self.device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return Err(Error::Gpu { reason: "this adapter has no timestamps".into() });
        }
        let queries = self.device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("times"),
            ty: wgpu::QueryType::Timestamp,
            count: wgpu::QUERY_SET_MAX_QUERIES,
        });
        let usage = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
        let resolved = self.buffer("times", 8 * u64::from(wgpu::QUERY_SET_MAX_QUERIES), usage);
        *self.timer.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Timer { queries, resolved, timed: Timed::default() });
        Ok(())
    }

    /// The times of the last submit, once it has run; no later one is timed.
    ///
    /// # Errors
    /// [`Error::Gpu`] where nothing was to be timed; [`Error::DeviceLost`].
    pub async fn times(&self) -> Result<Timed, Error> {
        let timer = self.timer.lock().unwrap_or_else(PoisonError::into_inner).take();
        let nothing = || Error::Gpu { reason: "nothing was to be timed".into() };
        let Timer { resolved, mut timed, .. } = timer.ok_or_else(nothing)?;
        // Two timestamps a dispatch, of two words each.
        let words = self.read(&resolved, 4 * timed.dispatches.len()).await?;
        let ticks: Vec<u64> = words
            .chunks_exact(2)
            .map(|words| u64::from(words[0].to_bits()) | u64::from(words[1].to_bits()) << 32)
            .collect();
        let period = f64::from(self.queue.get_timestamp_period());
        for ((_, nanoseconds), ticks) in timed.dispatches.iter_mut().zip(ticks.chunks_exact(2)) {
            *nanoseconds = ticks[1].saturating_sub(ticks[0]) as f64 * period;
        }
        resolved.destroy();
        Ok(timed)
    }

    /// What times the submit that is encoded next, of a plan at these sizes.
    pub(super) fn timer(&self, plan: &Plan, sizes: Sizes) -> MutexGuard<'_, Option<Timer>> {
        let mut timer = self.timer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(timer) = &mut *timer {
            let (shapes, formats) = (plan.shapes.clone(), plan.formats.to_vec());
            timer.timed = Timed { dispatches: Vec::new(), shapes, formats, sizes };
        }
        timer
    }
}

impl Timer {
    /// A pass for one dispatch.
    ///
    /// # Errors
    /// [`Error::Gpu`] beyond 2,048 of them.
    pub(super) fn pass(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        dispatch: Dispatch,
    ) -> Result<wgpu::ComputePass<'static>, Error> {
        let first = 2 * self.timed.dispatches.len() as u32;
        if first + 2 > wgpu::QUERY_SET_MAX_QUERIES {
            return Err(Error::Gpu { reason: "more dispatches than can be timed in one submit".into() });
        }
        self.timed.dispatches.push((dispatch, 0.0));
        let descriptor = wgpu::ComputePassDescriptor {
            label: None,
            timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
                query_set: &self.queries,
                beginning_of_pass_write_index: Some(first),
                end_of_pass_write_index: Some(first + 1),
            }),
        };
        Ok(encoder.begin_compute_pass(&descriptor).forget_lifetime())
    }

    /// Puts the timestamps where they can be read.
    pub(super) fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        let count = 2 * self.timed.dispatches.len() as u32;
        if count > 0 {
            encoder.resolve_query_set(&self.queries, 0..count, &self.resolved, 0);
        }
    }
}
