//! Text to ids and back, by Hugging Face's tokenizers.

mod bytes;
mod charsmap;
mod decoder;
mod length;
mod library;
mod mask;
mod residues;
mod stream;
mod template;
mod vocabulary;

use std::path::{Path, PathBuf};

use serde::Deserialize;
use tokenizers::AddedToken;

use super::file::{LARGEST_SETTINGS, LARGEST_TOKENIZER, is_there, read, read_if_there};
use crate::error::Error;
use decoder::Decoder;
pub use stream::TextStream;
pub use template::Template;

/// A model's own tokenizer.
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    path: PathBuf,
    template: Template,
    decoder: Decoder,
    /// Whether texts are sequences of residues, and may be FASTA records.
    residues: bool,
    /// How the token that stands for a word to predict is written in a text, and its id.
    mask: Option<(String, u32)>,
}

impl Tokenizer {
    /// Takes the folder's tokenizer.json; where there is none, vocab.txt as BERT's WordPiece or ESM's residues.
    /// tokenizer_config.json's `do_lower_case` says whether WordPiece lowercases; where it says nothing, a vocabulary with capital
    /// letters in its words keeps them.
    ///
    /// # Errors
    /// Neither is there, or it cannot be read, or its ids cannot be turned back to text one by one.
    pub fn open(folder: &Path) -> Result<Tokenizer, Error> {
        let (whole, vocabulary) = (folder.join("tokenizer.json"), folder.join("vocab.txt"));
        if is_there(&whole) {
            let json = read(&whole, LARGEST_TOKENIZER)?;
            let inner = charsmap::check(&json).and_then(|()| library::call(|| tokenizers::Tokenizer::from_bytes(json)));
            let inner = inner.map_err(|error| failure(&whole, &error))?;
            return Tokenizer::new(without_fitting(inner), whole, folder, residues::declared(folder)?);
        }
        if !is_there(&vocabulary) {
            let reason = match folder.join("source.spm").exists() {
                true => {
                    "has source.spm, target.spm and vocab.json, which are not read: training/marian_tokenizer.py makes tokenizer.json of them; or give --ids to run"
                }
                false => "has neither tokenizer.json nor vocab.txt, which a text needs; give --ids to run",
            };
            let reason = reason.into();
            return Err(Error::Tokenizer { path: folder.display().to_string(), reason });
        }
        let (lines, lowercase) = (read(&vocabulary, LARGEST_TOKENIZER)?, lowercases(folder)?);
        let found = library::call(|| vocabulary::tokenizer(&lines, lowercase));
        let (inner, residues) = found.map_err(|error| failure(&vocabulary, &error))?;
        Tokenizer::new(inner, vocabulary, folder, residues)
    }

    fn new(mut inner: tokenizers::Tokenizer, path: PathBuf, folder: &Path, residues: bool) -> Result<Tokenizer, Error> {
        let mask = mask::declared(folder, &inner)?.and_then(|token| inner.token_to_id(&token).map(|id| (token, id)));
        if let Some((token, id)) = &mask
            && !inner.get_added_vocabulary().get_added_tokens_decoder().contains_key(id)
        {
            // A mask that only other files declare is found in a text, too.
            library::call(|| inner.add_special_tokens([AddedToken::from(token.clone(), true)]))
                .map_err(|error| failure(&path, &error))?;
        }
        let template = Template::new(inner.get_post_processor());
        let decoder = Decoder::new(inner.get_decoder()).map_err(|name| Error::Tokenizer {
            path: path.display().to_string(),
            reason: format!("has the decoder {name}, which this program does not know; give --ids to run"),
        })?;
        Ok(Tokenizer { inner, path, template, decoder, residues, mask })
    }

