//! PyTorch's files before 1.6: five pickles – a magic number, the protocol, what machine wrote it, the state dict, the keys of its
//! storages – and the storages, each with its number of elements in front.

use std::collections::BTreeMap;

use crate::header::Tensor;
use crate::pickle::{self, Fault, LONGEST, Pickle, Value};
use crate::reading::{Attempt, Reading, Span, Stop};
use crate::refusal::{Refusal, quoted};
use crate::state_dict;
use crate::torch::{big_endian, place};

const MAGIC: i128 = 0x1950_a86a_20f9_469c_fc6c;
const PROTOCOL: i128 = 1001;

/// Bytes that are read at first; eight times as many where the pickles go on.
const FIRST: u64 = 1 << 16;

/// Bytes of the number in front of a storage.
const COUNT: u64 = 8;

/// What the pickles say.
struct Pickles<'a> {
    object: Pickle<'a>,
    keys: Vec<&'a str>,
    /// Where the storages begin.
    end: u64,
}

pub fn tensors(reading: &Reading, file: usize) -> Attempt<Vec<Tensor>> {
    let length = reading.length(file);
    let mut end = FIRST.min(length);
    let read = loop {
        let bytes = reading.bytes(Span { file, start: 0, end })?;
        match pickles(reading, file, bytes) {
            Err(Trouble::Ended) if end < length.min(LONGEST) => end = end.saturating_mul(8).min(length).min(LONGEST),
            Err(Trouble::Ended) if end == length => {
                return Err(Refusal::CutShort { file: reading.name(file), expected: length + 1, found: length }.into());
            }
            Err(Trouble::Ended) => {
                return Err(reading.malformed(file, "its pickles are longer than any list of tensors").into());
            }
            Err(Trouble::Refused(refusal)) => return Err(refusal.into()),
            Ok(read) => break read,
        }
    };
    let stored = state_dict::tensors(&read.object, &reading.name(file))?;
    let places = places(reading, file, &read)?;
    place(reading, file, stored, |keys| {
        let missing = |key: &str| reading.malformed(file, &format!("its storage {} is not there", quoted(key)));
        keys.iter().map(|key| places.get(key).copied().ok_or_else(|| Stop::Refused(missing(key)))).collect()
    })
}

enum Trouble {
    Ended,
    Refused(Refusal),
}

fn pickles<'a>(reading: &Reading, file: usize, bytes: &'a [u8]) -> Result<Pickles<'a>, Trouble> {
    let mut at = 0;
    let mut next = || {
        let read = pickle::read(bytes.get(at..).unwrap_or_default()).map_err(|fault| match fault {
            Fault::Ended => Trouble::Ended,
            fault => Trouble::Refused(fault.refusal(&reading.name(file))),
        })?;
        at += read.end;
        Ok((read, at as u64))
    };
    let unknown = || Trouble::Refused(Refusal::UnknownForm { file: reading.name(file) });
    for expected in [MAGIC, PROTOCOL] {
        if next()?.0.int(None) != Some(expected) {
            return Err(unknown());
        }
    }
    let (machine, _) = next()?;
    if machine.entry("little_endian").is_some_and(|value| !matches!(value, Value::Bool(true))) {
        return Err(Trouble::Refused(big_endian(reading, file)));
    }
    let (object, _) = next()?;
    let (listed, end) = next()?;
    let Value::List(keys) = listed.root() else { return Err(unknown()) };
    let keys: Option<Vec<&str>> = keys.iter().map(|key| listed.text(*key)).collect();
    Ok(Pickles { object, keys: keys.ok_or_else(unknown)?, end })
}

/// Where each storage lies.
fn places<'a>(reading: &Reading, file: usize, read: &Pickles<'a>) -> Attempt<BTreeMap<&'a str, Span>> {
    let sizes = read.object.storages();
    let broken = |key: &str, what: &str| reading.malformed(file, &format!("its storage {} {what}", quoted(key)));
    let mut found = BTreeMap::new();
    let mut counts = Vec::with_capacity(read.keys.len());
    let mut at = read.end;
    for key in &read.keys {
        let storage = sizes.get(key).ok_or_else(|| broken(key, "belongs to no tensor"))?;
        let start = at.saturating_add(COUNT);
        counts.push(Span { file, start: at, end: start });
        at = start.saturating_add(storage.bytes());
        if found.insert(*key, Span { file, start, end: at }).is_some() {
            return Err(broken(key, "is there twice").into());
        }
    }
    let found_bytes = reading.length(file);
    if at > found_bytes {
        return Err(Refusal::CutShort { file: reading.name(file), expected: at, found: found_bytes }.into());
    }
    for (key, bytes) in read.keys.iter().zip(reading.all(&counts)?) {
        let count = bytes.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
        if count != sizes.get(key).map(|storage| storage.count) {
            return Err(broken(key, "is not as long as it says").into());
        }
    }
    Ok(found)
}
