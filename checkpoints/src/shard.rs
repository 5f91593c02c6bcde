//! A safetensors file: its header, as far as the places of its tensors are told by it. Whoever reads the merged header checks the rest.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use crate::header::Tensor;
use crate::reading::{Attempt, MOST_BYTES, Reading, Span};
use crate::refusal::{Refusal, quoted};

/// Bytes of the number that begins the file: the header's length, little-endian.
const PREFIX: u64 = 8;

/// The name in a header that is no tensor's.
pub const METADATA: &str = "__metadata__";

#[derive(serde::Deserialize)]
struct Described {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: (u64, u64),
}

pub fn tensors(reading: &Reading, file: usize) -> Attempt<Vec<Tensor>> {
    let start = reading.bytes(Span { file, start: 0, end: PREFIX })?;
    let length = start.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let header = PREFIX.saturating_add(length);
    if header > MOST_BYTES {
        return Err(reading.malformed(file, "its header is longer than the format allows").into());
    }
    let json = reading.bytes(Span { file, start: PREFIX, end: header })?;
    let Unique(described) = serde_json::from_slice::<Unique<Described>>(json)
        .map_err(|error| reading.malformed(file, &format!("its header: {error}")))?;
    let mut tensors = Vec::with_capacity(described.len());
    for (name, described) in described {
        let Described { dtype, shape, data_offsets: (start, end) } = described;
        let span = header.checked_add(start).zip(header.checked_add(end)).filter(|(start, end)| start <= end);
        let Some((start, end)) = span else {
            return Err(reading.malformed(file, &format!("{} ends before it starts", quoted(&name))).into());
        };
        tensors.push(Tensor { name, dtype, shape, span: Span { file, start, end } });
    }
    check(reading, file, &mut tensors)?;
    Ok(tensors)
}

/// No tensor may lie behind the file's end, or on another: a small file would tell of a large one.
fn check(reading: &Reading, file: usize, tensors: &mut [Tensor]) -> Result<(), Refusal> {
    tensors.sort_by_key(|tensor| tensor.span);
    let mut before = 0;
    for Tensor { name, span, .. } in tensors.iter() {
        if span.start < before {
            return Err(reading.malformed(file, &format!("the bytes of {} overlap others", quoted(name))));
        }
        before = span.end;
    }
    let found = reading.length(file);
    if before > found {
        return Err(Refusal::CutShort { file: reading.name(file), expected: before, found });
    }
    Ok(())
}

/// An object of JSON that has each of its names once. What safetensors keeps under the name of its metadata is left out.
pub struct Unique<T>(pub BTreeMap<String, T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Unique<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Once(PhantomData))
    }
}

struct Once<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Once<T> {
    type Value = Unique<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Unique<T>, A::Error> {
        let mut entries = BTreeMap::new();
        while let Some(name) = map.next_key::<String>()? {
            if name == METADATA {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            match entries.entry(name) {
                Slot::Vacant(slot) => slot.insert(map.next_value()?),
                Slot::Occupied(slot) => {
                    return Err(A::Error::custom(format_args!("{} is there twice", quoted(slot.key()))));
                }
            };
        }
        Ok(Unique(entries))
    }
}
