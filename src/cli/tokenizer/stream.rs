//! Decodes ids to text, one after another.

use super::bytes::Characters;
use super::decoder::Decoder;

/// Returns the text that each id completes. Bytes of an unfinished character wait for the rest of it; bytes that never become a
/// character are written as ⟨E2⟩. Special tokens have no text.
pub struct TextStream<'a> {
    vocabulary: &'a tokenizers::Tokenizer,
    decoder: &'a Decoder,
    characters: Characters,
    is_first: bool,
    /// The number of characters that the decoder may still strip from the start of the text.
    to_strip: usize,
}

impl<'a> TextStream<'a> {
    /// `continues`: other text precedes the stream, so its first token keeps its space.
    pub(super) fn new(vocabulary: &'a tokenizers::Tokenizer, decoder: &'a Decoder, continues: bool) -> TextStream<'a> {
        let strip = decoder.strip.map_or(0, |(_, count)| count);
        let to_strip = if continues { 0 } else { strip };
        TextStream { vocabulary, decoder, characters: Characters::default(), is_first: !continues, to_strip }
    }

    /// The text that this token completes.
    pub fn push(&mut self, id: u32) -> String {
        let Some(token) = self.token(id) else { return String::new() };
        let bytes = self.decoder.read(&token, self.is_first);
        self.is_first = false;
        let text = self.characters.push(&bytes);
        self.strip(text)
    }

    /// The token in the decoder's notation; `None` for a special or unknown token.
    fn token(&self, id: u32) -> Option<String> {
        match self.vocabulary.get_added_vocabulary().get_added_tokens_decoder().get(&id) {
            Some(token) if token.special => None,
            _ => self.vocabulary.id_to_token(id),
        }
    }

    /// The bytes that still wait, written as ⟨E2⟩.
    pub fn flush(&mut self) -> String {
        let text = self.characters.flush();
        self.strip(text)
    }

    fn strip(&mut self, mut text: String) -> String {
        let Some((content, _)) = self.decoder.strip else { return text };
        while self.to_strip > 0 && !text.is_empty() {
            match text.strip_prefix(content) {
                Some(rest) => {
                    self.to_strip -= 1;
                    text = rest.into();
                }
                None => self.to_strip = 0,
            }
        }
        text
    }
}
