//! The numbers that explanations read: tensors of a run, rows of weights, and inputs.

use super::recorded::Recorded;
use crate::backend::{Cancellation, Reads, RunInputs};
use crate::error::Error;
use crate::model::HeadKind;
use crate::ops::EmbeddingWeights;
use crate::plan::{
    Capacity, Cell, Index, Input, Part, PlanBuilder, PlanOptions, Site, Sizes, Taps, TensorName, Weight, softmax,
};
use crate::runtime::angles::{Angles, table};
use crate::runtime::model::Model;
use crate::runtime::request::{PredictionRows, Request};
use crate::runtime::taps::{Origin, origin};
use crate::runtime::{Context, ContextOptions, Tensor};
use crate::weight_table::TensorIndex;
use std::collections::BTreeMap;

/// Stored numbers beyond which all are freed before more are read: 256 MB.
const MOST_STORED: usize = 1 << 26;

/// Numbers of a run and of the weights, read when they are asked for.
pub struct Numbers {
    model: Model,
    context: Context,
    request: Request,
    /// Inputs of the decoder's run, and of the encoder's.
    inputs: [RunInputs; 2],
    angles: Angles,
    /// Tensors of the run; one row each of logits and of probabilities.
    tensors: BTreeMap<Site, Tensor>,
    /// Rows of weights, by the index of the weight and the row.
    rows: BTreeMap<(usize, usize), Vec<f32>>,
}

/// The tensor whose numbers are read together with a number: all of it, or one row of those over the vocabulary.
fn tensor_of(site: Site) -> Site {
    match site.tensor {
        TensorName::Logits | TensorName::Probabilities => site.with_index([site.index[0], Index::All]),
        _ => site.with_index([Index::All; 3]),
    }
}

impl Numbers {
    pub fn new(model: &Model, request: &Request) -> Result<Self, Error> {
        let request = Request {
            rows: PredictionRows::All,
            top_k: 0,
            labels: None,
            lens: false,
            penalty: None,
            bans: None,
            draws: None,
            taps: Taps::none(),
            selection: None,
            continues: false,
            ..request.clone()
        };
        let facts = model.facts();
        let of_source = request.source.as_ref().map(|source| Request::of_source(source, Taps::none()));
        let of_source = of_source.map(|request| request.inputs(facts.part(Part::Encoder), 0)).transpose()?;
        let inputs = [request.inputs(facts, 0)?, of_source.unwrap_or_default()];
        let context = model.context(ContextOptions { exact: true, ..ContextOptions::default() });
        let (tensors, rows) = (BTreeMap::new(), BTreeMap::new());
        Ok(Self { model: model.clone(), context, inputs, angles: Angles::of(&request), request, tensors, rows })
    }

    /// Reads what is missing of the tensors and rows of these cells.
    pub async fn fetch(
        &mut self,
        recorded: &Recorded,
        part: Part,
        cells: &[Cell],
        cancel: &dyn Cancellation,
    ) -> Result<(), Error> {
        let stored = self.tensors.values().map(|tensor| tensor.data.len()).sum::<usize>();
        if stored + self.rows.values().map(Vec::len).sum::<usize>() > MOST_STORED {
            self.tensors.clear();
            self.rows.clear();
        }
        let mut missing = Taps::none();
        let mut rows: BTreeMap<usize, (Weight, Vec<u32>)> = BTreeMap::new();
        for cell in cells {
            match *cell {
                Cell::Site(site) if !self.tensors.contains_key(&tensor_of(site)) => missing.insert(tensor_of(site)),
                Cell::Site(_) => {}
                _ => {
                    let Some((weight, row, _)) = self.place_in_weight(cell, part) else { continue };
                    let of_weight = &mut rows.entry(weight.index).or_insert((weight, Vec::new())).1;
                    if !self.rows.contains_key(&(weight.index, row)) && !of_weight.contains(&(row as u32)) {
                        of_weight.push(row as u32);
                    }
                }
            }
        }
        for (weight, rows) in rows.into_values().filter(|(_, rows)| !rows.is_empty()) {
            let numbers = self.read_rows(weight, &rows, cancel).await?;
            let numbers = numbers.chunks_exact(weight.columns.max(1)).map(<[f32]>::to_vec);
            self.rows.extend(rows.iter().map(|row| (weight.index, *row as usize)).zip(numbers));
        }
        let is_of_vocabulary = |site: &Site| matches!(site.tensor, TensorName::Logits | TensorName::Probabilities);
        for site in missing.iter().filter(is_of_vocabulary) {
            self.read_logits(site, cancel).await?;
        }
        let mut taps = Taps::none();
        for site in missing.iter().filter(|site| !is_of_vocabulary(site)) {
            taps.insert(site);
            if origin(site.tensor) == Origin::Plan {
                let near = recorded.neighbours(site).filter(|site| !is_of_vocabulary(site));
                near.filter(|site| !self.tensors.contains_key(site)).for_each(|site| taps.insert(site));
            }
        }
        if !taps.is_empty() {
            let rows =
                if self.model.facts().predicts_tokens() { PredictionRows::At(vec![0]) } else { PredictionRows::All };
            let request = Request { taps, rows, ..self.request.clone() };
            let (output, _) = self.context.run(&request, cancel).await?;
            self.tensors.extend(output.taps);
        }
        Ok(())
    }

