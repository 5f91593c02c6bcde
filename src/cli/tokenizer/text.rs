//! Texts before they are tokenised: FASTA records, and texts that are too long.

use std::borrow::Cow;

use super::{Tokenizer, library};
use crate::cli::argument_error::invalid;
use crate::error::Error;

const PIECE: usize = 1 << 16;

/// Tokens that a piece may have in excess, because it cuts words at its ends.
const EXTRA_TOKENS: u64 = 256;

/// The sequence of the first FASTA record, without its description. Any other text stays unchanged.
fn sequence_of(text: &str) -> Cow<'_, str> {
    if !text.trim_start().starts_with('>') {
        return text.into();
    }
    let line_end = |character| matches!(character, '\r' | '\n');
    let lines = text.trim_start().split(line_end).skip(1);
    lines.take_while(|line| !line.trim_start().starts_with('>')).collect::<Vec<_>>().join("\n").into()
}

impl Tokenizer {
    /// The text that is tokenised: of a protein in a FASTA record, its sequence.
    pub(super) fn without_fasta_header<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.has_residues { sequence_of(text) } else { text.into() }
    }

    /// Refuses a text of more than `longest` tokens before it is tokenised, which takes some hundred times its memory. Tokens are counted
    /// piece by piece; a text that is only slightly longer passes.
    pub fn check_length(&self, text: &str, longest: Option<u64>) -> Result<(), Error> {
        let text = self.without_fasta_header(text);
        let Some(longest) = longest.filter(|_| text.len() > PIECE) else { return Ok(()) };
        let (mut rest, mut tokens) = (&*text, 0);
        while !rest.is_empty() && tokens <= longest {
            let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE));
            // A cut word may be unknown although the text has only known words, so an error counts as no tokens.
            let count = library::call(|| self.inner.encode_fast(piece, false)).map_or(0, |encoding| encoding.len());
            tokens += (count as u64).saturating_sub(EXTRA_TOKENS);
            rest = after;
        }
        if tokens <= longest {
            return Ok(());
        }
        let (read, all) = (text.len() - rest.len(), text.len());
        invalid(format!(
            "the text has more tokens than the {longest} that the model is made for: {tokens} in the first {read} of its {all} bytes; shorten it"
        ))
    }
}
