//! The time of each dispatch of a submit: a timed dispatch is a pass of its own, between two timestamps.

use crate::error::Error;
use crate::kernels::Format;
use crate::plan::{Kernel, Launch, Op, Shape, Sizes, Use};
use std::ops::Range;

/// A description of one dispatch.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispatch {
    /// [`Op::name`]
    pub op: &'static str,
    pub uses: Vec<Use>,
    pub kernel: Kernel,
    /// Rows of the weight that the op splits; empty for an op that splits none.
    pub rows: Range<usize>,
    pub launch: Launch,
}

/// The dispatches of a submit, each with its nanoseconds on the device, and the shapes and formats of their operands.
#[derive(Debug, Clone, Default)]
pub struct SubmitTimes {
    pub dispatches: Vec<(Dispatch, f64)>,
    /// Shapes of the plan's values, by their index.
    pub shapes: Vec<Shape>,
    /// Formats of the weights, by their index; f32 for a missing entry.
    pub formats: Vec<Format>,
    pub sizes: Sizes,
}

/// Timestamps of the last submit.
pub struct Timer {
    pub queries: wgpu::QuerySet,
    /// Two timestamps for each dispatch, u64 each.
    pub timestamps: wgpu::Buffer,
    pub times: SubmitTimes,
}

impl Dispatch {
    pub fn new(op: &dyn Op, rows: Range<usize>, launch: Launch) -> Self {
        Self { op: op.name(), uses: op.uses(), kernel: op.kernel(), rows, launch }
    }
}

impl Timer {
    /// Begins a pass for one dispatch.
    pub fn pass(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        dispatch: Dispatch,
    ) -> Result<wgpu::ComputePass<'static>, Error> {
        let first = 2 * self.times.dispatches.len() as u32;
        if first + 2 > wgpu::QUERY_SET_MAX_QUERIES {
            return Err(Error::Internal { reason: "more dispatches than can be timed in one submit".into() });
        }
        self.times.dispatches.push((dispatch, 0.0));
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

    /// Encodes the copy of the timestamps to their buffer.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        let count = 2 * self.times.dispatches.len() as u32;
        if count > 0 {
            encoder.resolve_query_set(&self.queries, 0..count, &self.timestamps, 0);
        }
    }
}
