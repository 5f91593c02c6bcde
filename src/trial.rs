//! A few ops over synthetic numbers, to be timed: the three forms of the rotation, and attention against the length. A trial is a model
//! of one layer, so that it runs as any other does.

use crate::backend::Cancellation;
use crate::error::{Allocation, Error};
use crate::kernels::Format;
use crate::model::{Architecture, Facts, HeadKind, Network};
use crate::ops::{EmbeddingWeights, Epilogue, LinearAttentionInputs, LinearWeights, Rotary};
use crate::plan::{HeadValues, Heads, Part, PlanBuilder, Shape, Value, View, Weight};
use crate::rope::{self, BASE, Frequencies, Rope, Scaling};
use crate::runtime::{Context, ContextOptions, Device, HeadId, Model, PredictionRows, Request, check_map, synthetic};
use crate::weight_table::{Aliases, WeightTable};
use strum::IntoStaticStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum TrialKind {
    /// A projection, rotated by a stored matrix a position, (length, head_size, head_size).
    Blocks,
    /// The same by cosines and sines, (length, head_size), in a step of its own (eq. 34).
    Elementwise,
    /// The same in the epilogue of the projection.
    Fused,
    /// Rotated attention, all tokens seeing each other.
    Softmax,
    /// The same, and one head's map is computed and read back.
    Map,
    /// Linear attention (eq. 19).
    Linear,
}

impl TrialKind {
    pub const ROTATIONS: [TrialKind; 3] = [TrialKind::Blocks, TrialKind::Elementwise, TrialKind::Fused];

    pub fn name(self) -> &'static str {
        self.into()
    }

    fn is_rotation(self) -> bool {
        Self::ROTATIONS.contains(&self)
    }
}

/// Heads that are rotated or attend.
const HEADS: usize = 4;

/// The longest text of a trial, in tokens, and the largest head.
const LONGEST: usize = 1 << 16;
const LARGEST_HEAD: usize = 1 << 10;

/// The most numbers of all stored matrices together: 1 GiB.
const MOST_STORED: u64 = 1 << 28;

/// Rows of the synthetic table that tokens are embedded by.
const WORDS: usize = 64;

/// A model of one layer and its text, for any number of runs.
pub struct Trial {
    context: Context,
    request: Request,
    stored: u64,
}

impl Trial {
    /// Whether four heads of this size over `length` tokens are timed.
    pub fn check(kind: TrialKind, length: usize, head_size: usize) -> Result<(), Error> {
        let fits = (1..=LONGEST).contains(&length) && (2..=LARGEST_HEAD).contains(&head_size);
        if !fits || !head_size.is_multiple_of(2) {
            return Err(Error::TrialSizeOutOfRange { longest: LONGEST, largest: LARGEST_HEAD });
        }
        // In 64 bits: in a browser's 32 these sizes may multiply to 0.
        let stored = length as u64 * head_size as u64 * head_size as u64;
        if kind == TrialKind::Blocks && stored > MOST_STORED {
            let (needed, limit) = (4 * stored, 4 * MOST_STORED);
            return Err(Error::TrialTooLarge { length, head_size, needed, limit });
        }
        if kind == TrialKind::Map {
            check_map(length, length)?;
        }
        Ok(())
    }

    /// Four heads of this size over `length` tokens.
    pub async fn new(device: &Device, kind: TrialKind, length: usize, head_size: usize) -> Result<Self, Error> {
        Self::check(kind, length, head_size)?;
        let mut table = WeightTable::new(Aliases { prefix: "", gamma_beta: false });
        let width = HEADS * head_size;
        let word = table.lookup("words", WORDS, if kind.is_rotation() { width } else { 3 * width });
        let mut numbers = vec![synthetic(word)];
        let projection = kind.is_rotation().then(|| {
            let weight = table.matrix("projection", width, width);
            // Rows of unit length, about: numbers stay of one size.
            let share = 1.0 / (width as f32).sqrt();
            numbers.push(synthetic(weight).into_iter().map(|x| x * share).collect());
            LinearWeights { weight, bias: None }
        });
        let mut stored = 4 * (length * head_size) as u64;
        let mut matrices = None;
        if kind == TrialKind::Blocks {
            numbers.push(blocks(length, head_size)?);
            stored *= head_size as u64;
            matrices = Some(table.matrix("matrices", length * head_size, head_size));
        }
        let facts = Facts {
            architecture: "Trial",
            output: HeadKind::Vocabulary,
            layers: 1,
            heads: HEADS,
            key_heads: HEADS,
            head_size,
            vocab_size: WORDS,
            scale: 1.0 / (head_size as f64).sqrt(),
            ..Facts::default()
        };
        let rope = Rope::new(head_size, 1.0, BASE, Scaling::Default, length as u64)?;
        let network = Layer { kind, head_size, word, projection, matrices };
        let architecture = Architecture::new(facts, table, vec![rope], network);
        let model = Model::of_numbers(device, architecture, numbers).await?;
        let context = model.context(ContextOptions { exact: true, ..ContextOptions::default() });
        let ids = (0..length).map(|token| (token * 7 % WORDS) as u32).collect();
        let request = Request {
            rows: PredictionRows::At(vec![length as u32 - 1]),
            selection: (kind == TrialKind::Map).then_some(HeadId::new(0, 0)),
            ..Request::new(ids, 1, length)
        };
        Ok(Self { context, request, stored })
    }

