//! Loading a model: weights are written to the device while the file arrives, and the file itself is never in memory.

use super::device::Device;
use super::model::{Constants, Model, ModelFiles};
use super::plans::MIN_CAPACITY;
use super::probe_reads::{add_grid_probe, add_head_probe};
use crate::backend::gpu::{GpuDevice, GpuWeights};
use crate::backend::{DeviceWeights, Reads};
use crate::error::Error;
use crate::kernels::Format;
use crate::model::{Architecture, Variant};
use crate::plan::{Capacity, Part, PlanOptions, Sizes};
use crate::weight_table::{HostSink, HostWeight, Sink, WeightStream};
use crate::weights::Header;
use std::rc::Rc;

/// The options of loading a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LoadOptions {
    /// The format of the matrices in memory; `None`: as the file stores them.
    pub format: Option<Format>,
    /// Settings other than those of config.json.
    pub variant: Variant,
}

/// A model whose weights have not all arrived.
pub struct Loading {
    architecture: Architecture,
    files: ModelFiles,
    variant: Variant,
    stream: WeightStream,
    target: Target,
}

enum Target {
    Cpu(HostSink),
    Gpu(Upload),
}

struct Upload {
    device: Rc<GpuDevice>,
    weights: GpuWeights,
}

impl Target {
    fn sink(&mut self) -> &mut dyn Sink {
        match self {
            Target::Cpu(sink) => sink,
            Target::Gpu(sink) => sink,
        }
    }
}

impl Sink for Upload {
    fn write(&mut self, weight: usize, first: u64, words: &[u32]) -> Result<(), Error> {
        self.weights.write(&self.device.gpu, weight, first, words);
        Ok(())
    }
}

impl Loading {
    /// Checks config and tensors, and makes room for the weights: a model that does not fit is refused before any of its numbers is
    /// read.
    ///
    /// # Errors
    /// A config that does not run here; missing tensors, wrong shapes, unsupported dtypes; rows larger than a binding; no memory.
    pub async fn begin(device: &Device, files: ModelFiles, options: LoadOptions) -> Result<Self, Error> {
        let LoadOptions { format, variant } = options;
        let header = &files.header;
        // A variant that does not fit is refused before any byte is read.
        variant.read(&files.config_json, Some(header))?;
        let mut architecture = Architecture::read(&files.config_json, Some(header))?;
        architecture.table.set_formats(format, header);
        let stream = WeightStream::new(&architecture.table, header)?;
        let mut target = match device {
            Device::Cpu => Target::Cpu(HostSink::new(&architecture.table)?),
            Device::Gpu(device) => {
                let table: Vec<_> = architecture.table.iter().collect();
                let weights = GpuWeights::new(&device.gpu, &table).await?;
                Target::Gpu(Upload { device: Rc::clone(device), weights })
            }
        };
        let sink = target.sink();
        for (weight, generate) in architecture.table.missing_generated(header) {
            for row in 0..weight.rows {
                let numbers = generate(row, weight.columns);
                sink.write(weight.index, (row * weight.columns) as u64, bytemuck::cast_slice(&numbers))?;
            }
        }
        Ok(Self { architecture, files, variant, stream, target })
    }

    /// Compiles the pipelines of a first run and of its heads' maps, on a GPU: the driver may do that while the weights arrive.
    ///
    /// # Errors
    /// Those of recording the plan.
    pub fn compile(&self) -> Result<(), Error> {
        let Target::Gpu(Upload { device, .. }) = &self.target else { return Ok(()) };
        let architecture = &self.architecture;
        let predicts = architecture.facts.predicts_tokens();
        // The capacity decides which kernels a plan takes.
        let [length, rows] = MIN_CAPACITY;
        let plan_options = PlanOptions {
            keeps_heads: true,
            has_cache: architecture.facts.causal,
            gathers_rows: predicts,
            top_k: usize::from(predicts),
            splits_work: true,
            f16_weights: device.gpu.has_f16_weights(),
            ..PlanOptions::new(Capacity::new(1, length, rows))
        };
        let plan = architecture.record(&plan_options)?.plan;
        device.compile(&plan.steps);
        if let Some(heads) = plan.heads(Part::Decoder).first() {
            let sizes = Sizes::from(plan.capacity);
            let mut probes = Reads::default();
            let _ = add_head_probe(&mut probes, heads, 0, sizes);
            let _ = add_grid_probe(&mut probes, &[*heads], 1, sizes);
            device.compile(probes.probes());
        }
        Ok(())
    }

    /// Takes the next bytes of the file's data, which follow its header.
    ///
    /// # Errors
    /// More bytes than the header describes.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), Error> {
        self.stream.push(chunk, self.target.sink())
    }

    /// The model, once all bytes have arrived.
    ///
    /// # Errors
    /// [`Error::Truncated`]; θ of the file that are not finite; a lost device.
    pub fn finish(mut self) -> Result<Model, Error> {
        let host = self.stream.finish()?;
        let numbers = |weight: Option<HostWeight>| weight.and_then(|weight| host.get(weight)).map(<[f32]>::to_vec);
        let Architecture { stored_table, stored_theta, contact_head, .. } = self.architecture;
        let [weights, bias] = [0, 1].map(|at| numbers(contact_head.map(|head| head[at])));
        let bias = bias.and_then(|bias| bias.first().copied());
        let constants = Constants {
            rotary_table: numbers(stored_table),
            theta: numbers(stored_theta),
            contact_head: weights.zip(bias),
        };
        constants.complete(&mut self.architecture)?;
        let weights = match self.target {
            Target::Cpu(sink) => DeviceWeights::Cpu(Rc::new(sink.into_weights(&self.architecture.table))),
            Target::Gpu(Upload { device, weights }) => {
                device.gpu.check_alive()?;
                DeviceWeights::Gpu { device, weights: Rc::new(weights) }
            }
        };
        let model = Model::new(self.architecture, weights, constants, Some(self.files));
        if self.variant == Variant::default() { Ok(model) } else { model.variant(&self.variant) }
    }
}

impl Model {
    /// Loads a model from the text of config.json and the bytes of a safetensors file.
    ///
    /// # Errors
    /// A config or tensors that do not run here; no memory; a lost device.
    pub async fn load(device: &Device, config_json: &str, file: &[u8], options: LoadOptions) -> Result<Self, Error> {
        let header = Header::parse(file, Some(file.len() as u64))?;
        let data = usize::try_from(header.length()).ok().and_then(|header| file.get(header..));
        let files = ModelFiles { config_json: config_json.into(), header };
        let mut loading = Loading::begin(device, files, options).await?;
        loading.push(data.unwrap_or_default())?;
        loading.finish()
    }
}