    /// Reads the logits of a token and their softmax.
    async fn read_logits(&mut self, site: Site, cancel: &dyn Cancellation) -> Result<(), Error> {
        let [row, ..] = site.positions();
        let length = self.request.length;
        if row >= length {
            return Err(Error::SiteIndexOutOfRange { site: site.to_string(), axis: "row", size: length });
        }
        let gathers = self.model.facts().output == HeadKind::Vocabulary;
        let rows = if gathers { PredictionRows::At(vec![row as u32]) } else { PredictionRows::All };
        let request = Request { rows, ..self.request.clone() };
        let (output, _) = self.context.run(&request, cancel).await?;
        let data = output.result.map(|result| result.data).unwrap_or_default();
        let width = if gathers { data.len() } else { data.len() / length.max(1) };
        let logits = data.get(if gathers { 0 } else { row * width }..).and_then(|data| data.get(..width));
        let logits = logits.unwrap_or_default().to_vec();
        let shape = vec![1, 1, width];
        let probabilities = Tensor { shape: shape.clone(), data: softmax(&logits) };
        self.tensors.insert(Site { tensor: TensorName::Probabilities, ..site }, probabilities);
        self.tensors.insert(Site { tensor: TensorName::Logits, ..site }, Tensor { shape, data: logits });
        Ok(())
    }

    /// Rows of a weight in f32, whatever its format, by an embedding of their numbers: (rows, columns).
    async fn read_rows(&self, weight: Weight, rows: &[u32], cancel: &dyn Cancellation) -> Result<Vec<f32>, Error> {
        let mut plan = PlanBuilder::new(PlanOptions::new(Capacity::new(1, rows.len(), 1)));
        plan.set_formats(self.model.architecture().table.formats());
        let numbers = plan.embedding(&EmbeddingWeights { word: weight, added: None, norm: None, scale: 1.0 });
        plan.output(numbers);
        let count = rows.len() * weight.columns;
        let mut plan = self.model.weights().allocate(plan.finish()?, count as u64, 0).await?;
        let mut inputs = RunInputs::default();
        inputs.set(Input::Ids, rows.to_vec());
        let mut reads = Reads::default();
        let ticket = reads.value(numbers, count);
        let (mut read_back, _) = plan.run(None, inputs, Sizes::new(1, rows.len(), 0), &reads, cancel).await?;
        Ok(ticket.take(&mut read_back))
    }

    /// The weight, the row and the column of a cell of a weight, as the run of a part reads it.
    pub fn place_in_weight(&self, cell: &Cell, part: Part) -> Option<(Weight, usize, usize)> {
        match *cell {
            Cell::Weight { weight, row, column } => Some((weight, row, column)),
            Cell::Lookup { table, by, first, token, column } => {
                Some((table, first + self.index(by, token, part) as usize, column))
            }
            _ => None,
        }
    }

