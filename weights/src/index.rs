//! Weights in several files: the index that lists them, and the tensors of all files.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Error, IndexDefect, quoted};
use crate::json::{self, Budget, Value};
use crate::single_file;
use crate::source_files::{Attempt, FileTensor, SourceFiles, Span, Stop};

/// The longest index that is read: that of the largest models has a few MB.
const MAX_BYTES: u64 = 32_000_000;

/// Far more tensors than the largest models have.
const BUDGET: Budget = Budget { values: 1 << 20, text: 1 << 25, longest_text: 1 << 12 };

/// The tensors that an index lists, read from the headers of their files.
pub fn tensors(files: &SourceFiles, index_file: usize) -> Attempt<Vec<FileTensor>> {
    let index = files.name(index_file);
    let weight_map = weight_map(files, index_file)?;
    let mut found: BTreeMap<String, FileTensor> = BTreeMap::new();
    let mut incomplete = false;
    for file in shards(files, &index, &weight_map)? {
        match single_file::tensors(files, file) {
            // The other files are tried as well, so that all missing bytes are requested together.
            Err(Stop::NeedsBytes) => incomplete = true,
            Err(stop) => return Err(stop),
            Ok(tensors) => {
                for tensor in tensors {
                    if let Some(before) = found.insert(tensor.name.clone(), tensor) {
                        let (first, second) = (files.name(before.span.file), files.name(file));
                        return Err(Error::TensorTwice { tensor: quoted(&before.name), first, second }.into());
                    }
                }
            }
        }
    }
    if incomplete {
        return Err(Stop::NeedsBytes);
    }
    for (tensor, file) in weight_map {
        if found.get(&tensor).is_none_or(|found| files.name(found.span.file) != file) {
            return Err(Error::MisplacedTensor { index, tensor: quoted(&tensor), file }.into());
        }
    }
    Ok(found.into_values().collect())
}

/// The index's map from tensors to files; it has at least one entry.
fn weight_map(files: &SourceFiles, index_file: usize) -> Attempt<BTreeMap<String, String>> {
    let unreadable = |defect| Error::InvalidIndex { index: files.name(index_file), defect };
    let end = files.length(index_file);
    if end > MAX_BYTES {
        return Err(unreadable(IndexDefect::TooLarge).into());
    }
    let text = files.bytes(Span { file: index_file, start: 0, end })?;
    let value = json::read(text, &mut BUDGET.clone());
    let value = value.map_err(|defect| unreadable(IndexDefect::NotJson { defect }))?;
    let mut value = value.ok_or_else(|| unreadable(IndexDefect::TooLarge))?;
    let weight_map = match value.get_mut("weight_map").map(Value::take) {
        Some(Value::Object(entries)) if !entries.is_empty() => {
            let entry = |(tensor, file)| if let Value::String(file) = file { Some((tensor, file)) } else { None };
            entries.into_iter().map(entry).collect()
        }
        _ => None,
    };
    weight_map.ok_or_else(|| unreadable(IndexDefect::NoWeightMap).into())
}

/// The files of an index, each once. All must exist in the index's folder.
fn shards(files: &SourceFiles, index: &str, weight_map: &BTreeMap<String, String>) -> Result<Vec<usize>, Error> {
    let names: BTreeSet<&str> = weight_map.values().map(String::as_str).collect();
    if let Some(odd) = names.iter().find(|name| name.contains(['/', '\\']) || name.ends_with(".index.json")) {
        let defect = IndexDefect::OtherName { name: quoted(odd) };
        return Err(Error::InvalidIndex { index: index.into(), defect });
    }
    let missing: Vec<&&str> = names.iter().filter(|name| files.find(name).is_none()).collect();
    if let [first, rest @ ..] = missing.as_slice() {
        return Err(Error::MissingShard { index: index.into(), name: quoted(first), others: rest.len() });
    }
    Ok(names.into_iter().filter_map(|name| files.find(name)).collect())
}
