//! A few ops over made-up numbers, without a model, to be timed: the three forms of the rotation, and attention against the length.

use super::backend::{Asked, Backend, PlanId};
use super::device::Device;
use super::heads::{check_map, one_map};
use crate::backend::gpu::GpuWeights;
use crate::backend::{Pace, Read, RunInputs};
use crate::error::Error;
use crate::kernels::{Format, Numbers};
use crate::model::Attention;
use crate::ops::{EmbeddingWeights, Epilogue, Kind, LinearWeights, Mapped, Rotary};
use crate::plan::{Capacity, Heads, Input, Op, Plan, Shape, Sizes, Taps, Value, View, Weight};
use crate::rope::{self, BASE, Frequencies};
use std::rc::Rc;

/// How a projection is rotated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RotationForm {
    /// Times a stored matrix a position, (length, head_size, head_size).
    Blocks,
    /// By cosines and sines, (length, head_size), in a step of its own (eq. 34).
    Elementwise,
    /// The same where the projection writes its numbers.
    Fused,
}

impl RotationForm {
    pub const ALL: [RotationForm; 3] = [RotationForm::Blocks, RotationForm::Elementwise, RotationForm::Fused];

    pub fn name(self) -> &'static str {
        match self {
            RotationForm::Blocks => "blocks",
            RotationForm::Elementwise => "elementwise",
            RotationForm::Fused => "fused",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }
}

/// Heads that are rotated or attend.
pub const TRIAL_HEADS: usize = 4;

/// Of the heads of an attention that is measured.
pub const TRIAL_HEAD_SIZE: usize = 64;

/// The longest text of a trial, in tokens, and the largest head.
const LONGEST: usize = 1 << 16;
const LARGEST_HEAD: usize = 1 << 10;

/// Rows of the made-up table that tokens are embedded by.
const WORDS: usize = 64;

/// A plan that can be run again and again.
pub struct Trial {
    backend: Backend,
    plan: PlanId,
    inputs: RunInputs,
    sizes: Sizes,
    result: Value,
    questions: Vec<Box<dyn Op>>,
    answers: u64,
    stored: u64,
}

/// A weight, its name, and its numbers by rows.
type Weighed = (Weight, String, Vec<f32>);

/// What is recorded of a trial before it is laid out.
struct Recorded {
    plan: Plan,
    weights: Vec<Weighed>,
    result: Value,
    heads: Option<Heads>,
    head_size: usize,
    /// Bytes of what the rotation is made by.
    stored: u64,
}

impl Trial {
    /// A projection of `length` tokens to [`TRIAL_HEADS`] heads, rotated in this form.
    ///
    /// # Errors
    /// Sizes out of range; no room; a lost device.
    pub async fn rotation(device: &Device, form: RotationForm, length: usize, head_size: usize) -> Result<Self, Error> {
        check(length, head_size)?;
        let width = TRIAL_HEADS * head_size;
        let (mut plan, mut weights, x) = begin(length, width);
        let mut weight = |rows: usize, columns: usize, name: &str, numbers: Vec<f32>| {
            let weight = Weight { index: weights.len(), rows, columns };
            weights.push((weight, name.to_string(), numbers));
            weight
        };
        // Rows of unit length, about: numbers stay of one size.
        let share = 1.0 / (width as f32).sqrt();
        let projection = made_up(width * width).into_iter().map(|x| x * share).collect();
        let projection = LinearWeights { weight: weight(width, width, "projection", projection), bias: None };
        let rotary = Rotary { rope: 0, head_size, rotated_columns: width };
        let (result, stored) = match form {
            RotationForm::Fused => (plan.linear(x, &projection, Epilogue::Rotate(rotary)), length * head_size),
            RotationForm::Elementwise => {
                let projected = plan.linear(x, &projection, Epilogue::None);
                (plan.rotate(projected, head_size, Some(rotary), None), length * head_size)
            }
            RotationForm::Blocks => {
                let matrices = blocks(length, head_size);
                let stored = matrices.len();
                let matrices = weight(length * head_size, head_size, "rotation matrices", matrices);
                let projected = plan.linear(x, &projection, Epilogue::None);
                (plan.rotate_by_blocks(projected, matrices), stored)
            }
        };
        let stored = 4 * stored as u64;
        Self::lay_out(device, Recorded { plan, weights, result, heads: None, head_size, stored }, length).await
    }

