//! What text a token stands for, by the decoder of tokenizer.json.

use tokenizers::{Decoder as _, DecoderWrapper};

use super::bytes::{self, Characters, hexadecimal};
use super::library;

/// How tokens become text, one by one: a character may need the bytes of several.
#[derive(Debug)]
pub struct Decoder {
    steps: Vec<Step>,
    /// What is taken off the beginning of a text, and how often.
    pub strip: Option<(char, usize)>,
    /// Whether tokens are written with marks of their own (Ġ, ▁, `<0xE2>`), which people need not see.
    marked: bool,
}

#[derive(Debug)]
enum Step {
    ByteLevel,
    ByteFallback,
    /// One of Hugging Face's own that changes each token by itself.
    Own(DecoderWrapper),
    /// No decoder: tokens stand apart.
    Apart,
}

impl Decoder {
    /// # Errors
    /// The decoder's name, where its text cannot be known token by token.
    pub fn new(decoder: Option<&DecoderWrapper>) -> Result<Decoder, String> {
        let mut result = Decoder { steps: Vec::new(), strip: None, marked: true };
        match decoder {
            None => result.steps.push(Step::Apart),
            Some(DecoderWrapper::Sequence(sequence)) => {
                let mut fused = false;
                for decoder in sequence.get_decoders() {
                    match decoder {
                        DecoderWrapper::Fuse(_) => fused = true,
                        DecoderWrapper::Strip(strip) if fused && strip.stop == 0 => {
                            result.strip = Some((strip.content, strip.start));
                        }
                        other if fused => return Err(format!("{} after Fuse", name(other))),
                        other => result.steps.push(Step::new(other)?),
                    }
                }
            }
            Some(other) => result.steps.push(Step::new(other)?),
        }
        result.marked = !matches!(result.steps.as_slice(), [Step::Apart] | [Step::Own(DecoderWrapper::WordPiece(_))]);
        Ok(result)
    }

    /// The bytes that a token stands for; `first`: it begins the text.
    pub fn read(&self, token: &str, first: bool) -> Vec<u8> {
        let mut now = token.to_string();
        for step in &self.steps {
            match step {
                Step::ByteLevel => {
                    if let Some(bytes) = bytes::byte_level(&now) {
                        return bytes;
                    }
                }
                Step::ByteFallback => {
                    if let Some(byte) = bytes::fallback(&now) {
                        return vec![byte];
                    }
                }
                Step::Own(decoder) => now = alone(decoder, &now, first),
                Step::Apart if first => {}
                Step::Apart => now.insert(0, ' '),
            }
        }
        now.into_bytes()
    }

    /// A token for people to read: Ġ and ▁ are spaces, a byte that is a part of a character is its number (⟨E2⟩), line
    /// ends and tabs are seen. Tokens without such marks are shown as the vocabulary writes them ("##ing").
    pub fn display(&self, token: &str) -> String {
        if !self.marked {
            return token.into();
        }
        let mut characters = Characters::default();
        let mut text = characters.push(&self.read(token, false));
        text += &characters.flush();
        text.chars().map(visible).collect()
    }
}

impl Step {
    fn new(decoder: &DecoderWrapper) -> Result<Step, String> {
        match decoder {
            DecoderWrapper::ByteLevel(_) => Ok(Step::ByteLevel),
            DecoderWrapper::ByteFallback(_) => Ok(Step::ByteFallback),
            DecoderWrapper::Replace(_) | DecoderWrapper::Metaspace(_) | DecoderWrapper::WordPiece(_) => {
                Ok(Step::Own(decoder.clone()))
            }
            other => Err(name(other)),
        }
    }
}

/// What a decoder makes of one token. Those of [`Step::Own`] only tell the first token from later ones.
fn alone(decoder: &DecoderWrapper, token: &str, first: bool) -> String {
    let before = if first { None } else { Some(String::new()) };
    let tokens = before.into_iter().chain([token.to_string()]).collect();
    // A decoder that fails leaves the token as it is.
    library::call(|| decoder.decode_chain(tokens))
        .ok()
        .and_then(|mut texts| texts.pop())
        .unwrap_or_else(|| token.into())
}

fn visible(character: char) -> String {
    match character {
        '\n' => "↵".into(),
        '\t' => "⇥".into(),
        _ => match u8::try_from(u32::from(character)) {
            Ok(byte) if character.is_control() => hexadecimal(byte),
            _ => character.into(),
        },
    }
}

fn name(decoder: &DecoderWrapper) -> String {
    let written = serde_json::to_value(decoder).unwrap_or_default();
    written["type"].as_str().unwrap_or("without a name").into()
}
