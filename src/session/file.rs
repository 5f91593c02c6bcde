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
        // Whatever a config claims, nothing overflows; up to 2⁵³ it is exact.
        let many = |size: usize| size as f64;
        let result = match facts.output {
            model::Output::HiddenStates => facts.hidden_size,
            model::Output::Vocabulary => facts.vocab_size,
            model::Output::Sequence | model::Output::Tokens => facts.num_labels,
            model::Output::Answer => 2,
        };
        let (heads, hidden) = (many(facts.heads), many(facts.hidden_size));
        // Of one token in one layer: what enters it, its row of each map, query and key before and after they turn, value, what
        // is written.
        let rows = (2.0 * heads + 3.0 * many(facts.key_heads)) * many(facts.head_size);
        let of_layer = hidden + heads * many(self.length) + rows + heads;
        let of_token = many(facts.layers) * of_layer + hidden + many(result);
        (4.0 * many(self.batch) * many(self.length) * of_token) as u64
    }
}

impl Output {
    /// Its tensors as a safetensors file, in the order of their names.
    pub fn file(&self) -> Vec<u8> {
        let tensors = self.tensors.iter().map(|(name, tensor)| (&name[..], &tensor.shape[..], &tensor.data[..]));
        write_tensors(&tensors.collect::<Vec<_>>())
    }
}
