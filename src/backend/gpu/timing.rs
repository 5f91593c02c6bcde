//! Starts and reads the timer of a GPU. Untimed submits stay one pass.

use super::Gpu;
use super::timer::{SubmitTimes, Timer};
use crate::error::Error;
use crate::plan::{Plan, Sizes};
use std::sync::{MutexGuard, PoisonError};

impl Gpu {
    /// The adapter's name, type, backend and driver.
    pub fn information(&self) -> wgpu::AdapterInfo {
        self.adapter.get_info()
    }

    /// Times every submit of a plan until [`Gpu::times`], which returns the last.
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
        let timestamps = self.buffer("times", 8 * u64::from(wgpu::QUERY_SET_MAX_QUERIES), usage);
        *self.timer.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Timer { queries, timestamps, times: SubmitTimes::default() });
        Ok(())
    }

    /// Waits for the last submit, and returns its times. Later submits are untimed.
    pub async fn times(&self) -> Result<SubmitTimes, Error> {
        let timer = self.timer.lock().unwrap_or_else(PoisonError::into_inner).take();
        let no_timer = || Error::Internal { reason: "nothing was to be timed".into() };
        let Timer { timestamps, mut times, .. } = timer.ok_or_else(no_timer)?;
        // Two timestamps for each dispatch, of two words each.
        let words = self.read(&timestamps, 4 * times.dispatches.len()).await?;
        let ticks: Vec<u64> = words
            .chunks_exact(2)
            .map(|words| u64::from(words[0].to_bits()) | u64::from(words[1].to_bits()) << 32)
            .collect();
        let period = f64::from(self.queue.get_timestamp_period());
        for ((_, nanoseconds), ticks) in times.dispatches.iter_mut().zip(ticks.chunks_exact(2)) {
            *nanoseconds = ticks[1].saturating_sub(ticks[0]) as f64 * period;
        }
        timestamps.destroy();
        Ok(times)
    }

    /// The timer, reset for the next submit; `None` inside when nothing is timed.
    pub(super) fn timer(&self, plan: &Plan, sizes: Sizes) -> MutexGuard<'_, Option<Timer>> {
        let mut timer = self.timer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(timer) = &mut *timer {
            let (shapes, formats) = (plan.shapes.clone(), plan.formats.to_vec());
            timer.times = SubmitTimes { dispatches: Vec::new(), shapes, formats, sizes };
        }
        timer
    }
}
