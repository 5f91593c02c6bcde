//! generation_config.json: the defaults of a model's generation. Older models have them in config.json.

use std::path::Path;

use serde::Deserialize;

use super::file::{LARGEST_SETTINGS, exists, read};
use crate::cli::argument_error::invalid;
use crate::error::Error;
use crate::model::Facts;
use crate::sampling::{Rules, Stopping};

/// The settings that `generate` reads.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct GenerationConfig {
    eos_token_id: Option<Ids>,
    decoder_start_token_id: Option<u32>,
    forced_bos_token_id: Option<u32>,
    forced_eos_token_id: Option<Ids>,
    bad_words_ids: Option<Vec<Vec<u32>>>,
    no_repeat_ngram_size: Option<usize>,
    min_length: Option<usize>,
    /// The most tokens of a text, the first included.
    pub max_length: Option<usize>,
    pub num_beams: Option<usize>,
    pub length_penalty: Option<f64>,
    early_stopping: Option<Early>,
    pub do_sample: Option<bool>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Ids {
    One(u32),
    Many(Vec<u32>),
}

impl From<Ids> for Vec<u32> {
    fn from(ids: Ids) -> Self {
        match ids {
            Ids::One(id) => vec![id],
            Ids::Many(ids) => ids,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Early {
    Flag(bool),
    Word(String),
}

impl GenerationConfig {
    /// Reads the folder's file. An encoder–decoder without one has its settings in config.json, where the end token is the default of
    /// `forced_eos_token_id`.
    pub fn open(folder: &Path, facts: &Facts) -> Result<Self, Error> {
        let own = folder.join("generation_config.json");
        let has_own = exists(&own);
        let path = match (has_own, &facts.encoder) {
            (true, _) => own,
            (false, Some(_)) => folder.join("config.json"),
            (false, None) => return Ok(Self::default()),
        };
        let failed =
            |error: serde_json::Error| Error::Io { path: path.display().to_string(), reason: error.to_string() };
        let mut config: Self = serde_json::from_slice(&read(&path, LARGEST_SETTINGS)?).map_err(failed)?;
        if !has_own && config.forced_eos_token_id.is_none() {
            config.forced_eos_token_id = Some(Ids::Many(facts.eos_token_ids.clone()));
        }
        Ok(config)
    }

    /// Tokens that end a text; without any here, those of config.json.
    pub fn ends(&self, facts: &Facts) -> Vec<u32> {
        self.eos_token_id.clone().map_or_else(|| facts.eos_token_ids.clone(), Vec::from)
    }

    /// The first token of a text after a source.
    pub fn start(&self, facts: &Facts) -> u32 {
        self.decoder_start_token_id.or(facts.decoder_start_token_id).unwrap_or(0)
    }

    pub fn stopping(&self) -> Result<Stopping, Error> {
        match &self.early_stopping {
            None | Some(Early::Flag(false)) => Ok(Stopping::Likely),
            Some(Early::Flag(true)) => Ok(Stopping::Early),
            Some(Early::Word(word)) if word == "never" => Ok(Stopping::Never),
            Some(Early::Word(word)) => {
                invalid(format!("generation_config.json: early_stopping is {word:?}; give true, false or \"never\""))
            }
        }
    }

    /// The rules of a text of at most `max_length` tokens, the first included, with the end tokens `ends`.
    pub fn rules(&self, max_length: usize, ends: Vec<u32>) -> Rules {
        Rules {
            bad_words: self.bad_words_ids.clone().unwrap_or_default(),
            no_repeat_ngram_size: self.no_repeat_ngram_size.unwrap_or(0),
            min_length: self.min_length.unwrap_or(0),
            forced_first: self.forced_bos_token_id,
            forced_last: self.forced_eos_token_id.clone().map(Vec::from).unwrap_or_default(),
            max_length,
            ends,
        }
    }
}