    /// Rotated attention of `length` tokens by [`TRIAL_HEADS`] heads; with a map, one head's is made behind it.
    ///
    /// # Errors
    /// A length out of range, a map that is too large to be made; no room; a lost device.
    pub async fn attention(device: &Device, attention: Attention, map: bool, length: usize) -> Result<Self, Error> {
        check(length, TRIAL_HEAD_SIZE)?;
        if map {
            check_map(length, length)?;
        }
        let (heads, head_size) = (TRIAL_HEADS, TRIAL_HEAD_SIZE);
        let (stride, columns) = (3 * heads * head_size, 2 * heads * head_size);
        let (mut plan, weights, x) = begin(length, stride);
        let rotary = Rotary { rope: 0, head_size, rotated_columns: columns };
        let linear = attention != Attention::Softmax;
        let plain = if linear { plan.feature_map(x, columns) } else { x };
        let rows = plan.rotate(plain, head_size, Some(rotary), None);
        let view = |first: usize| View { of: rows.into(), first: first * head_size, stride, heads, head_size };
        let [query, key, value] = [0, heads, 2 * heads].map(view);
        let statistics = plan.value(Shape::tokens(2 * heads));
        let scale = if linear { 1.0 } else { 1.0 / (head_size as f32).sqrt() };
        let (causal, window, reach, table) = (false, None, None, Some(rotary.table()));
        let of_heads = Heads { query, key, statistics: statistics.into(), causal, window, scale, table, reach, linear };
        let result = match linear {
            true => plan.linear_attention(of_heads, Mapped { rows, plain, query, key, value }),
            false => plan.attention(of_heads, value),
        };
        // What a map is made from stays where it is.
        [rows, statistics].into_iter().filter(|_| map).for_each(|value| plan.output(value));
        let recorded = Recorded { plan, weights, result, heads: map.then_some(of_heads), head_size, stored: 0 };
        Self::lay_out(device, recorded, length).await
    }

    async fn lay_out(device: &Device, recorded: Recorded, length: usize) -> Result<Self, Error> {
        let Recorded { mut plan, weights, result, heads, head_size, stored } = recorded;
        plan.output(result);
        let sizes = Sizes::new(1, length, 0);
        let asked = heads.map(|heads| one_map(&heads, 0, Kind::Weight, [length, length], sizes));
        let (questions, answers) = asked.map_or((Vec::new(), 0), |asked| {
            let numbers = asked.numbers();
            (asked.questions, numbers)
        });
        let mut backend = backend_of(device, weights).await?;
        let plan = backend.lay_out(plan.finish()?, 1, answers).await?;
        let table = rope::table(&Frequencies::of_base(head_size, BASE), 0, length);
        let tables: Vec<Input> = backend.plan(plan)?.inputs.clone();
        for input in tables.into_iter().filter(|input| matches!(input, Input::Rotary { .. })) {
            backend.set_table(plan, input, &table)?;
        }
        let inputs = RunInputs {
            ids: (0..length as u32).map(|token| token * 7 % WORDS as u32).collect(),
            positions: (0..length as u32).collect(),
            key_mask: vec![0.0; length],
            ..RunInputs::default()
        };
        Ok(Self { backend, plan, inputs, sizes, result, questions, answers, stored })
    }

    /// Runs it to its end.
    ///
    /// # Errors
    /// [`Error::Overtaken`]; a lost device.
    pub async fn run(&mut self, pace: &dyn Pace) -> Result<(), Error> {
        self.run_and_read(1, pace).await.map(|_| ())
    }

