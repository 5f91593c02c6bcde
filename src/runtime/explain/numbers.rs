//! The numbers that explanations read: tensors of a run, rows of weights, and inputs.

use super::recorded::Recorded;
use crate::backend::{Cancellation, RunInputs};
use crate::error::Error;
use crate::model::HeadKind;
use crate::plan::{Cell, Index, Input, Part, Site, Taps, TensorName, Weight, softmax};
use crate::runtime::angles::{Angles, table};
use crate::runtime::model::Model;
use crate::runtime::request::{HeadId, PredictionRows, Request};
use crate::runtime::taps::{Origin, origin};
use crate::runtime::{Context, ContextOptions, Output, Run, Tensor};
use crate::weight_table::TensorIndex;
use std::collections::BTreeMap;
use std::ops::Range;

/// Stored numbers beyond which all are freed before more are read: 64 MiB.
const MOST_STORED: usize = 1 << 24;

const OPTIONS: ContextOptions = ContextOptions { keep_heads: true, exact: true, f16_cache: false };

/// Reads numbers of a run and of the weights: each only when a formula needs it.
pub struct Numbers {
    model: Model,
    context: Context,
    /// The last run, which answers questions about heads.
    run: Option<Run>,
    request: Request,
    /// Inputs of the decoder's run, and of the encoder's.
    inputs: [RunInputs; 2],
    angles: Angles,
    /// Tensors of the run; one row each of logits and of probabilities.
    tensors: BTreeMap<Site, Tensor>,
    /// Rows of weights in f32, by the index of the weight and the row.
    rows: BTreeMap<(usize, usize), Vec<f32>>,
}

/// The numbers that are read together with a number: its tensor, or one row over the vocabulary, or one head's map.
fn tensor_of(site: Site) -> Site {
    site.with_index([if has_one_entry(site) { site.index[0] } else { Index::All }])
}

/// Whether the stored tensor has one entry of the first axis: the row, or the head.
fn has_one_entry(site: Site) -> bool {
    is_of_vocabulary(&site) || origin(site.tensor) == Origin::Maps
}

fn is_of_vocabulary(site: &Site) -> bool {
    matches!(site.tensor, TensorName::Logits | TensorName::Probabilities)
}

impl Numbers {
    pub fn new(model: &Model, request: &Request) -> Result<Self, Error> {
        let request = request.without_results();
        let facts = model.facts();
        let of_source = request.source.as_ref().map(|source| Request::of_source(source, Taps::none()));
        let of_source = of_source.map(|request| request.inputs(facts.part(Part::Encoder), 0)).transpose()?;
        let inputs = [request.inputs(facts, 0)?, of_source.unwrap_or_default()];
        let context = model.context(OPTIONS);
        let (tensors, rows) = (BTreeMap::new(), BTreeMap::new());
        let run = None;
        Ok(Self { model: model.clone(), context, run, inputs, angles: Angles::of(&request), request, tensors, rows })
    }

    /// Frees all stored numbers if there are too many. Between two explanations only: each needs what it has read.
    pub fn make_room(&mut self) {
        if self.stored() > MOST_STORED {
            self.tensors.clear();
            self.rows.clear();
        }
    }

    /// Reads what is missing of the tensors and rows of these cells.
    pub async fn fetch(
        &mut self,
        recorded: &Recorded,
        part: Part,
        cells: &[Cell],
        cancel: &dyn Cancellation,
    ) -> Result<(), Error> {
        let mut missing = Taps::none();
        for cell in cells {
            match *cell {
                Cell::Site(site) if !self.tensors.contains_key(&tensor_of(site)) => missing.insert(tensor_of(site)),
                Cell::Site(_) => {}
                _ => {
                    let Some((weight, row, _)) = self.place_in_weight(cell, part) else { continue };
                    if self.row(weight, row).is_none() {
                        let numbers = self.rows(weight, row..row + 1, cancel).await?;
                        self.rows.insert((weight.index, row), numbers);
                    }
                }
            }
        }
        for site in missing.iter().filter(is_of_vocabulary) {
            self.read_logits(site, cancel).await?;
        }
        let of_plan: Vec<Site> = missing.iter().filter(|site| !has_one_entry(*site)).collect();
        if !of_plan.is_empty() {
            // The next explanation is likely of the same layer. A number of many layers reads no more than it needs.
            let is_of_one_layer = of_plan.iter().all(|site| site.layer == of_plan[0].layer);
            let near = of_plan.iter().filter(|_| is_of_one_layer).flat_map(|site| recorded.neighbours(*site));
            let near = near.filter(|site| !is_of_vocabulary(site) && !self.tensors.contains_key(site));
            let near: Vec<Site> = near.collect();
            let output = self.run(of_plan.into_iter().chain(near).collect(), cancel).await?;
            self.tensors.extend(output.taps);
        }
        for site in missing.iter().filter(|site| origin(site.tensor) == Origin::Maps) {
            let tensor = self.read_map(site, recorded.scale(site), cancel).await?;
            self.tensors.insert(site, tensor);
        }
        Ok(())
    }

    /// Reads what is missing of these tensors in one run.
    pub async fn fetch_tensors(
        &mut self,
        tensors: impl Iterator<Item = Site>,
        cancel: &dyn Cancellation,
    ) -> Result<(), Error> {
        let missing: Taps = tensors.filter(|site| !self.tensors.contains_key(site)).collect();
        if !missing.is_empty() {
            let output = self.run(missing, cancel).await?;
            self.tensors.extend(output.taps);
        }
        Ok(())
    }

