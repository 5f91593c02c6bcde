//! A model's weights on a device.

use super::device::Device;
use crate::backend::DeviceWeights;
use crate::backend::gpu::{Gpu, GpuDevice, GpuWeights};
use crate::error::Error;
use crate::kernels::{Format, WeightData};
use crate::model::{Architecture, Facts, Variant};
use crate::plan::Weight;
use crate::rope::Frequencies;
use crate::weights::Header;
use std::rc::Rc;

/// A model's weights on a device. A clone shares them; they are freed with the last clone and the last [`Context`](super::Context).
///
/// Neither `Send` nor `Sync`: a model and its contexts stay on the thread that loaded it.
#[derive(Clone)]
pub struct Model(Rc<Loaded>);

struct Loaded {
    architecture: Architecture,
    weights: DeviceWeights,
    constants: Rc<Constants>,
    files: Option<Rc<ModelFiles>>,
}

/// The files that a model was read from, without the numbers.
#[derive(Debug, Clone)]
pub struct ModelFiles {
    /// The text of config.json.
    pub config_json: String,
    /// The names and shapes of the tensors in the file of weights.
    pub header: Header,
}

/// Numbers of the file that no kernel reads.
#[derive(Default)]
pub(super) struct Constants {
    /// A rotary table (max_position_embeddings, head_size), sines before cosines.
    pub rotary_table: Option<Vec<f32>>,
    /// θ of the first rope (head_size / 2).
    pub theta: Option<Vec<f32>>,
    /// Weights (layers · heads) and bias of ESM's contact regression.
    pub contact_head: Option<(Vec<f32>, f32)>,
}

impl Constants {
    /// Completes an architecture with facts that only the file has: its own θ, unless another scaling replaces them, and whether it has a
    /// contact head.
    pub fn complete(&self, architecture: &mut Architecture) -> Result<(), Error> {
        architecture.facts.has_contact_head = self.contact_head.is_some();
        let Architecture { stored_theta, ropes, .. } = architecture;
        if let (Some(theta), Some(_), Some(rope)) = (&self.theta, stored_theta, ropes.first_mut()) {
            *rope = rope.clone().with_theta(theta)?;
        }
        Ok(())
    }
}

impl Model {
    pub(super) fn new(
        architecture: Architecture,
        weights: DeviceWeights,
        constants: Constants,
        files: Option<ModelFiles>,
    ) -> Self {
        Self(Rc::new(Loaded { architecture, weights, constants: Rc::new(constants), files: files.map(Rc::new) }))
    }

    /// A model of given numbers, by the index of each weight in the architecture's table, whose formats they are stored in. It has no
    /// [`Model::variant`].
    ///
    /// # Errors
    /// No memory; a lost device.
    #[doc(hidden)] // `Architecture` is not part of the interface.
    pub async fn of_numbers(
        device: &Device,
        architecture: Architecture,
        numbers: Vec<Vec<f32>>,
    ) -> Result<Self, Error> {
        let table: Vec<_> = architecture.table.iter().collect();
        let stored = table.iter().zip(numbers).map(|((weight, format, _), numbers)| stored(*weight, *format, numbers));
        let weights = match device {
            Device::Cpu => DeviceWeights::Cpu(Rc::new(stored.collect())),
            Device::Gpu(device) => {
                let weights = GpuWeights::new(&device.gpu, &table).await?;
                for (index, data) in stored.enumerate() {
                    let words = match &data {
                        WeightData::Plain(numbers) | WeightData::Packed(numbers) => bytemuck::cast_slice(numbers),
                        WeightData::Quantised(_, words) => words,
                    };
                    weights.write(&device.gpu, index, 0, words);
                }
                DeviceWeights::Gpu { device: Rc::clone(device), weights: Rc::new(weights) }
            }
        };
        Ok(Self::new(architecture, weights, Constants::default(), None))
    }

