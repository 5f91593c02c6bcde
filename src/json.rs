//! JSON from strangers: read event by event, so that nothing is kept that nobody asks for; and the values that are kept.
//!
//! Numbers stay as they are written until someone asks for one. serde_json would be a twelfth of what a visitor fetches for the
//! engine, and keeps every value before anyone looks at it.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use json_event_parser::{JsonEvent, SliceJsonParser};

use crate::number;

/// Lists and objects in one another, at most.
const DEEPEST: usize = 128;

/// A value that is kept.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Flag(bool),
    /// As it is written.
    Number(Box<str>),
    Text(String),
    List(Vec<Value>),
    /// No key is there twice.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// Reads a text that holds one value and nothing else.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader::new(text.as_bytes());
        let first = reader.event()?;
        let value = reader.bounded(first, &mut Budget { values: usize::MAX, text: usize::MAX }, usize::MAX)?;
        reader.end()?;
        value.ok_or_else(|| "it is too large".into())
    }

    pub fn is_null(&self) -> bool {
        *self == Value::Null
    }

    pub fn as_flag(&self) -> Option<bool> {
        if let Value::Flag(flag) = self { Some(*flag) } else { None }
    }

    /// A number that is written without sign, point and exponent.
    pub fn as_u64(&self) -> Option<u64> {
        if let Value::Number(digits) = self { digits.parse().ok() } else { None }
    }

    /// Any number; it is finite.
    pub fn as_f64(&self) -> Option<f64> {
        if let Value::Number(digits) = self { number::read(digits) } else { None }
    }

    pub fn as_str(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }

    pub fn as_list(&self) -> Option<&[Value]> {
        if let Value::List(values) = self { Some(values) } else { None }
    }

    pub fn as_object(&self) -> Option<&[(String, Value)]> {
        if let Value::Object(entries) = self { Some(entries) } else { None }
    }

    /// What an object has under `key`.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_object()?.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Value::Flag(flag)
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Value::Number(number.to_string().into())
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        (number as usize).into()
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.into())
    }
}

impl<T: Clone + Into<Value>> From<&[T]> for Value {
    fn from(values: &[T]) -> Self {
        Value::List(values.iter().cloned().map(Into::into).collect())
    }
}

/// An object of these entries, whose keys differ.
impl<const N: usize> From<[(&str, Value); N]> for Value {
    fn from(entries: [(&str, Value); N]) -> Self {
        Value::Object(entries.map(|(key, value)| (key.into(), value)).into())
    }
}

/// As JSON.
impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => out.write_str("null"),
            Value::Flag(flag) => out.write_str(if *flag { "true" } else { "false" }),
            Value::Number(digits) => out.write_str(digits),
            Value::Text(text) => write_text(out, text),
            Value::List(values) => {
                out.write_char('[')?;
                for (at, value) in values.iter().enumerate() {
                    separate(out, at)?;
                    value.fmt(out)?;
                }
                out.write_char(']')
            }
            Value::Object(entries) => {
                out.write_char('{')?;
                for (at, (key, value)) in entries.iter().enumerate() {
                    separate(out, at)?;
                    write_text(out, key)?;
                    out.write_char(':')?;
                    value.fmt(out)?;
                }
                out.write_char('}')
            }
        }
    }
}

fn separate(out: &mut fmt::Formatter<'_>, at: usize) -> fmt::Result {
    if at > 0 { out.write_char(',') } else { Ok(()) }
}

fn write_text(out: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    out.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                out.write_char('\\')?;
                out.write_char(character)?;
            }
            '\0'..='\u{1f}' => write!(out, "\\u{:04x}", character as u32)?,
            _ => out.write_char(character)?,
        }
    }
    out.write_char('"')
}

/// What may still be kept: values, and bytes of text.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    pub values: usize,
    pub text: usize,
}

/// What an object weighs beside the values in it.
const OBJECT: usize = 20;

impl Budget {
    fn take(&mut self, values: usize, text: usize) -> bool {
        let left = self.values.checked_sub(values).zip(self.text.checked_sub(text));
        if let Some((values, text)) = left {
            *self = Self { values, text };
        }
        left.is_some()
    }
}

