//! Text to ids, by Hugging Face's tokenizers.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use tokenizers::models::wordpiece::WordPiece;
use tokenizers::normalizers::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;
use tokenizers::processors::bert::BertProcessing;
use tokenizers::{AddedToken, Encoding};

use super::model_folder::read;
use crate::error::Error;

const UNKNOWN: &str = "[UNK]";
const BEGIN: &str = "[CLS]";
const END: &str = "[SEP]";
const PAD: &str = "[PAD]";
/// The token that stands for a word to predict.
pub const MASK: &str = "[MASK]";

/// A model's own tokenizer.
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    path: PathBuf,
}

impl Tokenizer {
    /// Takes the folder's tokenizer.json; where there is none, vocab.txt as BERT's WordPiece. That one lowercases unless
    /// tokenizer_config.json says `"do_lower_case": false`.
    ///
    /// # Errors
    /// Neither is there, or it cannot be read.
    pub fn open(folder: &Path) -> Result<Tokenizer, Error> {
        let (whole, vocabulary) = (folder.join("tokenizer.json"), folder.join("vocab.txt"));
        if whole.exists() {
            let inner = tokenizers::Tokenizer::from_bytes(read(&whole)?).map_err(|error| failure(&whole, &error))?;
            return Ok(Tokenizer { inner: without_fitting(inner), path: whole });
        }
        if !vocabulary.exists() {
            let reason = "has neither tokenizer.json nor vocab.txt, which a text needs; give --ids to run".into();
            return Err(Error::Tokenizer { path: folder.display().to_string(), reason });
        }
        let inner =
            word_piece(&read(&vocabulary)?, lowercases(folder)).map_err(|error| failure(&vocabulary, &error))?;
        Ok(Tokenizer { inner, path: vocabulary })
    }

    /// Ids with [CLS] and [SEP] around them.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, Error> {
        Ok(self.encoding(text)?.get_ids().to_vec())
    }

    /// The tokens of the ids that [`Tokenizer::encode`] gives.
    pub fn tokens(&self, text: &str) -> Result<Vec<String>, Error> {
        Ok(self.encoding(text)?.get_tokens().to_vec())
    }

    /// The token of an id; an id that the vocabulary lacks is written as its number.
    pub fn token(&self, id: u32) -> String {
        self.inner.id_to_token(id).unwrap_or_else(|| format!("[{id}]"))
    }

    /// The id of [MASK].
    ///
    /// # Errors
    /// The vocabulary has none.
    pub fn mask(&self) -> Result<u32, Error> {
        let path = self.path.display().to_string();
        let reason = format!("the vocabulary has no {MASK}; this model was not made to fill masks");
        self.inner.token_to_id(MASK).ok_or(Error::Tokenizer { path, reason })
    }

    fn encoding(&self, text: &str) -> Result<Encoding, Error> {
        self.inner.encode(text, true).map_err(|error| failure(&self.path, &error))
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

/// BERT's tokenizer over a vocabulary with one token a line, the line's number being its id.
fn word_piece(vocabulary: &[u8], lowercase: bool) -> tokenizers::Result<tokenizers::Tokenizer> {
    let ids = WordPiece::read_bytes(vocabulary)?;
    let special =
        |token: &str| ids.get(token).map(|id| (token.to_string(), *id)).ok_or(format!("the vocabulary has no {token}"));
    let (begin, end) = (special(BEGIN)?, special(END)?);
    special(UNKNOWN)?;
    let present: Vec<AddedToken> = [PAD, UNKNOWN, BEGIN, END, MASK]
        .into_iter()
        .filter(|token| ids.contains_key(*token))
        .map(|token| AddedToken::from(token, true))
        .collect();
    let model = WordPiece::builder().vocab(ids).unk_token(UNKNOWN.into()).build()?;
    let mut inner = tokenizers::Tokenizer::new(model);
    inner.with_normalizer(Some(BertNormalizer::new(true, true, None, lowercase)))?;
    inner.with_pre_tokenizer(Some(BertPreTokenizer));
    inner.with_post_processor(Some(BertProcessing::new(end, begin)));
    inner.add_special_tokens(present)?;
    Ok(inner)
}

#[derive(Deserialize)]
struct TokenizerConfig {
    do_lower_case: Option<bool>,
}

fn lowercases(folder: &Path) -> bool {
    let settings = read(&folder.join("tokenizer_config.json")).ok();
    let settings = settings.and_then(|json| serde_json::from_slice::<TokenizerConfig>(&json).ok());
    settings.and_then(|settings| settings.do_lower_case).unwrap_or(true)
}
