//! A length check for long texts, before a tokenizer takes some hundred times their memory.

use super::{Tokenizer, library, residues};
use crate::error::Error;

/// Bytes of a piece.
const PIECE: usize = 1 << 16;

/// Tokens that a piece may have in excess, because it cuts words at its ends.
const EXTRA_TOKENS: u64 = 256;

impl Tokenizer {
    /// Counts tokens piece by piece up to `longest`. A text that is only slightly longer passes.
    pub fn check_length(&self, text: &str, longest: Option<u64>) -> Result<(), Error> {
        let text = if self.has_residues { residues::sequence_of(text) } else { text.into() };
        let Some(longest) = longest.filter(|_| text.len() > PIECE) else { return Ok(()) };
        let (mut rest, mut tokens) = (&*text, 0);
        while !rest.is_empty() && tokens <= longest {
            let (piece, behind) = rest.split_at(rest.floor_char_boundary(PIECE));
            // A cut word may be unknown although the text has only known words, so an error counts as no tokens.
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
