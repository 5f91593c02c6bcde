//! The settings of a generation as the page writes them.

use crate::error::{Error, Expected, Found, JsonText};
use crate::runtime::{Continuation, SourceText};
use crate::sampling::{MAX_CANDIDATES, Rules, SamplingSettings, Search, Stopping};
use crate::weights::json::{self, Value};

pub struct PageSettings(Value);

/// The largest number of tokens or beams: it fits into WebAssembly's usize.
const LARGEST_COUNT: u64 = u32::MAX as u64;
/// JavaScript's numbers have all integers up to here.
const LARGEST_SEED: u64 = (1 << 53) - 1;

impl PageSettings {
    pub fn parse(json: &str) -> Result<Self, Error> {
        json::parse(json).map(Self).map_err(|defect| Error::InvalidJson { text: JsonText::SamplingSettings, defect })
    }

    pub fn sampling(&self) -> Result<SamplingSettings, Error> {
        let settings = SamplingSettings {
            temperature: self.number("temperature")?,
            top_k: self.integer("topK", 0, LARGEST_COUNT)? as usize,
            top_p: self.number("topP")?,
            min_p: self.number("minP")?,
            repetition_penalty: self.number("repetitionPenalty")?,
            seed: self.integer("seed", 0, LARGEST_SEED)?,
        };
        settings.check()?;
        Ok(settings)
    }

    pub fn continuation(&self) -> Result<Continuation, Error> {
        Ok(Continuation {
            sampling: self.sampling()?,
            candidates: self.integer("candidates", 0, MAX_CANDIDATES as u64)? as usize,
            most: self.most_new_tokens()?,
            ends: self.ids("stopIds")?,
            beyond_length: self.value("beyondLength", Value::as_bool, Expected::Flag)?,
        })
    }

    /// The text that an encoder–decoder reads first; `None` for a causal model.
    pub fn source(&self) -> Result<Option<SourceText>, Error> {
        match self.0.get("source") {
            None | Some(Value::Null) => Ok(None),
            Some(_) => Ok(Some(SourceText::one(self.ids("source")?))),
        }
    }

    /// The rules for a text after a source, which begins with `prompt` tokens.
    pub fn rules(&self, prompt: usize) -> Result<Rules, Error> {
        let words = |list: &Value| list.as_array()?.iter().map(ids).collect();
        Ok(Rules {
            bad_words: self.value("badWords", words, Expected::IdLists)?,
            no_repeat_ngram_size: self.integer("noRepeat", 0, LARGEST_COUNT)? as usize,
            min_length: self.integer("minLength", 0, LARGEST_COUNT)? as usize,
            forced_first: self.ids("forcedFirst")?.first().copied(),
            forced_last: self.ids("forcedLast")?,
            max_length: self.most_new_tokens()?.saturating_add(prompt),
            ends: self.ids("stopIds")?,
        })
    }

    /// A beam search by these rules; `None` for one beam or none.
    pub fn search(&self, rules: &Rules) -> Result<Option<Search>, Error> {
        let width = self.integer("beams", 0, LARGEST_COUNT)? as usize;
        if width <= 1 {
            return Ok(None);
        }
        let stopping = match self.0.get("stopping").and_then(Value::as_str) {
            Some("early") => Stopping::Early,
            Some("never") => Stopping::Never,
            _ => Stopping::Likely,
        };
        let length_penalty = self.number("lengthPenalty")? as f32;
        Ok(Some(Search { width, length_penalty, stopping, rules: rules.clone() }))
    }

    fn value<T>(&self, key: &'static str, read: impl Fn(&Value) -> Option<T>, expected: Expected) -> Result<T, Error> {
        let value = self.0.get(key).unwrap_or(&Value::Null);
        read(value).ok_or_else(|| Error::InvalidSamplingSetting { key, found: Found::json(value), expected })
    }

    fn most_new_tokens(&self) -> Result<usize, Error> {
        Ok(self.integer("maxNewTokens", 1, LARGEST_COUNT)? as usize)
    }

    /// A whole number in these bounds: a conversion would round others and cut them off.
    fn integer(&self, key: &'static str, least: u64, most: u64) -> Result<u64, Error> {
        let within = |value: &Value| value.as_u64().filter(|integer| (least..=most).contains(integer));
        self.value(key, within, Expected::IntegerBetween { least, most })
    }

    fn number(&self, key: &'static str) -> Result<f64, Error> {
        self.value(key, Value::as_f64, Expected::Number)
    }

    fn ids(&self, key: &'static str) -> Result<Vec<u32>, Error> {
        self.value(key, ids, Expected::IdList)
    }
}

fn ids(list: &Value) -> Option<Vec<u32>> {
    list.as_array()?.iter().map(|id| id.as_u64()?.try_into().ok()).collect()
}
