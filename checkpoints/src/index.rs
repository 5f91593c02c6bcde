//! Weights in several files: the index that lists them, and all of their tensors.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::header::Tensor;
use crate::opening::of_file;
use crate::reading::{Attempt, Reading, Span, Stop};
use crate::refusal::{Refusal, quoted};
use crate::shard::Unique;

/// The longest index that is read: that of the largest models has a few MB.
const LONGEST: u64 = 32_000_000;

#[derive(Deserialize)]
struct Index {
    weight_map: Unique<String>,
}

pub fn tensors(reading: &Reading, file: usize) -> Attempt<Vec<Tensor>> {
    let index = reading.name(file);
    let unreadable = |reason: String| Refusal::Index { index: index.clone(), reason };
    let end = reading.length(file);
    if end > LONGEST {
        return Err(unreadable(format!("it has {end} bytes")).into());
    }
    let json = reading.bytes(Span { file, start: 0, end })?;
    let Index { weight_map: Unique(listed) } =
        serde_json::from_slice(json).map_err(|error| unreadable(error.to_string()))?;
    if listed.is_empty() {
        return Err(unreadable("it lists no tensors".into()).into());
    }
    let files = files(reading, &index, &listed)?;
    let mut found: BTreeMap<String, Tensor> = BTreeMap::new();
    let mut waits = false;
    for file in files {
        match of_file(reading, file) {
            Err(Stop::Wants) => waits = true,
            Err(refused) => return Err(refused),
            Ok(tensors) => {
                for tensor in tensors {
                    if let Some(before) = found.insert(tensor.name.clone(), tensor) {
                        let (first, second) = (reading.name(before.span.file), reading.name(file));
                        return Err(Refusal::TwiceThere { tensor: quoted(&before.name), first, second }.into());
                    }
                }
            }
        }
    }
    if waits {
        return Err(Stop::Wants);
    }
    for (tensor, file) in listed {
        if found.get(&tensor).is_none_or(|found| reading.name(found.span.file) != file) {
            return Err(Refusal::MisplacedTensor { index, tensor: quoted(&tensor), file }.into());
        }
    }
    Ok(found.into_values().collect())
}

/// The files that an index lists, each once. All must be there, beside the index.
fn files(reading: &Reading, index: &str, listed: &BTreeMap<String, String>) -> Result<Vec<usize>, Refusal> {
    let names: BTreeSet<&str> = listed.values().map(String::as_str).collect();
    if let Some(odd) = names.iter().find(|name| name.contains(['/', '\\']) || name.ends_with(".index.json")) {
        let reason = format!("{} is not the name of a file of weights beside it", quoted(odd));
        return Err(Refusal::Index { index: index.into(), reason });
    }
    let missing: Vec<&&str> = names.iter().filter(|name| reading.file(name).is_none()).collect();
    if let [first, rest @ ..] = missing.as_slice() {
        let more = if rest.is_empty() { String::new() } else { format!(" (nor are {} others)", rest.len()) };
        return Err(Refusal::MissingShard { index: index.into(), name: quoted(first), more });
    }
    Ok(names.into_iter().filter_map(|name| reading.file(name)).collect())
}