    /// The same weights under other settings: another scaling of its ropes, rotated values, another kind of attention.
    ///
    /// # Errors
    /// Settings that do not fit the model; a model that was made of numbers, without a config.
    pub fn variant(&self, variant: &Variant) -> Result<Self, Error> {
        let Loaded { architecture, weights, constants, files } = &*self.0;
        let origin = files.as_ref().ok_or(Error::NoVariants)?;
        let mut other = variant.read(&origin.config_json, Some(&origin.header))?;
        if !other.table.copy_formats(&architecture.table) {
            return Err(Error::WeightsNotLoaded);
        }
        constants.complete(&mut other)?;
        let (weights, constants, files) = (weights.clone(), Rc::clone(constants), files.clone());
        Ok(Self(Rc::new(Loaded { architecture: other, weights, constants, files })))
    }

    /// The model itself under the settings of its file, else [`Model::variant`].
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn variant_or_self(&self, variant: &Variant) -> Result<Self, Error> {
        if *variant == Variant::default() { Ok(self.clone()) } else { self.variant(variant) }
    }

    /// Sizes and settings, in the words of config.json.
    pub fn facts(&self) -> &Facts {
        &self.0.architecture.facts
    }

    /// Numbers in all weights; a tied weight counts once.
    pub fn parameters(&self) -> u64 {
        self.0.architecture.table.parameters()
    }

    /// θ and magnitude of a layer's rope for a text of `length` tokens; `None` where the layer has no rope.
    pub fn frequencies(&self, layer: usize, length: u64) -> Option<Frequencies> {
        self.0.architecture.rope(layer).map(|rope| rope.frequencies(length))
    }

    /// "CPU", or the name and driver of the GPU adapter.
    pub fn backend_name(&self) -> String {
        self.gpu().map_or_else(|| "CPU".into(), Gpu::describe)
    }

    /// The GPU that holds the weights; `None` on the CPU.
    #[doc(hidden)] // `Gpu` is not part of the interface.
    pub fn gpu(&self) -> Option<&Gpu> {
        self.device().map(|device| &device.gpu)
    }

    /// That GPU with its pipelines.
    #[doc(hidden)] // Nor is `GpuDevice`.
    pub fn device(&self) -> Option<&Rc<GpuDevice>> {
        self.0.weights.device()
    }

    /// Buffers, bind groups and pipelines created on its device so far; 0 on the CPU.
    pub fn created(&self) -> u64 {
        self.gpu().map_or(0, Gpu::created)
    }

    /// Bytes of the weights; [`Context::bytes`](super::Context::bytes) counts the rest.
    pub fn bytes(&self) -> u64 {
        self.0.weights.bytes()
    }

    /// Its files; `None` of a model that was made of numbers.
    pub(super) fn files(&self) -> Option<&ModelFiles> {
        self.0.files.as_deref()
    }

    pub(super) fn architecture(&self) -> &Architecture {
        &self.0.architecture
    }

    pub(super) fn weights(&self) -> &DeviceWeights {
        &self.0.weights
    }

    pub(super) fn constants(&self) -> &Constants {
        &self.0.constants
    }

    /// The file's rotary table, unless a variant's ropes replace it.
    pub(super) fn rotary_table(&self) -> Option<&[f32]> {
        self.0.constants.rotary_table.as_deref().filter(|_| self.0.architecture.stored_table.is_some())
    }
}

/// A weight's numbers, row-major, in its format.
fn stored(weight: Weight, format: Format, numbers: Vec<f32>) -> WeightData {
    let Some(quantised) = format.quantised() else { return WeightData::Plain(numbers) };
    let row_words = quantised.row_words(weight.columns);
    let mut words = vec![0; weight.rows * row_words];
    for (row, words) in numbers.chunks_exact(weight.columns).zip(words.chunks_exact_mut(row_words)) {
        quantised.quantise(row, words);
    }
    WeightData::Quantised(quantised, words)
}