/// Reads a text from its beginning to its end; errors say what is wrong with it, and where.
pub struct Reader<'a> {
    parser: SliceJsonParser<'a>,
    /// Lists and objects that have begun.
    depth: usize,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Self { parser: SliceJsonParser::new(text), depth: 0 }
    }

    /// The next event; the end of the text is an error.
    ///
    /// # Errors
    /// No JSON; lists and objects too deep in one another.
    pub fn event(&mut self) -> Result<JsonEvent<'a>, String> {
        let event = self.parser.parse_next().map_err(|error| {
            let at = error.location().start;
            format!("{} at line {} column {}", error.message(), at.line + 1, at.column + 1)
        })?;
        match event {
            JsonEvent::StartArray | JsonEvent::StartObject => self.depth += 1,
            JsonEvent::EndArray | JsonEvent::EndObject => self.depth = self.depth.saturating_sub(1),
            JsonEvent::Eof => return Err("the text ends too early".into()),
            _ => {}
        }
        if self.depth > DEEPEST { Err("lists and objects are too deep in one another".into()) } else { Ok(event) }
    }

    /// Begins an object.
    ///
    /// # Errors
    /// Anything but an object of `what`.
    pub fn object(&mut self, what: &str) -> Result<(), String> {
        let begins = self.event()? == JsonEvent::StartObject;
        if begins { Ok(()) } else { Err(format!("there is no object of {what}")) }
    }

    /// The next key of the object that is being read; none at its end.
    ///
    /// # Errors
    /// No JSON.
    pub fn key(&mut self) -> Result<Option<Cow<'a, str>>, String> {
        Ok(if let JsonEvent::ObjectKey(key) = self.event()? { Some(key) } else { None })
    }

    /// Reads past the next value.
    ///
    /// # Errors
    /// No JSON.
    pub fn skip(&mut self) -> Result<(), String> {
        let outside = self.depth;
        self.event()?;
        self.leave(outside)
    }

    /// Reads past all that is left of what is deeper.
    fn leave(&mut self, outside: usize) -> Result<(), String> {
        while self.depth > outside {
            self.event()?;
        }
        Ok(())
    }

    /// Makes sure that nothing follows.
    ///
    /// # Errors
    /// Something does.
    pub fn end(&mut self) -> Result<(), String> {
        let ends = matches!(self.parser.parse_next(), Ok(JsonEvent::Eof));
        if ends { Ok(()) } else { Err("something follows behind its end".into()) }
    }

    /// The value that `event` begins as it is, texts cut to `longest` bytes; none where it is larger than the budget: what does not
    /// fit is read past and not kept.
    ///
    /// # Errors
    /// No JSON; a key that is there twice; a number beyond all.
    pub fn bounded(
        &mut self,
        event: JsonEvent<'a>,
        budget: &mut Budget,
        longest: usize,
    ) -> Result<Option<Value>, String> {
        let outside = self.depth.saturating_sub(1);
        let kept = match event {
            JsonEvent::Null => budget.take(1, 0).then_some(Value::Null),
            JsonEvent::Boolean(flag) => budget.take(1, 0).then_some(Value::Flag(flag)),
            JsonEvent::Number(digits) => {
                if !number::read(&digits).is_some_and(f64::is_finite) {
                    return Err("a number is out of range".into());
                }
                budget.take(1, digits.len()).then(|| Value::Number(digits.into()))
            }
            JsonEvent::String(text) => {
                let kept = text.get(..text.floor_char_boundary(longest)).unwrap_or_default();
                budget.take(1, kept.len()).then(|| Value::Text(kept.into()))
            }
            JsonEvent::StartArray => {
                let list = self.list(budget, longest)?;
                self.leave(outside)?;
                list
            }
            JsonEvent::StartObject => {
                let object = self.entries(budget, longest)?;
                self.leave(outside)?;
                object
            }
            JsonEvent::EndArray | JsonEvent::EndObject | JsonEvent::ObjectKey(_) | JsonEvent::Eof => None,
        };
        Ok(kept)
    }

    fn list(&mut self, budget: &mut Budget, longest: usize) -> Result<Option<Value>, String> {
        let mut values = Vec::new();
        let mut whole = budget.take(1, 0);
        while whole {
            match self.event()? {
                JsonEvent::EndArray => return Ok(Some(Value::List(values))),
                event => match self.bounded(event, budget, longest)? {
                    Some(value) => values.push(value),
                    None => whole = false,
                },
            }
        }
        Ok(None)
    }

    fn entries(&mut self, budget: &mut Budget, longest: usize) -> Result<Option<Value>, String> {
        let mut entries: Vec<(String, Value)> = Vec::new();
        let mut whole = budget.take(OBJECT, 0);
        while whole {
            let Some(key) = self.key()? else { return Ok(Some(Value::Object(entries))) };
            let first = self.event()?;
            let value = self.bounded(first, budget, longest)?;
            whole = budget.take(0, key.len());
            match value {
                Some(_) if entries.iter().any(|(name, _)| *name == key) => {
                    return Err(format!("{key:?} is there twice"));
                }
                Some(value) => entries.push((key.into(), value)),
                None => whole = false,
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_they_were_read() {
        for text in [r#"{"a":[1,-2.5e-7,null,true,false,{}],"b \"c\"\\":"d\u000ae","é":""}"#, "[]", "12", r#""x""#] {
            assert_eq!(Value::parse(text).map(|value| value.to_string()).as_deref(), Ok(text));
        }
        let object =
            Value::from([("ids", [1_u32, 2].as_slice().into()), ("name", "x".into()), ("big", 7_usize.into())]);
        assert_eq!(object.to_string(), r#"{"ids":[1,2],"name":"x","big":7}"#);
    }

    #[test]
    fn values_are_what_they_are_asked_for() {
        let value =
            Value::parse(r#"{"n": 3, "f": 4096.0, "minus": -1, "t": "x", "l": [1], "z": null, "y": true}"#).unwrap();
        let get = |key: &str| value.get(key).unwrap();
        assert_eq!((get("n").as_u64(), get("f").as_u64(), get("minus").as_u64()), (Some(3), None, None));
        assert_eq!(
            (get("n").as_f64(), get("f").as_f64(), get("minus").as_f64()),
            (Some(3.0), Some(4096.0), Some(-1.0))
        );
        assert_eq!((get("t").as_str(), get("n").as_str(), get("y").as_flag()), (Some("x"), None, Some(true)));
        assert_eq!((get("l").as_list().map(<[_]>::len), get("z").is_null(), value.get("none")), (Some(1), true, None));
    }

    #[test]
    fn what_is_no_json_is_refused_in_words() {
        let deep = "[".repeat(1_000_000);
        for text in
            ["", " ", "{", "{\"a\" 1}", "[1,]", "01", "1e999", "nul", "\"a", "{} {}", "{\"a\":1,\"a\":2}", &deep]
        {
            let error = Value::parse(text).expect_err(text.get(..9).unwrap_or(text));
            assert!(error.len() > 10, "{error}");
        }
        let nested = format!("{}1{}", "[".repeat(128), "]".repeat(128));
        assert!(Value::parse(&nested).is_ok());
    }
}
