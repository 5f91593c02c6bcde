//! Whether a long text can fit a model, without all of it being in the tokenizer, which takes some hundred times its memory.

use super::{Tokenizer, library, residues};
use crate::error::Error;

/// Bytes that are counted together.
const PIECE: usize = 1 << 16;

/// Tokens that a piece may have more than its part of the whole text, because words are cut at its ends.
const EXTRA_TOKENS: u64 = 256;

impl Tokenizer {
    /// Refuses a text of more than `longest` tokens as soon as so many are counted. A text that is close to that passes.
    ///
    /// # Errors
    /// Such a text.
    pub fn check_length(&self, text: &str, longest: Option<u64>) -> Result<(), Error> {
        let text = if self.residues { residues::sequence_of(text) } else { text.into() };
        let Some(longest) = longest.filter(|_| text.len() > PIECE) else { return Ok(()) };
        let (mut rest, mut tokens) = (&*text, 0);
        while !rest.is_empty() && tokens <= longest {
            let (piece, behind) = rest.split_at(rest.floor_char_boundary(PIECE));
            // A word that was cut may be unknown although all words of the text are known: only the whole text can be in error.
            let count = library::call(|| self.inner.encode_fast(piece, false)).map_or(0, |encoding| encoding.len());
            tokens += (count as u64).saturating_sub(EXTRA_TOKENS);
            rest = behind;
        }
        if tokens <= longest {
            return Ok(());
        }
        let (read, all) = (text.len() - rest.len(), text.len());
        let reason = format!(
            "the text has more tokens than the {longest} that the model is made for: {tokens} in the first {read} of its {all} bytes; shorten it"
        );
        Err(Error::InvalidInput { reason })
    }
}
