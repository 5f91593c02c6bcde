//! A comparison of an adapter's results with the CPU's: other projects have shipped silently wrong numbers.

use super::{ContextOptions, Device, HeadId, Model, Output, PredictionRows, Request};
use crate::backend::NeverCancelled;
use crate::error::{Error, SelfCheckResult};
use crate::kernels::Format;
use crate::model::Architecture;
use crate::plan::Weight;

/// A RoFormer whose kernels are those of the usual models, with synthetic numbers.
const CONFIG: &str = r#"{"model_type": "roformer", "architectures": ["RoFormerForMaskedLM"], "vocab_size": 23, "hidden_size": 16,
    "embedding_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 20, "type_vocab_size": 2,
    "max_position_embeddings": 8}"#;

/// The largest allowed difference from the CPU, as a share of the largest number, or of 1 if that is larger.
const TOLERANCE: f32 = 1e-3;

impl Device {
    /// Runs a small model on the adapter and on the CPU, and compares the results.
    ///
    /// # Errors
    /// [`Error::SelfCheckFailed`] for different results; errors of the adapter.
    pub async fn check(&self) -> Result<(), Error> {
        let Device::Gpu(device) = self else { return Ok(()) };
        let f16_weights = device.gpu.has_f16_weights();
        let expected = results(&Device::Cpu, f16_weights).await?;
        let found = results(self, f16_weights).await?;
        for ((what, found), (_, expected)) in found.iter().zip(&expected) {
            let largest = expected.iter().fold(1.0, |largest: f32, number| largest.max(number.abs()));
            // NaN is not close: a comparison with it is false.
            let close = |(found, expected): (&f32, &f32)| (found - expected).abs() <= TOLERANCE * largest;
            if found.len() != expected.len() || !found.iter().zip(expected).all(close) {
                return Err(Error::SelfCheckFailed { adapter: self.describe(), what: *what });
            }
        }
        Ok(())
    }
}

/// Fills, and the map and rows of a head, as one device computes them. With `f16_weights` every other matrix is stored as f16.
async fn results(device: &Device, f16_weights: bool) -> Result<[(SelfCheckResult, Vec<f32>); 4], Error> {
    let mut architecture = Architecture::read(CONFIG, None)?;
    let weights: Vec<Weight> = architecture.table.iter().map(|(weight, ..)| weight).collect();
    let numbers = weights.iter().map(|weight| synthetic(*weight)).collect();
    if f16_weights {
        let matrices = weights.into_iter().filter(|weight| weight.rows > 1);
        matrices.step_by(2).for_each(|weight| architecture.table.set_format(weight, Format::F16));
    }
    let model = Model::of_numbers(device, architecture, numbers).await?;
    let request = Request {
        attention_mask: Some(vec![1, 1, 1, 1, 0]),
        rows: PredictionRows::At(vec![1, 3]),
        top_k: 5,
        selection: Some(HeadId::new(0, 1)),
        ..Request::new(vec![3, 7, 11, 2, 19], 1, 5)
    };
    let context = model.context(ContextOptions::default());
    let (Output { top, head, .. }, _) = context.run(&request, &NeverCancelled).await?;
    let head = head.ok_or(Error::NoHeads)?;
    let fills = top.iter().flatten().flat_map(|fill| [fill.id as f32, fill.log_probability]).collect();
    Ok([
        (SelfCheckResult::Fills, fills),
        (SelfCheckResult::AttentionMap, head.attention),
        (SelfCheckResult::Queries, head.query),
        (SelfCheckResult::Keys, head.key),
    ])
}

/// Pseudo-random numbers between −0.5 and 0.5, the same at every call.
pub fn synthetic(weight: Weight) -> Vec<f32> {
    let number = |at: usize| {
        ((at.wrapping_mul(7919).wrapping_add(weight.index * 104_729).wrapping_add(at.wrapping_mul(at))) % 1009) as f32
            / 1009.0
            - 0.5
    };
    (0..weight.rows * weight.columns).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::gpu::{AdapterChoice, Gpu, GpuDevice};
    use crate::runtime::BackendChoice;
    use std::rc::Rc;

    #[test]
    fn a_sound_adapter_passes() {
        let device = pollster::block_on(Device::open(BackendChoice::Gpu)).expect("a Vulkan adapter");
        pollster::block_on(device.check()).unwrap();
    }

    #[test]
    fn an_adapter_that_reads_16_bit_floats_passes() {
        let gpu = pollster::block_on(async { Gpu::open(AdapterChoice::Any).await?.with_f16().await }).unwrap();
        let device = Rc::new(GpuDevice::new(gpu.with_f16_weights()));
        pollster::block_on(Device::Gpu(Rc::clone(&device)).check()).unwrap();
        let products = device.kernels().into_iter().filter(|kernel| kernel.shader.starts_with("gemm/"));
        let (f16, others): (Vec<_>, Vec<_>) = products.partition(|kernel| kernel.conditions.contains(&"f16_weights"));
        assert!(f16.len() >= 2 && others.len() >= 2, "{f16:?}, {others:?}");
    }

    #[test]
    fn what_is_compared_depends_on_every_weight() {
        // Two best tokens that are nearly as good would make the ids a matter of rounding.
        for f16_weights in [false, true] {
            let [(_, fills), ..] = pollster::block_on(results(&Device::Cpu, f16_weights)).unwrap();
            let logarithms: Vec<f32> = fills.iter().skip(1).step_by(2).copied().collect();
            let differ = logarithms.chunks(5).all(|row| row.windows(2).all(|pair| pair[0] - pair[1] > 0.01));
            assert!(differ, "{logarithms:?}");
        }
    }
}
