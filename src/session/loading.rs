//! A model on its way: its weights go where they are read as the file arrives; the file itself is never held.

use super::backend::Backend;
use super::device::{BackendChoice, Device, GpuDevice};
use super::loaded::{Session, Stored};
use crate::backend::gpu::GpuWeights;
use crate::error::Error;
use crate::model::Model;
use crate::weight_table::{HostSink, HostWeight, Sink, WeightStream};
use crate::weights::Header;
use std::rc::Rc;

/// A model whose weights are not all there yet.
pub struct Loading {
    model: Model,
    stream: WeightStream,
    home: Home,
}

enum Home {
    Cpu(HostSink),
    Gpu(Upload),
}

struct Upload {
    device: Rc<GpuDevice>,
    weights: GpuWeights,
}

impl Sink for Upload {
    fn write(&mut self, weight: usize, first: u64, numbers: &[f32]) -> Result<(), Error> {
        self.weights.write(&self.device.gpu, weight, first, bytemuck::cast_slice(numbers));
        Ok(())
    }

    fn write_words(&mut self, weight: usize, first: u64, words: &[u32]) -> Result<(), Error> {
        self.weights.write(&self.device.gpu, weight, first, words);
        Ok(())
    }
}

impl Loading {
    /// Checks every tensor, and makes room for the weights: a model that cannot fit is refused before any of it is read.
    ///
    /// # Errors
    /// Missing tensors, wrong shapes, unsupported dtypes; rows larger than a binding; no room for the weights.
    pub async fn begin(model: Model, header: &Header, device: &Device) -> Result<Self, Error> {
        let stream = WeightStream::new(&model.table, header)?;
        let mut home = match device {
            Device::Cpu => Home::Cpu(HostSink::new(&model.table)?),
            Device::Gpu(device) => {
                let weights: Vec<_> =
                    model.table.iter().map(|(weight, format, name)| (weight, format, name.to_string())).collect();
                let weights = GpuWeights::new(&device.gpu, &weights).await?;
                Home::Gpu(Upload { device: Rc::clone(device), weights })
            }
        };
        let sink: &mut dyn Sink = match &mut home {
            Home::Cpu(sink) => sink,
            Home::Gpu(sink) => sink,
        };
        for (weight, make) in model.table.to_generate(header) {
            for row in 0..weight.rows {
                sink.write(weight.index, (row * weight.columns) as u64, &make(row, weight.columns))?;
            }
        }
        Ok(Self { model, stream, home })
    }

    /// Takes the next bytes of the file's data, which begin behind its header.
    ///
    /// # Errors
    /// More bytes than the header tells of.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), Error> {
        match &mut self.home {
            Home::Cpu(sink) => self.stream.push(chunk, sink),
            Home::Gpu(sink) => self.stream.push(chunk, sink),
        }
    }

    /// The model, once all bytes are there.
    ///
    /// # Errors
    /// [`Error::CutShort`]; θ in the file that are no numbers; a lost device.
    pub fn finish(mut self) -> Result<Session, Error> {
        let host = self.stream.finish()?;
        let kept = |weight: Option<HostWeight>| weight.and_then(|weight| host.get(weight)).map(<[f32]>::to_vec);
        let Model { stored_table, stored_theta, contact_head, .. } = self.model;
        let [weights, bias] = [0, 1].map(|at| kept(contact_head.map(|head| head[at])));
        let bias = bias.and_then(|bias| bias.first().copied());
        let stored = Stored { table: kept(stored_table), theta: kept(stored_theta), contact_head: weights.zip(bias) };
        stored.turn(&mut self.model)?;
        self.model.facts.tells_contacts = stored.contact_head.is_some();
        let backend = match self.home {
            Home::Cpu(sink) => Backend::on_cpu(sink.into_weights(&self.model.table)),
            Home::Gpu(Upload { device, weights }) => {
                device.gpu.alive()?;
                Backend::on_gpu(device, weights)
            }
        };
        Ok(Session::new(self.model, backend, stored))
    }
}

impl Session {
    /// Loads a model from the bytes of config.json and of a safetensors file.
    ///
    /// # Errors
    /// Those of [`Model::read`], [`Header::parse`] and [`Loading`].
    pub async fn load(config_json: &str, file: &[u8], device: &Device) -> Result<Self, Error> {
        let header = Header::parse(file, Some(file.len() as u64))?;
        let model = Model::read(config_json, Some(&header))?;
        let mut loading = Loading::begin(model, &header, device).await?;
        let data = usize::try_from(header.length()).ok().and_then(|header| file.get(header..));
        loading.push(data.unwrap_or_default())?;
        loading.finish()
    }

    /// Opens a backend and loads a model on it.
    ///
    /// # Errors
    /// Those of [`Device::open`] and [`Session::load`].
    pub async fn open(config_json: &str, file: &[u8], backend: BackendChoice) -> Result<Self, Error> {
        Self::load(config_json, file, &Device::open(backend).await?).await
    }
}
