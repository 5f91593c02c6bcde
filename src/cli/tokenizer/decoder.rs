//! The text of a token, by the decoder of tokenizer.json.

use tokenizers::{Decoder as _, DecoderWrapper};

use super::bytes::{self, Characters, hexadecimal};
use super::library;

/// Decodes tokens one by one to bytes: a character may need the bytes of several tokens.
#[derive(Debug)]
pub struct Decoder {
    steps: Vec<Step>,
    /// The character that is stripped from the start of a text, and the most times.
    pub strip: Option<(char, usize)>,
    /// Whether tokens contain marks (Ġ, ▁, `<0xE2>`), which [`Decoder::display`] replaces.
    has_marks: bool,
}

#[derive(Debug)]
enum Step {
    ByteLevel,
    ByteFallback,
    /// A decoder of the library that reads one token at a time.
    Library(DecoderWrapper),
    /// No decoder: spaces separate tokens.
    Spaced,
}

impl Decoder {
    pub fn new(decoder: Option<&DecoderWrapper>) -> Result<Decoder, String> {
        let mut result = Decoder { steps: Vec::new(), strip: None, has_marks: true };
        match decoder {
            None => result.steps.push(Step::Spaced),
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
        result.has_marks =
            !matches!(result.steps.as_slice(), [Step::Spaced] | [Step::Library(DecoderWrapper::WordPiece(_))]);
        Ok(result)
    }

    /// The bytes of a token; `first`: it starts the text.
    pub fn read(&self, token: &str, first: bool) -> Vec<u8> {
        let mut text = token.to_string();
        for step in &self.steps {
            match step {
                Step::ByteLevel => {
                    if let Some(bytes) = bytes::byte_level(&text) {
                        return bytes;
                    }
                }
                Step::ByteFallback => {
                    if let Some(byte) = bytes::fallback(&text) {
                        return vec![byte];
                    }
                }
                Step::Library(decoder) => text = decode_one(decoder, &text, first),
                Step::Spaced if first => {}
                Step::Spaced => text.insert(0, ' '),
            }
        }
        text.into_bytes()
    }

    /// A token for display: spaces for Ġ and ▁, ⟨E2⟩ for a byte of a longer character, symbols for line ends and tabs. A token without
    /// marks stays as in the vocabulary ("##ing").
    pub fn display(&self, token: &str) -> String {
        if !self.has_marks {
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
                Ok(Step::Library(decoder.clone()))
            }
            other => Err(name(other)),
        }
    }
}

/// Decodes one token. A decoder of [`Step::Library`] only distinguishes the first token from later ones.
fn decode_one(decoder: &DecoderWrapper, token: &str, first: bool) -> String {
    let before = if first { None } else { Some(String::new()) };
    let tokens = before.into_iter().chain([token.to_string()]).collect();
    // A decoder that fails leaves the token unchanged.
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
