//! Reads weights of a model on its device, whatever their format, and multiplies them by vectors.

use super::model::Model;
use crate::backend::{Cancellation, Reads, RunInputs};
use crate::error::Error;
use crate::ops::{EmbeddingWeights, Epilogue, LinearWeights};
use crate::plan::{
    Capacity, Index, Input, InterventionKinds, NumberEntry, NumberTensors, PlanBuilder, PlanOptions, Sizes, TapView,
    TensorName, Value, Weight,
};
use std::ops::Range;

/// Numbers of a weight that are read at a time: 4 MiB.
const MOST_READ: usize = 1 << 20;

/// The tensor of a plan of one product in which the vector is put.
const VECTOR: TensorName = TensorName::HiddenStates;

impl Model {
    /// Rows of a weight in f32, as embeddings of their numbers: (rows, columns).
    pub(super) async fn weight_rows(
        &self,
        weight: Weight,
        rows: Range<usize>,
        cancel: &dyn Cancellation,
    ) -> Result<Vec<f32>, Error> {
        let (count, mut read) = ((MOST_READ / weight.columns.max(1)).max(1), Vec::new());
        for first in rows.clone().step_by(count) {
            let block = first..rows.end.min(first + count);
            let (length, numbers) = (block.len(), block.len() * weight.columns);
            let options = PlanOptions::new(Capacity::new(1, length, 1));
            let mut inputs = RunInputs::default();
            inputs.set(Input::Ids, block.map(|row| row as u32).collect::<Vec<u32>>());
            let record = |plan: &mut PlanBuilder| plan.embedding(&lookup(weight, 1.0));
            read.extend(self.small_run(options, record, inputs, (length, numbers), cancel).await?);
        }
        Ok(read)
    }

    /// A weight times a vector of its columns, given by the numbers of it that are not 0, with their columns: (rows).
    pub(super) async fn weight_product(
        &self,
        weight: Weight,
        vector: impl Iterator<Item = (usize, f32)>,
        cancel: &dyn Cancellation,
    ) -> Result<Vec<f32>, Error> {
        let entry =
            |column, number| NumberEntry { tensor: VECTOR, layer: 0, index: [Index::All, Index::All, column], number };
        let put = vector.map(|(column, number)| entry(Index::At(column), number));
        let entries: Vec<NumberEntry> = [entry(Index::All, 0.0)].into_iter().chain(put).collect();
        let numbers = NumberTensors::new([VECTOR], 1, entries.len());
        let interventions = InterventionKinds { numbers, ..InterventionKinds::default() };
        let options = PlanOptions { interventions, ..PlanOptions::new(Capacity::new(1, 1, 1)) };
        let mut inputs = RunInputs::default();
        inputs.set(Input::Ids, vec![0_u32]);
        inputs.set(numbers.input(), numbers.words(&entries));
        let record = |plan: &mut PlanBuilder| {
            let zeros = plan.embedding(&lookup(weight, 0.0));
            let vector = plan.replace_numbers(VECTOR.at(0), TapView::Value(zeros));
            plan.linear(vector, &LinearWeights { weight, bias: None }, Epilogue::None)
        };
        self.small_run(options, record, inputs, (1, weight.rows), cancel).await
    }

    /// Runs a plan of few ops on one text of `length` tokens, and reads `count` numbers of its result.
    async fn small_run(
        &self,
        options: PlanOptions,
        record: impl FnOnce(&mut PlanBuilder) -> Value,
        inputs: RunInputs,
        (length, count): (usize, usize),
        cancel: &dyn Cancellation,
    ) -> Result<Vec<f32>, Error> {
        let mut plan = PlanBuilder::new(options);
        plan.set_formats(self.architecture().table.formats());
        let result = record(&mut plan);
        plan.output(result);
        let mut plan = self.weights().allocate(plan.finish()?, count as u64, 0).await?;
        let mut reads = Reads::default();
        let ticket = reads.value(result, count);
        let (mut read_back, _) = plan.run(None, inputs, Sizes::new(1, length, 0), &reads, cancel).await?;
        Ok(ticket.take(&mut read_back))
    }
}

fn lookup(word: Weight, scale: f32) -> EmbeddingWeights {
    EmbeddingWeights { word, added: None, norm: None, scale }
}
