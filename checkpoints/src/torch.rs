//! PyTorch's files: a zip archive with a pickle and a file for each storage; older ones are streams (see [`crate::legacy`]).

use std::collections::BTreeMap;

use crate::header::Tensor;
use crate::legacy;
use crate::pickle::{self, LONGEST};
use crate::reading::{Attempt, Reading, Span};
use crate::refusal::{Refusal, quoted};
use crate::state_dict::{self, Stored};
use crate::zip;

/// Bytes that tell the form.
const START: u64 = 4;

/// Tensors may share a storage, as tied weights do, and each is read by itself. All of a file come to at most so many times its bytes.
const MOST_TIMES: u64 = 8;

pub fn tensors(reading: &Reading, file: usize) -> Attempt<Vec<Tensor>> {
    match reading.bytes(Span { file, start: 0, end: START })? {
        b"PK\x03\x04" => of_archive(reading, file),
        [0x80, ..] => legacy::tensors(reading, file),
        _ => Err(Refusal::UnknownForm { file: reading.name(file) }.into()),
    }
}

fn of_archive(reading: &Reading, file: usize) -> Attempt<Vec<Tensor>> {
    let entries = zip::directory(reading, file)?;
    let top = |name: &str| name.strip_suffix("/data.pkl").filter(|folder| !folder.contains('/')).map(str::to_string);
    let folders: Vec<String> = entries.keys().filter_map(|name| top(name)).collect();
    let [folder] = folders.as_slice() else {
        let what = "a zip archive without the one data.pkl that PyTorch writes".into();
        return Err(Refusal::Unsupported { file: reading.name(file), what }.into());
    };
    let named =
        |name: &str| entries.get_key_value(&format!("{folder}/{name}")).map(|(name, entry)| (name.as_str(), entry));
    if named("constants.pkl").is_some() {
        let what = "a TorchScript archive, a program with its weights".into();
        return Err(Refusal::Unsupported { file: reading.name(file), what }.into());
    }
    let small: Vec<_> = ["data.pkl", "byteorder"].into_iter().filter_map(named).collect();
    let spans = zip::places(reading, file, &small)?;
    if spans.iter().any(|span| span.end - span.start > LONGEST) {
        return Err(reading.malformed(file, "its data.pkl is longer than any list of tensors").into());
    }
    let contents = reading.all(&spans)?;
    let [pickle, order @ ..] = contents.as_slice() else {
        return Err(reading.malformed(file, "its data.pkl is not there").into());
    };
    if order.first().is_some_and(|order| order.trim_ascii() != b"little") {
        return Err(big_endian(reading, file).into());
    }
    let read = pickle::read(pickle).map_err(|fault| fault.refusal(&reading.name(file)))?;
    let stored = state_dict::tensors(&read, &reading.name(file))?;
    place(reading, file, stored, |keys| {
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            let entry = named(&format!("data/{key}"));
            found.push(
                entry.ok_or_else(|| reading.malformed(file, &format!("its storage {} is not there", quoted(key))))?,
            );
        }
        zip::places(reading, file, &found)
    })
}

pub fn big_endian(reading: &Reading, file: usize) -> Refusal {
    Refusal::Unsupported { file: reading.name(file), what: "written by a big-endian machine".into() }
}

/// Puts each tensor where its storage lies, which `places` tells of all storages at once.
pub fn place(
    reading: &Reading,
    file: usize,
    stored: Vec<Stored>,
    places: impl FnOnce(&[&str]) -> Attempt<Vec<Span>>,
) -> Attempt<Vec<Tensor>> {
    let sizes: BTreeMap<String, u64> =
        stored.iter().map(|tensor| (tensor.storage.clone(), tensor.storage_bytes)).collect();
    let keys: Vec<&str> = sizes.keys().map(String::as_str).collect();
    let spans: BTreeMap<&str, Span> = keys.iter().copied().zip(places(&keys)?).collect();
    let (mut tensors, mut all) = (Vec::with_capacity(stored.len()), 0_u64);
    for Stored { name, dtype, shape, storage, storage_bytes, start, bytes } in stored {
        let span = spans.get(storage.as_str()).filter(|span| span.end - span.start == storage_bytes);
        let Some(span) = span else {
            let reason = format!("the storage of {} is not as long as it says", quoted(&name));
            return Err(reading.malformed(file, &reason).into());
        };
        // Within the storage: that was checked with the tensor's shape.
        let start = span.start + start;
        all = all.saturating_add(bytes);
        tensors.push(Tensor { name, dtype: dtype.name.into(), shape, span: Span { file, start, end: start + bytes } });
    }
    if all > reading.length(file).saturating_mul(MOST_TIMES) {
        let reason = format!(
            "so many of its tensors share their numbers that they come to over {MOST_TIMES} times the file; save it as safetensors"
        );
        return Err(reading.malformed(file, &reason).into());
    }
    Ok(tensors)
}
