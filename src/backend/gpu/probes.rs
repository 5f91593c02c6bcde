//! Probes about a plan's last run: their bind groups, and submits of many probes each.

use super::execution::{GpuPlan, MAX_PROBES, Resources};
use super::{Gpu, pipelines::Pipeline};
use crate::backend::{ReadBack, Reads};
use crate::error::Error;
use crate::plan::{Op, Sizes};
use std::rc::Rc;

impl GpuPlan {
    pub fn write_results(&mut self, gpu: &Gpu, numbers: &[f32], capacity: u64) {
        self.results.reserve(gpu, capacity.max(numbers.len() as u64));
        gpu.queue.write_buffer(self.results.buffer(), 0, bytemuck::cast_slice(numbers));
    }

    pub async fn probe(&mut self, resources: Resources<'_>, sizes: Sizes, reads: &Reads) -> Result<ReadBack, Error> {
        let gpu = &resources.device.gpu;
        gpu.check_alive()?;
        self.results.reserve(gpu, reads.result_numbers());
        let probes = reads.probes();
        let (before, last) = probes.split_at(probes.len().saturating_sub(1) / MAX_PROBES * MAX_PROBES);
        for chunk in before.chunks(MAX_PROBES) {
            self.submit_pass(&resources, false, chunk, sizes, &[], 0)?;
            self.finish(gpu, 0).await?;
        }
        self.submit_pass(&resources, false, last, sizes, reads.reads(), 0)?;
        self.finish(gpu, 0).await
    }

    /// Submits probes without reading back. Returns the result buffer, grown to `numbers`: later submits find the results in it.
    pub fn submit_probes(
        &mut self,
        resources: &Resources<'_>,
        sizes: Sizes,
        probes: &[Box<dyn Op>],
        numbers: u64,
    ) -> Result<&wgpu::Buffer, Error> {
        let gpu = &resources.device.gpu;
        gpu.check_alive()?;
        self.results.reserve(gpu, numbers);
        for chunk in probes.chunks(MAX_PROBES) {
            let (encoder, _) = self.encode(resources, false, chunk, sizes)?;
            gpu.queue.submit([encoder.finish()]);
        }
        Ok(self.results.buffer())
    }

    /// Creates missing pipelines and bind groups of the probes, and grows the result buffer to `numbers`. Returns the pipelines.
    ///
    /// # Errors
    /// [`Error::RowTooLarge`] when a probe uses a weight that is split over several bindings.
    pub fn prepare(
        &mut self,
        resources: &Resources<'_>,
        probes: &[Box<dyn Op>],
        numbers: u64,
    ) -> Result<Vec<Rc<Pipeline>>, Error> {
        self.results.reserve(&resources.device.gpu, numbers);
        let pipelines: Vec<_> = probes.iter().map(|op| resources.device.pipeline(&**op)).collect();
        for (op, pipeline) in probes.iter().zip(&pipelines) {
            if self.results.group(&**op, resources.states_id()).is_none() {
                let group = self.bind(resources, &**op, 0, pipeline)?;
                self.results.insert(&**op, resources.states_id(), group);
            }
        }
        Ok(pipelines)
    }
}
