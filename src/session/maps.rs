//! Every layer's maps of the last run, where they lie: what the painters read.

use super::ready::Running;
use super::{Device, Session};
use crate::backend::gpu::Gpu;
use crate::error::Error;
use crate::plan::{Tap, Value};

/// Probabilities of the last run, where they lie. Each layer: (heads, length, length) of the first sequence.
pub struct Maps<'a> {
    pub layers: LayerMaps<'a>,
    pub heads: usize,
    pub length: usize,
}

/// A layer's maps in memory or in a buffer.
pub enum LayerMaps<'a> {
    Cpu(Vec<&'a [f32]>),
    Gpu(Vec<&'a wgpu::Buffer>),
}

impl Session {
    /// What the painter reads: every layer's maps of the last run, and its sizes. `None` before a run with a selection.
    pub fn maps(&self) -> Option<Maps<'_>> {
        let ready = self.ready.as_ref().filter(|ready| ready.keeps_heads())?;
        let layers = (0..self.config.num_hidden_layers).filter_map(|layer| ready.plan().tap(Tap::Attentions(layer)));
        let values: Vec<Value> = layers.map(|view| view.value).collect();
        let layers = match &ready.running {
            Running::Cpu(plan) => LayerMaps::Cpu(values.iter().map(|value| plan.value(*value)).collect()),
            Running::Gpu(plan) => LayerMaps::Gpu(values.iter().map(|value| plan.buffer(*value)).collect()),
        };
        Some(Maps { layers, heads: self.config.num_attention_heads, length: ready.ran?.length })
    }

    /// Every layer's maps of the last run, copied from wherever they lie: (heads, length, length) each.
    ///
    /// # Errors
    /// No run kept them; a lost device.
    pub async fn read_maps(&self) -> Result<Vec<Vec<f32>>, Error> {
        let missing = Error::InvalidInput { reason: "no run has kept its maps yet".into() };
        let Maps { layers, heads, length } = self.maps().ok_or(missing)?;
        let count = heads * length * length;
        match (layers, self.gpu()) {
            (LayerMaps::Gpu(buffers), Some(gpu)) => {
                let mut maps = Vec::with_capacity(buffers.len());
                for buffer in buffers {
                    maps.push(gpu.read(buffer, count).await?);
                }
                Ok(maps)
            }
            (LayerMaps::Cpu(maps), _) => Ok(maps.into_iter().map(|map| map[..count].to_vec()).collect()),
            (LayerMaps::Gpu(_), None) => Err(Error::Gpu { reason: "the maps are on no device".into() }),
        }
    }

    /// The device it runs on, if that is a GPU.
    pub fn gpu(&self) -> Option<&Gpu> {
        match &self.device {
            Device::Cpu => None,
            Device::Gpu(device) => Some(&device.gpu),
        }
    }
}
