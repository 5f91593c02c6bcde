//! A model loaded on a device, with the plan that it ran last.

use super::device::Weights;
use super::ready::{Ready, purpose};
use super::request::Selection;
use super::{BackendChoice, Device, Fill, HeadMaps, Output, Report, Request, Rows, Tensor};
use crate::backend::gpu::GpuWeights;
use crate::backend::{Pace, Pass, RunInputs, Unhurried};
use crate::error::Error;
use crate::model::{Architecture, Checkpoint, Config, Model};
use crate::plan::{Shape, Sizes, Tap, TapView};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A loaded model.
pub struct Session {
    pub(super) config: Config,
    pub(super) device: Device,
    model: Model,
    weights: Weights,
    /// The file's own rotary table (max_position_embeddings, head_size), sines before cosines, where it has one.
    stored_table: Option<Vec<f32>>,
    pub(super) ready: Option<Ready>,
}

impl Session {
    /// Opens a backend and loads a model on it.
    ///
    /// # Errors
    /// Those of [`Device::open`] and [`Session::load`].
    pub async fn open(config: Config, checkpoint: &Checkpoint<'_>, backend: BackendChoice) -> Result<Self, Error> {
        Self::load(config, checkpoint, Device::open(backend).await?).await
    }

    /// Loads a model: every tensor is checked before the first is converted.
    ///
    /// # Errors
    /// Missing tensors, wrong shapes, unsupported dtypes; rows larger than a binding; a device that is full or lost.
    pub async fn load(config: Config, checkpoint: &Checkpoint<'_>, device: Device) -> Result<Self, Error> {
        let model = Model::declare(&config, Architecture::choose(&config, Some(checkpoint)));
        model.table.check(checkpoint)?;
        let name = "roformer.encoder.embed_positions.weight";
        let stored_table = match checkpoint.contains(name) {
            true => Some(checkpoint.tensor(name, &[config.max_position_embeddings, config.head_size()])?),
            false => None,
        };
        let weights = match &device {
            Device::Cpu => {
                let read = model.table.iter().map(|(weight, _)| model.table.read(weight, checkpoint));
                Weights::Cpu(Rc::new(read.collect::<Result<_, _>>()?))
            }
            Device::Gpu(device) => {
                let read = |(weight, name)| (weight, name, model.table.read(weight, checkpoint));
                Weights::Gpu(GpuWeights::upload(&device.gpu, model.table.iter().map(read)).await?)
            }
        };
        Ok(Self { config, device, model, weights, stored_table, ready: None })
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    pub fn architecture(&self) -> Architecture {
        self.model.architecture
    }

    /// Numbers of all weights, tied ones once.
    pub fn parameters(&self) -> u64 {
        self.model.table.parameters()
    }

    /// "CPU", or the GPU adapter's name and driver.
    pub fn backend_name(&self) -> String {
        self.device.describe()
    }

    /// Runs a request without pausing.
    ///
    /// # Errors
    /// See [`Session::run_paced`].
    pub async fn run(&mut self, request: &Request) -> Result<Output, Error> {
        self.run_paced(request, &Unhurried).await
    }

    /// Runs a request, pausing as `pace` says (CPU backend).
    ///
    /// # Errors
    /// A request out of range; [`Error::Overtaken`]; a device that is full or lost.
    pub async fn run_paced(&mut self, request: &Request, pace: &dyn Pace) -> Result<Output, Error> {
        let inputs = request.check(&self.config, self.model.architecture)?;
        let created = self.created();
        let sizes = Sizes {
            batch: request.batch,
            length: request.length,
            rows: inputs.row_indices.len(),
            layer: request.selection.map_or(0, |chosen| chosen.layer),
            head: request.selection.map_or(0, |chosen| chosen.head),
        };
        self.make_ready(request, sizes).await?;
        let Some(ready) = &mut self.ready else { return Err(Error::Overtaken) };
        let taps: Vec<(Tap, TapView)> =
            ready.plan().taps.iter().filter(|(tap, _)| request.taps.contains(*tap)).copied().collect();
        let mut reads = vec![ready.whole(ready.result, sizes)];
        reads.extend(taps.iter().map(|(_, view)| ready.whole(view.value, sizes)));
        if request.selection.is_some() {
            reads.extend(ready.head_reads(sizes)?);
        }
        let pass = Pass { forward: true, selection: request.selection.is_some() };
        let (read, dispatches) = ready.run(&self.device, &inputs, sizes, pass, &reads, pace).await?;
        ready.ran = Some(sizes);
        let bytes_read_back = reads.iter().map(|read| 4 * read.count as u64).sum();
        let mut read = read.into_iter();
        let mut output = Output {
            tensors: BTreeMap::new(),
            top: Vec::new(),
            head: None,
            report: Report { dispatches, created: 0, bytes_held: 0, bytes_read_back },
        };
        self.place_result(request, read.next().unwrap_or_default(), &mut output);
        for ((tap, view), data) in taps.iter().zip(read.by_ref()) {
            output.tensors.insert(tap.to_string(), self.arrange(*view, data, sizes));
        }
        if request.selection.is_some() {
            output.head = Some(head_maps(read));
        }
        output.report.created = self.created() - created;
        output.report.bytes_held = self.bytes_held();
        Ok(output)
    }

    /// Reads another head of the last run, without running the model again.
    ///
    /// # Errors
    /// Nothing has run with a selection yet; a head out of range; a lost device.
    pub async fn head(&mut self, selection: Selection) -> Result<HeadMaps, Error> {
        let Selection { layer, head } = selection;
        let known = layer < self.config.num_hidden_layers && head < self.config.num_attention_heads;
        let ready = self.ready.as_mut().filter(|ready| known && ready.keeps_heads());
        let Some((ready, ran)) = ready.and_then(|ready| ready.ran.map(|ran| (ready, ran))) else {
            return Err(Error::InvalidInput { reason: format!("layer {layer}, head {head} is not there to be read") });
        };
        let sizes = Sizes { layer, head, ..ran };
        let reads = ready.head_reads(sizes)?;
        let pass = Pass { forward: false, selection: true };
        let (read, _) = ready.run(&self.device, &RunInputs::default(), sizes, pass, &reads, &Unhurried).await?;
        Ok(head_maps(read.into_iter()))
    }

    /// Keeps the plan that is there if it serves the request, else lays out another and writes its rotary table.
    async fn make_ready(&mut self, request: &Request, sizes: Sizes) -> Result<(), Error> {
        let purpose = purpose(&self.config, request, sizes)?;
        if !self.ready.as_ref().is_some_and(|ready| ready.serves(&purpose, &request.taps, sizes)) {
            // The old plan's buffers go before the new one's come.
            self.ready = None;
            let recorded = self.model.record(&purpose)?;
            let head_size = self.config.head_size();
            let made = Ready::new(&self.device, &self.weights, recorded, purpose, &request.taps, head_size).await?;
            self.ready = Some(made);
        }
        if let Some(ready) = &mut self.ready {
            ready.ran = None;
            ready.set_position_offset(&self.device, request.position_offset, self.stored_table.as_deref());
        }
        Ok(())
    }

    /// Names and shapes the result of the head.
    fn place_result(&self, request: &Request, data: Vec<f32>, output: &mut Output) {
        let (batch, length) = (request.batch, request.length);
        if request.top_k > 0 {
            output.top = data.chunks_exact(2 * request.top_k).map(fills).collect();
            return;
        }
        let (name, shape) = match (self.model.architecture, &request.rows) {
            (Architecture::Model, _) => ("last_hidden_state", vec![batch, length, self.config.hidden_size]),
            (Architecture::SequenceClassification, _) => ("logits", vec![batch, self.config.num_labels]),
            (Architecture::TokenClassification, _) => ("logits", vec![batch, length, self.config.num_labels]),
            (Architecture::QuestionAnswering, _) => ("logits", vec![batch, length, 2]),
            (_, Rows::At(rows)) => ("logits", vec![rows.len(), self.config.vocab_size]),
            (_, Rows::All) => ("logits", vec![batch, length, self.config.vocab_size]),
        };
        output.tensors.insert(name.into(), Tensor { shape, data });
    }

    fn arrange(&self, view: TapView, data: Vec<f32>, sizes: Sizes) -> Tensor {
        let Sizes { batch, length, .. } = sizes;
        let heads = self.config.num_attention_heads;
        let shape = match self.ready.as_ref().map(|ready| ready.plan().shapes[view.value.index()]) {
            Some(Shape::Maps { heads }) => vec![batch, heads, length, length],
            _ if view.columns.is_some() => vec![batch, heads, length, self.config.head_size()],
            _ => vec![batch, length, self.config.hidden_size],
        };
        Tensor { shape, data: view.arrange(data, batch, length) }
    }

    /// The device's counts and this session's buffers.
    fn created(&self) -> u64 {
        match &self.device {
            Device::Cpu => 0,
            Device::Gpu(device) => device.gpu.created(),
        }
    }

    fn bytes_held(&self) -> u64 {
        self.ready.as_ref().map_or(0, Ready::bytes)
            + match &self.weights {
                Weights::Cpu(weights) => weights.iter().map(|weight| 4 * weight.len() as u64).sum(),
                Weights::Gpu(weights) => weights.bytes(),
            }
    }
}

/// The map, then query and key rows in one.
fn head_maps(mut read: impl Iterator<Item = Vec<f32>>) -> HeadMaps {
    let attention = read.next().unwrap_or_default();
    let mut query = read.next().unwrap_or_default();
    let key = query.split_off(query.len() / 2);
    HeadMaps { attention, query, key }
}

/// k probabilities, then k ids.
fn fills(row: &[f32]) -> Vec<Fill> {
    let (probabilities, ids) = row.split_at(row.len() / 2);
    probabilities.iter().zip(ids).map(|(&probability, &id)| Fill { id: id as u32, probability }).collect()
}
