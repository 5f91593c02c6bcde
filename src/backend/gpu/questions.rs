//! Questions about a plan's last run: their bind groups, and submits of many questions each.

use super::execution::{GpuPlan, MAX_QUESTIONS, Resources};
use super::{Gpu, pipelines::Pipeline};
use crate::backend::{ReadBack, Reads};
use crate::error::Error;
use crate::plan::{Op, Sizes};
use std::rc::Rc;

impl GpuPlan {
    pub fn write_answer(&mut self, gpu: &Gpu, numbers: &[f32], room: u64) {
        self.answers.reserve(gpu, room.max(numbers.len() as u64));
        gpu.queue.write_buffer(self.answers.buffer(), 0, bytemuck::cast_slice(numbers));
    }

    pub async fn ask(&mut self, resources: Resources<'_>, sizes: Sizes, reads: &Reads) -> Result<ReadBack, Error> {
        let gpu = &resources.device.gpu;
        gpu.check_alive()?;
        self.answers.reserve(gpu, reads.answer_numbers());
        let questions = reads.questions();
        let (before, last) = questions.split_at(questions.len().saturating_sub(1) / MAX_QUESTIONS * MAX_QUESTIONS);
        for chunk in before.chunks(MAX_QUESTIONS) {
            self.submit_pass(&resources, false, chunk, sizes, &[], 0)?;
            self.finish(gpu, 0).await?;
        }
        self.submit_pass(&resources, false, last, sizes, reads.reads(), 0)?;
        self.finish(gpu, 0).await
    }

    /// Submits questions without reading back. Returns the answer buffer, grown to `numbers`: later submits find the answers in it.
    pub fn submit_questions(
        &mut self,
        resources: &Resources<'_>,
        sizes: Sizes,
        questions: &[Box<dyn Op>],
        numbers: u64,
    ) -> Result<&wgpu::Buffer, Error> {
        let gpu = &resources.device.gpu;
        gpu.check_alive()?;
        self.answers.reserve(gpu, numbers);
        for chunk in questions.chunks(MAX_QUESTIONS) {
            let (encoder, _) = self.encode(resources, false, chunk, sizes)?;
            gpu.queue.submit([encoder.finish()]);
        }
        Ok(self.answers.buffer())
    }

    /// Creates missing pipelines and bind groups of the questions, and grows the answer buffer to `numbers`. Returns the pipelines.
    ///
    /// # Errors
    /// [`Error::RowTooLarge`] when a question uses a weight that is split over several bindings.
    pub fn prepare(
        &mut self,
        resources: &Resources<'_>,
        questions: &[Box<dyn Op>],
        numbers: u64,
    ) -> Result<Vec<Rc<Pipeline>>, Error> {
        self.answers.reserve(&resources.device.gpu, numbers);
        let pipelines: Vec<_> = questions.iter().map(|op| resources.device.pipeline(&**op)).collect();
        for (op, pipeline) in questions.iter().zip(&pipelines) {
            if self.answers.group(&**op, resources.states_id()).is_none() {
                let group = self.bind(resources, &**op, 0, pipeline)?;
                self.answers.insert(&**op, resources.states_id(), group);
            }
        }
        Ok(pipelines)
    }
}
