//! Questions about what a plan has run: their bind groups, room for their answers, and one submit for many of them.

use super::execution::{GpuPlan, On};
use super::{Gpu, GpuStates, Pipeline, Pipelines};
use crate::backend::Read;
use crate::error::Error;
use crate::plan::{Op, Operand, Sizes};
use std::rc::Rc;

/// Questions that one submit answers at most.
pub(super) const QUESTIONS: usize = 64;

/// How an answer's buffer is used.
pub(super) const ANSWER: wgpu::BufferUsages =
    wgpu::BufferUsages::STORAGE.union(wgpu::BufferUsages::COPY_SRC).union(wgpu::BufferUsages::COPY_DST);

impl GpuPlan {
    /// Puts numbers that questions read where their answer begins, which takes `room`.
    pub fn give(&mut self, gpu: &Gpu, numbers: &[f32], room: u64) {
        self.make_room(gpu, room.max(numbers.len() as u64));
        gpu.queue.write_buffer(&self.answer, 0, bytemuck::cast_slice(numbers));
    }

    /// Answers questions about the last run, and reads back.
    ///
    /// # Errors
    /// [`Error::DeviceLost`] and [`Error::Gpu`].
    pub async fn ask(
        &mut self,
        on: On<'_>,
        pipelines: &std::cell::RefCell<Pipelines>,
        sizes: Sizes,
        (questions, numbers): (&[Box<dyn Op>], u64),
        reads: &[Read],
    ) -> Result<Vec<Vec<f32>>, Error> {
        on.gpu.alive()?;
        self.make_room(on.gpu, numbers);
        let (last, before) = match questions.len().saturating_sub(1) / QUESTIONS * QUESTIONS {
            0 => (questions, &[][..]),
            split => (&questions[split..], &questions[..split]),
        };
        for some in before.chunks(QUESTIONS) {
            self.submit(&on, pipelines, false, some, sizes, &[], 0)?;
            self.arrived(on.gpu, 0).await?;
        }
        self.submit(&on, pipelines, false, last, sizes, reads, 0)?;
        self.arrived(on.gpu, 0).await
    }

    /// Answers questions without waiting: the answer's buffer holds them for what is submitted next.
    ///
    /// # Errors
    /// [`Error::DeviceLost`] and [`Error::Gpu`].
    pub fn answer(
        &mut self,
        on: On<'_>,
        pipelines: &std::cell::RefCell<Pipelines>,
        sizes: Sizes,
        (questions, numbers): (&[Box<dyn Op>], u64),
    ) -> Result<&wgpu::Buffer, Error> {
        on.gpu.alive()?;
        self.make_room(on.gpu, numbers);
        for some in questions.chunks(QUESTIONS) {
            let (encoder, _) = self.encode(&on, pipelines, false, some, sizes)?;
            on.gpu.queue.submit([encoder.finish()]);
        }
        Ok(&self.answer)
    }

    /// Makes the questions' pipelines and bind groups, where they are not there yet, and room for their answer.
    /// Returns the pipelines.
    ///
    /// # Errors
    /// [`Error::RowTooLarge`] for a weight that a question would have to take in parts.
    pub fn prepare(
        &mut self,
        on: &On<'_>,
        pipelines: &std::cell::RefCell<Pipelines>,
        questions: &[Box<dyn Op>],
        numbers: u64,
    ) -> Result<Vec<Rc<Pipeline>>, Error> {
        self.make_room(on.gpu, numbers);
        let prepared: Vec<_> = questions.iter().map(|op| pipelines.borrow_mut().of(on.gpu, &**op)).collect();
        for (op, pipeline) in questions.iter().zip(&prepared) {
            let key = asked_key(&**op, on.states);
            if self.asked(&key).is_none() {
                let group = self.bind(on, &**op, 0, pipeline)?;
                self.asked.push((key, group));
            }
        }
        Ok(prepared)
    }

    fn asked(&self, key: &AskedKey) -> Option<&wgpu::BindGroup> {
        self.asked.iter().find(|(other, _)| other == key).map(|(_, group)| group)
    }

    /// Makes the answer's buffer larger where it must be.
    pub(super) fn make_room(&mut self, gpu: &Gpu, numbers: u64) {
        if 4 * numbers > self.answer.size() {
            self.answer.destroy();
            self.answer = gpu.buffer("answer", 4 * numbers, ANSWER);
            self.asked.clear();
        }
    }
}

/// A question's op, what it touches, and whose states.
pub(super) type AskedKey = (&'static str, Vec<Operand>, u64);

pub(super) fn asked_key(op: &dyn Op, states: &GpuStates) -> AskedKey {
    (op.name(), op.uses().iter().map(|used| used.operand).collect(), states.id())
}
