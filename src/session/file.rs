//! All that a run can tell of a text as one file: every tap and the result, refused by its size before anything runs.

use super::{Output, Request};
use crate::error::Error;
use crate::files::write_tensors;
use crate::model::{self, Facts};
use crate::plan::Taps;

/// Bytes of the tensors of a file that is made in memory, at most.
pub const LARGEST_FILE: u64 = 128 << 20;

impl Request {
    /// This run with every tap kept.
    ///
    /// # Errors
    /// [`Error::FileTooLarge`] where tensors would take more than [`LARGEST_FILE`].
    pub fn of_everything(self, facts: &Facts) -> Result<Self, Error> {
        let needed = self.bytes_of_everything(facts);
        if needed > LARGEST_FILE {
            return Err(Error::FileTooLarge { needed, limit: LARGEST_FILE });
        }
        Ok(Self { taps: Taps::all(facts.layers), ..self })
    }

    /// Bytes of all taps and of the result, at most.
    pub fn bytes_of_everything(&self, facts: &Facts) -> u64 {
        4 * numbers(self.batch as u64, self.length as u64, facts)
    }
}

/// Numbers of all taps and of the result.
fn numbers(batch: u64, length: u64, facts: &Facts) -> u64 {
    let [layers, heads, key_heads, size, hidden, vocabulary, labels] = [
        facts.layers,
        facts.heads,
        facts.key_heads,
        facts.head_size,
        facts.hidden_size,
        facts.vocab_size,
        facts.num_labels,
    ]
    .map(|size| size as u64);
    let result = match facts.output {
        model::Output::HiddenStates => hidden,
        model::Output::Vocabulary => vocabulary,
        model::Output::Sequence | model::Output::Tokens => labels,
        model::Output::Answer => 2,
    };
    // Of one token in one layer: its row of each map, query and key before and after they turn, value, what is written.
    let of_layer = [heads.saturating_mul(length), (2 * heads + 3 * key_heads).saturating_mul(size), heads, hidden];
    let of_layers = of_layer.into_iter().fold(0, u64::saturating_add).saturating_mul(layers);
    let of_token = of_layers.saturating_add(hidden).saturating_add(result);
    batch.saturating_mul(length).saturating_mul(of_token).min(u64::MAX / 4)
}

impl Output {
    /// Its tensors as a safetensors file, in the order of their names.
    pub fn file(&self) -> Vec<u8> {
        let tensors = self.tensors.iter().map(|(name, tensor)| (&name[..], &tensor.shape[..], &tensor.data[..]));
        write_tensors(&tensors.collect::<Vec<_>>())
    }
}