    /// A token's number in an input of ids, types or positions.
    pub fn index(&self, input: Input, token: usize, part: Part) -> u32 {
        self.inputs(part).indices(input).get(token).copied().unwrap_or(0)
    }

    fn inputs(&self, part: Part) -> &RunInputs {
        &self.inputs[usize::from(part == Part::Encoder)]
    }

    /// The number of a cell that was fetched, as the run of a part read or wrote it.
    pub fn number(&self, cell: &Cell, part: Part) -> Result<f32, Error> {
        let missing = || Error::Internal { reason: format!("{cell:?} was not read") };
        let number = match *cell {
            Cell::Site(site) => self.at(site).copied(),
            Cell::Input { input, token } => self.inputs(part).numbers(input).get(token).copied(),
            Cell::Angle { table, token, pair, is_sine } => self.angle(table, token, part, pair, is_sine),
            Cell::Weight { .. } | Cell::Lookup { .. } => {
                let place = self.place_in_weight(cell, part);
                place.and_then(|(weight, row, column)| self.rows.get(&(weight.index, row))?.get(column).copied())
            }
            Cell::Value { .. } => None,
        };
        number.ok_or_else(missing)
    }

    fn at(&self, site: Site) -> Option<&f32> {
        let tensor = self.tensors.get(&tensor_of(site))?;
        let mut index = site.positions();
        if tensor_of(site).index != [Index::All; 3] {
            index[0] = 0;
        }
        let axes = &tensor.shape[1..];
        let inside = axes.iter().zip(index).all(|(size, at)| at < *size);
        let offset = axes.iter().zip(index).fold(0, |offset, (size, at)| offset * size + at);
        tensor.data.get(offset).filter(|_| inside)
    }

    /// Refuses an index outside of a tensor that was fetched.
    pub fn check_index(&self, site: Site) -> Result<(), Error> {
        let Some(tensor) = self.tensors.get(&tensor_of(site)) else { return Ok(()) };
        let of_one_row = tensor_of(site).index != [Index::All; 3];
        let axes = site.tensor.axes().iter().zip(site.positions()).zip(&tensor.shape[1..]);
        match axes.skip(usize::from(of_one_row)).find(|((_, at), size)| at >= *size) {
            Some(((axis, _), size)) => {
                Err(Error::SiteIndexOutOfRange { site: site.to_string(), axis: axis.name(), size: *size })
            }
            None => Ok(()),
        }
    }

    /// The position of a token.
    pub fn position(&self, token: usize, part: Part) -> u64 {
        self.angles.offset + u64::from(self.index(Input::Positions, token, part))
    }

    /// θ of a pair, and the factor of its cosine and sine.
    pub fn frequency(&self, input: Input, pair: usize) -> Option<[f64; 2]> {
        let Input::Rotary { rope, .. } = input else { return None };
        let frequencies = self.model.architecture().ropes.get(rope)?.frequencies(self.angles.length);
        let magnitude = if pair < frequencies.rotary_pairs { frequencies.magnitude } else { 1.0 };
        Some([*frequencies.theta.get(pair)?, magnitude])
    }

    /// Cosine or sine as the run's rotary table has it.
    fn angle(&self, input: Input, token: usize, part: Part, pair: usize, is_sine: bool) -> Option<f32> {
        let Input::Rotary { rope, head_size } = input else { return None };
        let rope = self.model.architecture().ropes.get(rope)?;
        let angles = Angles { offset: self.position(token, part), ..self.angles };
        let row = table(rope, head_size, angles, 1, self.model.rotary_table());
        row.get(2 * pair + usize::from(is_sine)).copied()
    }

    /// The tensor of the file and the index in it of a number of a weight.
    pub fn origin(&self, weight: Weight, row: usize, column: usize) -> Option<TensorIndex> {
        let header = self.model.files().map(|files| &files.header);
        self.model.architecture().table.origin(weight, row, column, header)
    }
}