    /// Runs the text with these taps, and the fewest results that the model's head computes.
    async fn run(&mut self, taps: Taps, cancel: &dyn Cancellation) -> Result<Output, Error> {
        let rows = if self.model.facts().predicts_tokens() { PredictionRows::At(vec![0]) } else { PredictionRows::All };
        self.run_request(Request { taps, rows, ..self.request.clone() }, cancel).await
    }

    /// In a context of its own: plans with other taps are of no use any more.
    async fn run_request(&mut self, request: Request, cancel: &dyn Cancellation) -> Result<Output, Error> {
        self.run = None;
        self.context = self.model.context(OPTIONS);
        let (output, run) = self.context.run(&request, cancel).await?;
        self.run = Some(run);
        Ok(output)
    }

    /// Reads the weights or the scores of a head.
    async fn read_map(&mut self, site: Site, scale: f32, cancel: &dyn Cancellation) -> Result<Tensor, Error> {
        if self.run.as_ref().is_none_or(|run| !run.is_fresh()) {
            self.run(Taps::none(), cancel).await?;
        }
        let head = HeadId { part: site.part, layer: site.layer.unwrap_or(0), head: site.positions()[0] };
        let run = self.run.as_ref().ok_or(Error::Stale)?;
        run.head_tensor(site.tensor, head, scale, cancel).await
    }

    /// Numbers that are stored.
    fn stored(&self) -> usize {
        let of_tensors = self.tensors.values().map(|tensor| tensor.data.len());
        of_tensors.chain(self.rows.values().map(Vec::len)).sum()
    }

    /// Bytes of the plans and of the numbers.
    pub fn bytes(&self) -> u64 {
        self.context.bytes() + 4 * self.stored() as u64
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
        let output = self.run_request(request, cancel).await?;
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

    /// A row of a weight that was read.
    fn row(&self, weight: Weight, row: usize) -> Option<&[f32]> {
        self.rows.get(&(weight.index, row)).map(Vec::as_slice)
    }

    /// Rows of a weight, see [`Model::weight_rows`].
    pub async fn rows(&self, weight: Weight, rows: Range<usize>, cancel: &dyn Cancellation) -> Result<Vec<f32>, Error> {
        self.model.weight_rows(weight, rows, cancel).await
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
        let missing = || Error::Internal { reason: "an operand was not read".into() };
        let number = match *cell {
            Cell::Site(site) => self.at(site).copied(),
            Cell::Input { input, token } => self.inputs(part).numbers(input).get(token).copied(),
            Cell::Angle { table, token, pair, is_sine } => self.angle(table, token, part, pair, is_sine),
            Cell::Weight { .. } | Cell::Lookup { .. } => {
                let place = self.place_in_weight(cell, part);
                place.and_then(|(weight, row, column)| self.row(weight, row)?.get(column).copied())
            }
            Cell::Value { .. } => None,
        };
        number.ok_or_else(missing)
    }

    fn at(&self, site: Site) -> Option<&f32> {
        let tensor = self.tensors.get(&tensor_of(site))?;
        let mut index = site.positions();
        if has_one_entry(site) {
            index[0] = 0;
        }
        let axes = &tensor.shape[1..];
        let inside = axes.iter().zip(index).all(|(size, at)| at < *size);
        let offset = axes.iter().zip(index).fold(0, |offset, (size, at)| offset * size + at);
        tensor.data.get(offset).filter(|_| inside)
    }

    /// The number at an index of a tensor that was fetched.
    pub fn at_index(&self, tensor: Site, index: [usize; 3]) -> Result<f64, Error> {
        let site = tensor.with_index(index.map(Index::At));
        self.number(&Cell::Site(site), site.part).map(f64::from)
    }

    /// A row of a tensor (row, column) that was fetched.
    pub fn row_of(&self, tensor: Site, row: usize) -> Result<Vec<f64>, Error> {
        let missing = || Error::Internal { reason: format!("{tensor} was not read") };
        let width = self.tensors.get(&tensor).and_then(|tensor| tensor.shape.last()).copied().ok_or_else(missing)?;
        (0..width).map(|column| self.at_index(tensor, [row, column, 0])).collect()
    }

    /// Refuses an index outside of a tensor that was fetched.
    pub fn check_index(&self, site: Site) -> Result<(), Error> {
        let Some(tensor) = self.tensors.get(&tensor_of(site)) else { return Ok(()) };
        let axes = site.tensor.axes().iter().zip(site.positions()).zip(&tensor.shape[1..]);
        match axes.skip(usize::from(has_one_entry(site))).find(|((_, at), size)| at >= *size) {
            Some(((axis, _), size)) => {
                Err(Error::SiteIndexOutOfRange { site: site.to_string(), axis: axis.name(), size: *size })
            }
            None => Ok(()),
        }
    }

    /// The position id of a token, and what is added to every id.
    pub fn position(&self, token: usize, part: Part) -> (u32, u64) {
        (self.index(Input::Positions, token, part), self.angles.offset)
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
        let (id, offset) = self.position(token, part);
        let angles = Angles { offset: offset + u64::from(id), ..self.angles };
        let row = table(rope, head_size, angles, 1, self.model.rotary_table());
        row.get(2 * pair + usize::from(is_sine)).copied()
    }

    /// The tensor of the file and the index in it of a number of a weight.
    pub fn origin(&self, weight: Weight, row: usize, column: usize) -> Option<TensorIndex> {
        let header = self.model.files().map(|files| &files.header);
        self.model.architecture().table.origin(weight, row, column, header)
    }
}
