//! Models of seeded random weights, in Hugging Face's form: something to measure at a given size.

pub mod llama;
pub mod roformer;

use std::collections::HashMap;
use std::f64::consts::TAU;
use std::fs;
use std::path::Path;

use half::f16;
use safetensors::tensor::{Dtype, TensorView, serialize_to_file};
use serde_json::Value;

/// Of a random model.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    pub layers: usize,
    pub hidden: usize,
    pub heads: usize,
    /// RoFormer has as many as heads.
    pub key_heads: usize,
    pub intermediate: usize,
    pub vocabulary: usize,
}

/// What the numbers of a file are stored as.
#[derive(Debug, Clone, Copy)]
pub enum Stored {
    F32,
    F16,
}

/// A model whose numbers are still to be drawn.
pub struct RandomModel {
    config: Value,
    /// Names and shapes, in the order in which they are drawn.
    tensors: Vec<(String, Vec<usize>)>,
    /// How the names of norms' gains end, which lie around 1.
    gains: &'static str,
    stored: Stored,
}

/// Standard deviation of the weights (`initializer_range` of both families).
const DEVIATION: f64 = 0.02;

impl RandomModel {
    /// Writes `config.json` and `model.safetensors` into the folder: the same bytes every time.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn write(self, folder: &Path) -> anyhow::Result<()> {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("config.json"), serde_json::to_string_pretty(&self.config)?)?;
        let mut normal = Normal { state: 20_210_420 };
        let mut numbers = |name: &str, count: usize| -> Vec<u8> {
            let centre = if name.ends_with(self.gains) { 1.0 } else { 0.0 };
            let numbers = (0..count).map(|_| (centre + DEVIATION * normal.next()) as f32);
            match self.stored {
                Stored::F32 => numbers.flat_map(f32::to_le_bytes).collect(),
                Stored::F16 => numbers.flat_map(|number| f16::from_f32(number).to_le_bytes()).collect(),
            }
        };
        let data: Vec<Vec<u8>> =
            self.tensors.iter().map(|(name, shape)| numbers(name, shape.iter().product())).collect();
        let dtype = match self.stored {
            Stored::F32 => Dtype::F32,
            Stored::F16 => Dtype::F16,
        };
        let views = self.tensors.iter().zip(&data);
        let views = views
            .map(|((name, shape), data)| Ok((name, TensorView::new(dtype, shape.clone(), data)?)))
            .collect::<Result<HashMap<_, _>, safetensors::SafeTensorError>>()?;
        Ok(serialize_to_file(views, None, &folder.join("model.safetensors"))?)
    }
}

/// Normally distributed numbers: Box and Muller's transform of a splitmix64 sequence.
struct Normal {
    state: u64,
}

impl Normal {
    fn next(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (TAU * self.uniform()).cos()
    }

    /// In [0, 1).
    fn uniform(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}
