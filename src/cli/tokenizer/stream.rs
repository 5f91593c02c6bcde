//! Ids to text, one after another.

use super::Tokenizer;
use super::bytes::Characters;

/// Gives with every id the text that is certain by then. Bytes that split a character are held back until it is whole,
/// and are written ⟨E2⟩ where it never will be. Special tokens stand for no text.
pub struct TextStream<'a> {
    tokenizer: &'a Tokenizer,
    characters: Characters,
    first: bool,
    /// How often something may still be taken off the beginning.
    to_strip: usize,
}

impl<'a> TextStream<'a> {
    /// `continues`: there is text before it, so that the first token keeps its space.
    pub(super) fn new(tokenizer: &'a Tokenizer, continues: bool) -> TextStream<'a> {
        let strip = tokenizer.decoder.strip.map_or(0, |(_, count)| count);
        let to_strip = if continues { 0 } else { strip };
        TextStream { tokenizer, characters: Characters::default(), first: !continues, to_strip }
    }

    /// The text that is certain with this token.
    pub fn push(&mut self, id: u32) -> String {
        let Some(token) = self.tokenizer.written(id) else { return String::new() };
        let bytes = self.tokenizer.decoder.read(&token, self.first);
        self.first = false;
        let text = self.characters.push(&bytes);
        self.stripped(text)
    }

    /// What is still held back.
    pub fn flush(&mut self) -> String {
        let text = self.characters.flush();
        self.stripped(text)
    }

    fn stripped(&mut self, mut text: String) -> String {
        let Some((content, _)) = self.tokenizer.decoder.strip else { return text };
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
