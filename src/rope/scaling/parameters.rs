//! `rope_parameters` and `rope_scaling` of config.json, with every number checked.

use super::{Llama3, LongRope, Scaling, Yarn};
use crate::error::{Error, Expected, Found};
use crate::weights::json::{Map, Value};

/// Longer texts than fit in any memory: a larger number is an error in the file.
const MAX_POSITIONS: u64 = 1 << 40;

/// More pairs than any head has.
const MAX_PAIRS: usize = 1 << 16;

/// The settings of one rope. In transformers 5 the object contains the base and the rotary share as well as the scaling.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RopeParameters {
    /// `rope_theta`.
    pub base: Option<f64>,
    /// The share of a head's dimensions that rotates, from 0 to 1.
    pub partial_rotary_factor: Option<f64>,
    /// The kind of scaling.
    pub scaling: Scaling,
}

impl Scaling {
    /// Reads an object `rope_parameters` (transformers 5) or `rope_scaling` (older versions, where `rope_type` may be `type`).
    /// `null` and an object without a type are [`Scaling::Default`]. Keys that the type does not use are ignored.
    ///
    /// # Errors
    /// [`Error::UnsupportedRope`] for an unknown type; [`Error::InvalidRopeValue`] for a missing key or a value out of bounds.
    pub fn parse(value: &Value) -> Result<Self, Error> {
        RopeParameters::parse(value).map(|parameters| parameters.scaling)
    }
}

impl RopeParameters {
    /// Reads the object; see [`Scaling::parse`].
    ///
    /// # Errors
    /// As [`Scaling::parse`].
    pub fn parse(value: &Value) -> Result<Self, Error> {
        let keys = match value {
            Value::Null => return Ok(Self::default()),
            Value::Object(keys) => Keys(keys),
            // The newer of its two names.
            other => return Err(refuse("rope_parameters", other, Expected::Object)),
        };
        Ok(Self {
            base: keys.number("rope_theta")?,
            partial_rotary_factor: keys.rotary_share()?,
            scaling: keys.scaling()?,
        })
    }
}

/// The settings of one object. A key with `null` counts as missing.
#[derive(Clone, Copy)]
struct Keys<'a>(&'a Map<String, Value>);

impl<'a> Keys<'a> {
    fn scaling(self) -> Result<Scaling, Error> {
        let Some(name) = self.value("rope_type").or_else(|| self.value("type")) else { return self.without_name() };
        let original_max_position_embeddings = self.length("original_max_position_embeddings");
        match name.as_str() {
            Some("default") => Ok(Scaling::Default),
            Some("linear") => Ok(Scaling::Linear {
                factor: self.required("factor")?,
                original_max_position_embeddings: original_max_position_embeddings?,
            }),
            Some("dynamic") => Ok(Scaling::Dynamic { factor: self.required("factor")? }),
            Some("yarn") => Ok(Scaling::Yarn(Yarn {
                factor: self.number("factor")?,
                original_max_position_embeddings: original_max_position_embeddings?,
                attention_factor: self.number("attention_factor")?,
                beta_fast: self.number_or_zero("beta_fast")?.unwrap_or(32.0),
                beta_slow: self.number_or_zero("beta_slow")?.unwrap_or(1.0),
                mscale: self.number_or_zero("mscale")?,
                mscale_all_dim: self.number_or_zero("mscale_all_dim")?,
                truncate: self.truncate()?,
            })),
            Some("longrope") => Ok(Scaling::LongRope(LongRope {
                short_factor: self.numbers("short_factor")?,
                long_factor: self.numbers("long_factor")?,
                factor: self.number("factor")?,
                original_max_position_embeddings: original_max_position_embeddings?,
                attention_factor: self.number("attention_factor")?,
            })),
            Some("llama3") => self.llama3(original_max_position_embeddings?),
            Some("proportional") => Ok(Scaling::Proportional { factor: self.number("factor")?.unwrap_or(1.0) }),
            Some(other) => Err(Error::UnsupportedRope { found: other.chars().take(64).collect() }),
            None => Err(refuse("rope_type", name, Expected::Text)),
        }
    }

