//! Text to ids and back, with Hugging Face's tokenizers library.

mod bytes;
mod charsmap;
mod decoder;
mod library;
mod settings;
mod stream;
mod template;
mod text;
mod vocabulary;

use std::path::{Path, PathBuf};

use tokenizers::AddedToken;

use super::file::{LARGEST_TOKENIZER, exists, read};
use crate::error::Error;
use decoder::Decoder;
use settings::TokenizerSettings;
pub use stream::TextStream;
pub use template::Template;

/// A model's own tokenizer.
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    path: PathBuf,
    template: Template,
    decoder: Decoder,
    /// Whether texts are sequences of residues or FASTA records.
    has_residues: bool,
    mask: Option<(String, u32)>,
}

impl Tokenizer {
    /// Reads tokenizer.json, or else vocab.txt as BERT's WordPiece or ESM's residues. WordPiece lowercases by `do_lower_case` of
    /// tokenizer_config.json, or else if no word of the vocabulary has capital letters.
    pub fn open(folder: &Path) -> Result<Tokenizer, Error> {
        let (tokenizer_json, vocabulary) = (folder.join("tokenizer.json"), folder.join("vocab.txt"));
        if exists(&tokenizer_json) {
            let json = read(&tokenizer_json, LARGEST_TOKENIZER)?;
            let inner = charsmap::check(&json).and_then(|()| library::call(|| tokenizers::Tokenizer::from_bytes(json)));
            let inner = inner.map_err(|error| failure(&tokenizer_json, &error))?;
            return Tokenizer::new(without_padding(inner), tokenizer_json, TokenizerSettings::open(folder)?);
        }
        if !exists(&vocabulary) {
            let reason = match folder.join("source.spm").exists() {
                true => {
                    "has source.spm, target.spm and vocab.json, which are not read: training/marian_tokenizer.py makes tokenizer.json of them; or give --ids to run"
                }
                false => "has neither tokenizer.json nor vocab.txt, which a text needs; give --ids to run",
            };
            let reason = reason.into();
            return Err(Error::Tokenizer { path: folder.display().to_string(), reason });
        }
        let (lines, settings) = (read(&vocabulary, LARGEST_TOKENIZER)?, TokenizerSettings::open(folder)?);
        let found = library::call(|| vocabulary::tokenizer(&lines, settings.lowercases));
        let (inner, has_residues) = found.map_err(|error| failure(&vocabulary, &error))?;
        Tokenizer::new(inner, vocabulary, TokenizerSettings { has_residues, ..settings })
    }

    fn new(mut inner: tokenizers::Tokenizer, path: PathBuf, settings: TokenizerSettings) -> Result<Tokenizer, Error> {
        let TokenizerSettings { mask_token, has_residues, .. } = settings;
        let added = || {
            let added = inner.get_added_vocabulary().get_vocab();
            ["[MASK]", "<mask>"].into_iter().find(|token| added.contains_key(*token)).map(str::to_string)
        };
        let mask = mask_token.or_else(added).and_then(|token| inner.token_to_id(&token).map(|id| (token, id)));
        if let Some((token, id)) = &mask
            && !inner.get_added_vocabulary().get_added_tokens_decoder().contains_key(id)
        {
            // The text may contain a mask token that only other files declare.
            library::call(|| inner.add_special_tokens([AddedToken::from(token.clone(), true)]))
                .map_err(|error| failure(&path, &error))?;
        }
        let template = Template::new(inner.get_post_processor());
        let decoder = Decoder::new(inner.get_decoder()).map_err(|name| Error::Tokenizer {
            path: path.display().to_string(),
            reason: format!("has the decoder {name}, which this program does not know; give --ids to run"),
        })?;
        Ok(Tokenizer { inner, path, template, decoder, has_residues, mask })
    }

    /// The ids of a text inside the template.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, Error> {
        let text = self.without_fasta_header(text);
        let encoding =
            library::call(|| self.inner.encode_fast(&*text, true)).map_err(|error| failure(&self.path, &error))?;
        Ok(encoding.get_ids().to_vec())
    }

    /// The ids of a prompt: with the tokens of the template before it, without those after it.
    pub fn encode_to_continue(&self, text: &str) -> Result<Vec<u32>, Error> {
        let mut ids = self.encode(text)?;
        ids.truncate(ids.len().saturating_sub(self.template.after));
        Ok(ids)
    }

    /// The numbers of tokens that [`Tokenizer::encode`] adds to every text.
    pub fn template(&self) -> Template {
        self.template
    }

    /// The token of an id as in the vocabulary ("##ing", "Ġthe"); an unknown id as its number.
    pub fn token(&self, id: u32) -> String {
        self.inner.id_to_token(id).unwrap_or_else(|| format!("[{id}]"))
    }

    /// The token of an id for display: " the", and ⟨E2⟩ for a byte of a longer character.
    pub fn display(&self, id: u32) -> String {
        match self.inner.get_added_vocabulary().get_added_tokens_decoder().get(&id) {
            Some(added) => added.content.clone(),
            None => self.decoder.display(&self.token(id)),
        }
    }

    /// Whether an id is a special token, which has no text.
    pub fn is_special(&self, id: u32) -> bool {
        let added = self.inner.get_added_vocabulary().get_added_tokens_decoder();
        added.get(&id).is_some_and(|token| token.special)
    }

    /// Decodes ids one after another. `continues`: other text precedes them.
    pub fn stream(&self, continues: bool) -> TextStream<'_> {
        TextStream::new(&self.inner, &self.decoder, continues)
    }

    /// The text of ids. `continues`: other text precedes them.
    pub fn decode(&self, ids: &[u32], continues: bool) -> String {
        let mut stream = self.stream(continues);
        let mut text: String = ids.iter().map(|id| stream.push(*id)).collect();
        text += &stream.flush();
        text
    }

    /// The mask token as it is written in a text.
    pub fn mask_token(&self) -> Option<&str> {
        self.mask.as_ref().map(|(token, _)| token.as_str())
    }

    pub fn mask(&self) -> Result<u32, Error> {
        let path = self.path.display().to_string();
        let reason = "the vocabulary has no mask token; this model was not made to fill masks".into();
        self.mask.as_ref().map(|(_, id)| *id).ok_or(Error::Tokenizer { path, reason })
    }
}

fn failure(path: &Path, error: &dyn std::fmt::Display) -> Error {
    Error::Tokenizer { path: path.display().to_string(), reason: format!("is not a readable tokenizer: {error}") }
}

/// Turns off padding and truncation of the file, as Hugging Face does by default.
fn without_padding(mut inner: tokenizers::Tokenizer) -> tokenizers::Tokenizer {
    inner.with_padding(None);
    // Turning truncation off cannot fail.
    let _ = inner.with_truncation(None);
    inner
}