    /// Runs it to its end. Returns the result of the last token: (heads · head_size).
    pub async fn run(&mut self, cancel: &dyn Cancellation) -> Result<Vec<f32>, Error> {
        let (output, _) = self.context.run(&self.request, cancel).await?;
        Ok(output.result.map(|tensor| tensor.data).unwrap_or_default())
    }

    /// Bytes of the matrices, or of the cosines and sines, by which the trial rotates.
    pub fn stored_bytes(&self) -> u64 {
        self.stored
    }

    pub fn bytes(&self) -> u64 {
        self.context.model().bytes() + self.context.bytes()
    }
}

struct Layer {
    kind: TrialKind,
    head_size: usize,
    word: Weight,
    projection: Option<LinearWeights>,
    matrices: Option<Weight>,
}

impl Network for Layer {
    fn hidden(&self, plan: &mut PlanBuilder, _facts: &Facts) -> Value {
        let Self { kind, head_size, word, projection, matrices } = self;
        let (head_size, columns) = (*head_size, HEADS * head_size);
        let x = plan.embedding(&EmbeddingWeights { word: *word, added: None, norm: None, scale: 1.0 });
        let rotary = |rotated_columns| Rotary { rope: 0, head_size, rotated_columns };
        if let Some(projection) = projection {
            if *kind == TrialKind::Fused {
                return plan.linear(x, projection, Epilogue::Rotate(rotary(columns)));
            }
            let projected = plan.linear(x, projection, Epilogue::None);
            return match matrices {
                Some(matrices) => plan.rotate_by_blocks(projected, *matrices),
                None => plan.rotate(projected, head_size, Some(rotary(columns)), None),
            };
        }
        let linear = *kind == TrialKind::Linear;
        let plain = if linear { plan.feature_map(x, 2 * columns) } else { x };
        let rotary = rotary(2 * columns);
        let rows = plan.rotate(plain, head_size, Some(rotary), None);
        let view = |at: usize| View {
            operand: rows.into(),
            first: at * columns,
            stride: 3 * columns,
            heads: HEADS,
            head_size,
        };
        let [query, key, value] = [view(0), view(1), view(2)];
        let statistics = plan.value(Shape::tokens(2 * HEADS)).into();
        let scale = if linear { 1.0 } else { 1.0 / (head_size as f32).sqrt() };
        let (causal, window, max_distance, table) = (false, None, None, Some(rotary.table()));
        let heads = Heads { query, key, statistics, causal, window, scale, table, max_distance, linear };
        plan.add_heads(
            Part::Decoder,
            heads,
            HeadValues { view: value, output: (*word, Format::F32), has_inverse_rotation: false },
        );
        match linear {
            true => plan.linear_attention(heads, LinearAttentionInputs { rows, plain, query, key, value }),
            false => plan.attention(heads, value),
        }
    }

    fn head(&self, _plan: &mut PlanBuilder, hidden: Value) -> Value {
        hidden
    }
}

/// R_m of every position, (length, head_size, head_size).
fn blocks(length: usize, head_size: usize) -> Result<Vec<f32>, Error> {
    let table = rope::table(&Frequencies::from_base(head_size, BASE), 0, length);
    let count = length * head_size * head_size;
    let mut matrices = Vec::new();
    let refused = |_| Error::MemoryRefused { what: Allocation::RotationMatrices, needed: 4 * count as u64 };
    matrices.try_reserve_exact(count).map_err(refused)?;
    matrices.resize(count, 0.0);
    for (matrix, rotations) in matrices.chunks_exact_mut(head_size * head_size).zip(table.chunks_exact(head_size)) {
        for (pair, rotation) in rotations.as_chunks::<2>().0.iter().enumerate() {
            let [cos, sin] = *rotation;
            let first = 2 * pair * (head_size + 1);
            matrix[first..first + 2].copy_from_slice(&[cos, -sin]);
            matrix[first + head_size..first + head_size + 2].copy_from_slice(&[sin, cos]);
        }
    }
    Ok(matrices)
}