    /// The default. An object of ropes by layer type is refused, because its ropes would be ignored silently.
    fn without_name(self) -> Result<Scaling, Error> {
        match self.0.iter().find(|(_, value)| value.as_object().is_some()) {
            None => Ok(Scaling::Default),
            Some((key, value)) => Err(refuse(key, value, Expected::SettingOfOneRope)),
        }
    }

    fn llama3(self, original_max_position_embeddings: Option<u64>) -> Result<Scaling, Error> {
        let (low_freq_factor, high_freq_factor) =
            (self.required("low_freq_factor")?, self.required("high_freq_factor")?);
        if high_freq_factor <= low_freq_factor {
            let found = self.value("high_freq_factor").unwrap_or(&Value::Null);
            return Err(refuse("high_freq_factor", found, Expected::MoreThan { key: "low_freq_factor" }));
        }
        let factor = self.required("factor")?;
        Ok(Scaling::Llama3(Llama3 { factor, low_freq_factor, high_freq_factor, original_max_position_embeddings }))
    }

    fn value(self, key: &str) -> Option<&'a Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    /// The value as `convert` reads it; `None` if it is missing.
    fn read<T>(self, key: &str, convert: impl Fn(&Value) -> Option<T>, expected: Expected) -> Result<Option<T>, Error> {
        self.value(key).map(|value| convert(value).ok_or_else(|| refuse(key, value, expected))).transpose()
    }

    /// A finite number above 0.
    fn number(self, key: &str) -> Result<Option<f64>, Error> {
        self.read(key, above_zero, ABOVE_ZERO)
    }

    fn required(self, key: &str) -> Result<f64, Error> {
        self.number(key)?.ok_or_else(|| refuse(key, &Value::Null, ABOVE_ZERO))
    }

    /// 0 counts as missing, as in Python's `or`.
    fn number_or_zero(self, key: &str) -> Result<Option<f64>, Error> {
        if self.value(key).and_then(Value::as_f64) == Some(0.0) { Ok(None) } else { self.number(key) }
    }

    fn numbers(self, key: &str) -> Result<Vec<f64>, Error> {
        let expected = || Expected::FactorForEachPair;
        let list =
            |value: &Value| value.as_array().filter(|list| list.len() <= MAX_PAIRS)?.iter().map(above_zero).collect();
        self.read(key, list, expected())?.ok_or_else(|| refuse(key, &Value::Null, expected()))
    }

    /// A number of tokens. Some files write it as 4096.0.
    fn length(self, key: &str) -> Result<Option<u64>, Error> {
        let integer = |value: &Value| value.as_f64().filter(|length| length.fract() == 0.0).map(|length| length as u64);
        let length = |value: &Value| integer(value).filter(|length| (1..=MAX_POSITIONS).contains(length));
        self.read(key, length, Expected::IntegerBetween { least: 1, most: MAX_POSITIONS })
    }

    fn rotary_share(self) -> Result<Option<f64>, Error> {
        let share = |value: &Value| value.as_f64().filter(|share| (0.0..=1.0).contains(share));
        self.read("partial_rotary_factor", share, Expected::NumberBetween { least: 0.0, most: 1.0 })
    }

    /// Missing means true, but `null` means false, as in Hugging Face's code.
    fn truncate(self) -> Result<bool, Error> {
        match self.0.get("truncate") {
            None => Ok(true),
            Some(Value::Null) => Ok(false),
            Some(Value::Bool(truncate)) => Ok(*truncate),
            Some(other) => Err(refuse("truncate", other, Expected::Flag)),
        }
    }
}

const ABOVE_ZERO: Expected = Expected::NumberAbove { bound: 0.0 };

fn above_zero(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| number.is_finite() && *number > 0.0)
}

fn refuse(key: &str, found: &Value, expected: Expected) -> Error {
    let key = key.chars().take(64).flat_map(char::escape_debug).collect();
    Error::InvalidRopeValue { key, found: Found::json(found), expected }
}