    /// Ids with what the template puts before and after the text.
    ///
    /// # Errors
    /// The text has an unknown word and the vocabulary no token for one.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, Error> {
        let text = if self.residues { residues::sequence_of(text) } else { text.into() };
        let encoding =
            library::call(|| self.inner.encode_fast(&*text, true)).map_err(|error| self.unreadable(&error))?;
        Ok(encoding.get_ids().to_vec())
    }

    /// Ids of a text that is to be continued: with what the template puts before it, without what it puts after it.
    ///
    /// # Errors
    /// As [`Tokenizer::encode`].
    pub fn encode_to_continue(&self, text: &str) -> Result<Vec<u32>, Error> {
        let mut ids = self.encode(text)?;
        ids.truncate(ids.len().saturating_sub(self.template.after));
        Ok(ids)
    }

    /// How many tokens [`Tokenizer::encode`] puts before and after every text.
    pub fn template(&self) -> Template {
        self.template
    }

    /// The token of an id, as the vocabulary writes it ("##ing", "Ġthe"); an id that it lacks is written as its number.
    pub fn token(&self, id: u32) -> String {
        self.inner.id_to_token(id).unwrap_or_else(|| format!("[{id}]"))
    }

    /// The token of an id for people to read: " the", and ⟨E2⟩ for a byte that is a part of a character.
    pub fn display(&self, id: u32) -> String {
        match self.inner.get_added_vocabulary().get_added_tokens_decoder().get(&id) {
            Some(added) => added.content.clone(),
            None => self.decoder.display(&self.token(id)),
        }
    }

    /// Whether an id is a special token: one that no text is made of.
    pub fn is_special(&self, id: u32) -> bool {
        let added = self.inner.get_added_vocabulary().get_added_tokens_decoder();
        added.get(&id).is_some_and(|token| token.special)
    }

    /// Ids to text as they come. `continues`: there is text before them.
    pub fn stream(&self, continues: bool) -> TextStream<'_> {
        TextStream::new(&self.inner, &self.decoder, continues)
    }

    /// Ids to text, special tokens left out.
    pub fn decode(&self, ids: &[u32]) -> String {
        let mut stream = self.stream(false);
        let mut text: String = ids.iter().map(|id| stream.push(*id)).collect();
        text += &stream.flush();
        text
    }

    /// How the token that stands for a word to predict is written in a text.
    pub fn mask_token(&self) -> Option<&str> {
        self.mask.as_ref().map(|(token, _)| token.as_str())
    }

    /// The id of the token that stands for a word to predict.
    ///
    /// # Errors
    /// The tokenizer's files name none.
    pub fn mask(&self) -> Result<u32, Error> {
        let path = self.path.display().to_string();
        let reason = "the vocabulary has no mask token; this model was not made to fill masks".into();
        self.mask.as_ref().map(|(_, id)| *id).ok_or(Error::Tokenizer { path, reason })
    }

    fn unreadable(&self, error: &dyn std::fmt::Display) -> Error {
        failure(&self.path, error)
    }
}

fn failure(path: &Path, error: &dyn std::fmt::Display) -> Error {
    Error::Tokenizer { path: path.display().to_string(), reason: format!("is not a readable tokenizer: {error}") }
}

/// Hugging Face neither cuts nor pads unless asked to, whatever the file was saved with.
fn without_fitting(mut inner: tokenizers::Tokenizer) -> tokenizers::Tokenizer {
    inner.with_padding(None);
    // Only a truncation that is asked for can be wrong.
    let _ = inner.with_truncation(None);
    inner
}

#[derive(Deserialize)]
struct TokenizerConfig {
    do_lower_case: Option<bool>,
}

/// What tokenizer_config.json says of a vocabulary's case, if anything.
fn lowercases(folder: &Path) -> Result<Option<bool>, Error> {
    let settings = read_if_there(&folder.join("tokenizer_config.json"), LARGEST_SETTINGS)?;
    let settings = settings.and_then(|json| serde_json::from_slice::<TokenizerConfig>(&json).ok());
    Ok(settings.and_then(|settings| settings.do_lower_case))
}