    /// Runs it, and gives what it computed: (length, heads · head_size).
    ///
    /// # Errors
    /// As [`Trial::run`].
    pub async fn numbers(&mut self, pace: &dyn Pace) -> Result<Vec<f32>, Error> {
        let count = self.backend.plan(self.plan)?.elements(self.result, self.sizes) as usize;
        self.run_and_read(count, pace).await
    }

    async fn run_and_read(&mut self, count: usize, pace: &dyn Pace) -> Result<Vec<f32>, Error> {
        let reads = [Read { of: self.result.into(), first: 0, count }];
        let asked = Asked { questions: &self.questions, numbers: self.answers, reads: &reads };
        let ran = self.backend.run((self.plan, None), self.inputs.clone(), self.sizes, asked, pace).await?;
        Ok(ran.0.concat())
    }

    /// Bytes of what the rotation is made by: matrices, or cosines and sines.
    pub fn stored_bytes(&self) -> u64 {
        self.stored
    }

    /// Bytes of all that it holds.
    pub fn bytes(&self) -> u64 {
        self.backend.bytes()
    }
}

fn check(length: usize, head_size: usize) -> Result<(), Error> {
    let fits =
        (1..=LONGEST).contains(&length) && (2..=LARGEST_HEAD).contains(&head_size) && head_size.is_multiple_of(2);
    let reason = || {
        format!(
            "a length of {length} and a head size of {head_size} are not measured: give up to {LONGEST} tokens and an even \
             head size up to {LARGEST_HEAD}"
        )
    };
    if fits { Ok(()) } else { Err(Error::InvalidInput { reason: reason() }) }
}

/// A plan whose tokens are rows of a made-up table.
fn begin(length: usize, width: usize) -> (Plan, Vec<Weighed>, Value) {
    let word = Weight { index: 0, rows: WORDS, columns: width };
    let mut plan = Plan::new(Capacity::new(1, length, 1), Taps::none());
    let x = plan.embedding(&EmbeddingWeights { word, token_type: None, norm: None, scale: 1.0 });
    (plan, vec![(word, "words".to_string(), made_up(WORDS * width))], x)
}

/// R_m of every position, (length, head_size, head_size).
fn blocks(length: usize, head_size: usize) -> Vec<f32> {
    let table = rope::table(&Frequencies::of_base(head_size, BASE), 0, length);
    let mut matrices = vec![0.0; length * head_size * head_size];
    for (matrix, turns) in matrices.chunks_exact_mut(head_size * head_size).zip(table.chunks_exact(head_size)) {
        for (pair, turn) in turns.as_chunks::<2>().0.iter().enumerate() {
            let [cos, sin] = *turn;
            let (even, odd) = (2 * pair, 2 * pair + 1);
            matrix[even * head_size + even] = cos;
            matrix[even * head_size + odd] = -sin;
            matrix[odd * head_size + even] = sin;
            matrix[odd * head_size + odd] = cos;
        }
    }
    matrices
}

/// Numbers between −1 and 1, the same every time.
fn made_up(count: usize) -> Vec<f32> {
    let mut state = 0x9e37_79b9_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// Weights of given numbers, in the order of their indices, where a device keeps them.
///
/// # Errors
/// No room; a lost device.
pub(super) async fn backend_of(device: &Device, weights: Vec<Weighed>) -> Result<Backend, Error> {
    Ok(match device {
        Device::Cpu => Backend::on_cpu(weights.into_iter().map(|(.., numbers)| Numbers::Plain(numbers)).collect()),
        Device::Gpu(device) => {
            let named: Vec<_> = weights.iter().map(|(weight, name, _)| (*weight, Format::F32, name.clone())).collect();
            let held = GpuWeights::new(&device.gpu, &named).await?;
            for (index, (.., numbers)) in weights.iter().enumerate() {
                held.write(&device.gpu, index, 0, bytemuck::cast_slice(numbers));
            }
            Backend::on_gpu(Rc::clone(device), held)
        }
    })
}
