//! Every tap and the result of a run as one file. A file that is too large is refused before anything runs.

use super::{Output, Request, Tensor, every_tap};
use crate::error::Error;
use crate::model::{Facts, HeadKind};
use crate::plan::Taps;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

/// The most bytes of tensors in a file that is written to memory.
pub const LARGEST_FILE: u64 = 128 << 20;

/// Numbers of a file that are converted to bytes at once.
const NUMBERS: usize = 1 << 14;

impl Request {
    /// The same request with every tap.
    ///
    /// # Errors
    /// [`Error::FileTooLarge`] for tensors of more than [`LARGEST_FILE`].
    pub fn of_everything(self, facts: &Facts) -> Result<Self, Error> {
        let needed = self.bytes_of_everything(facts);
        if needed > LARGEST_FILE {
            return Err(Error::FileTooLarge { needed, limit: LARGEST_FILE });
        }
        Ok(Self { taps: every_tap(facts), ..self })
    }

    /// Bytes of all taps and of the result, at most.
    pub fn bytes_of_everything(&self, facts: &Facts) -> u64 {
        // In f64 nothing overflows, whatever a config claims; up to 2⁵³ it is exact.
        let many = |size: usize| size as f64;
        let result = match facts.output {
            HeadKind::HiddenStates => facts.hidden_size,
            HeadKind::Vocabulary => facts.vocab_size,
            HeadKind::Sequence | HeadKind::Tokens => facts.num_labels,
            HeadKind::Answer => 2,
        };
        let (heads, hidden) = (many(facts.heads), many(facts.hidden_size));
        // The numbers of a token in one layer: its input, a row of each map, its query and key before and after rotation, its value, and
        // for each head the norm of its output.
        let rows = (2.0 * heads + 3.0 * many(facts.key_heads)) * many(facts.head_size);
        let source = self.source.as_ref().map_or(0, |source| source.length);
        let of_layer = hidden + heads * many(self.length + source) + rows + heads;
        let of_token = many(facts.layers) * of_layer + hidden + many(result);
        let of_text = 4.0 * many(self.batch) * many(self.length) * of_token;
        let of_source = self.source.as_ref().zip(facts.encoder.as_deref()).map_or(0, |(source, encoder)| {
            let encoded = Request::of_source(source, Taps::none()).bytes_of_everything(encoder);
            // Cross-attention's queries, and its keys and values of the source.
            let rows = many(self.batch) * many(self.length) + 2.0 * many(source.batch()) * many(source.length);
            let of_cross = 4.0 * many(facts.layers) * heads * many(facts.head_size) * rows;
            encoded.saturating_add(of_cross as u64)
        });
        (of_text as u64).saturating_add(of_source)
    }
}

impl Output {
    /// Its tensors by the names that Hugging Face gives them: the taps and the result, which takes the place of tapped logits. `facts`: those of
    /// the model.
    pub fn named(&self, facts: &Facts) -> BTreeMap<String, &Tensor> {
        let in_pair = facts.encoder.is_some();
        let result = self.result.iter().map(|tensor| (facts.result_name().into(), tensor));
        self.taps.iter().map(|(site, tensor)| (site.name(in_pair), tensor)).chain(result).collect()
    }

    /// Its tensors as a safetensors file, in the order of their names.
    pub fn file(&self, facts: &Facts) -> Vec<u8> {
        let mut file = Vec::new();
        let _ = self.write_to(&mut file, facts); // a Vec takes every write
        file
    }

    /// Writes the same piece by piece: it takes no second copy of the tensors.
    ///
    /// # Errors
    /// Those of the file.
    pub fn write_to<W: io::Write + ?Sized>(&self, file: &mut W, facts: &Facts) -> io::Result<()> {
        let tensors = self.named(facts);
        let mut header = String::from("{");
        let mut end = 0;
        for (name, Tensor { shape, data }) in &tensors {
            let (first, comma) = (end, if end == 0 { "" } else { "," });
            end += 4 * data.len();
            // A String takes every write.
            let entry = format_args!(r#"{{"dtype":"F32","shape":{shape:?},"data_offsets":[{first},{end}]}}"#);
            let _ = write!(header, "{comma}{name:?}:{entry}");
        }
        header.push('}');
        // Numbers begin at a multiple of their own size.
        while !header.len().is_multiple_of(8) {
            header.push(' ');
        }
        file.write_all(&(header.len() as u64).to_le_bytes())?;
        file.write_all(header.as_bytes())?;
        for numbers in tensors.values().flat_map(|tensor| tensor.data.chunks(NUMBERS)) {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            file.write_all(&bytes)?;
        }
        Ok(())
    }
}
