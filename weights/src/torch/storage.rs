//! From views of storages to spans of the file.

use std::collections::BTreeMap;

use super::state_dict::StorageView;
use crate::error::{Error, FileDefect, FileForm, quoted};
use crate::source_files::{Attempt, FileTensor, SourceFiles, Span};

/// Tensors may share a storage, as tied weights do, and each of them is read. All of a file come to at most this many times its bytes.
const MAX_RATIO: u64 = 8;

/// The error for a file whose numbers are big-endian.
pub fn big_endian(files: &SourceFiles, file: usize) -> Error {
    Error::OtherWeights { file: files.name(file), what: FileForm::BigEndian }
}

/// Locates each tensor in the file. `spans_of` gives the spans of storages by their keys, all at once.
pub fn place(
    files: &SourceFiles,
    file: usize,
    views: Vec<StorageView>,
    spans_of: impl FnOnce(&[&str]) -> Attempt<Vec<Span>>,
) -> Attempt<Vec<FileTensor>> {
    let sizes: BTreeMap<String, u64> = views.iter().map(|view| (view.storage.clone(), view.storage_bytes)).collect();
    let keys: Vec<&str> = sizes.keys().map(String::as_str).collect();
    let spans: BTreeMap<&str, Span> = keys.iter().copied().zip(spans_of(&keys)?).collect();
    let (mut tensors, mut total) = (Vec::with_capacity(views.len()), 0_u64);
    for StorageView { name, dtype, shape, storage, storage_bytes, start, bytes } in views {
        let span = spans.get(storage.as_str()).filter(|span| span.end - span.start == storage_bytes);
        let Some(span) = span else {
            return Err(files.malformed(file, FileDefect::StorageLength { storage: quoted(&storage) }).into());
        };
        // state_dict.rs checked that the view is within its storage.
        let start = span.start + start;
        total = total.saturating_add(bytes);
        tensors.push(FileTensor { name, dtype, shape, span: Span { file, start, end: start + bytes } });
    }
    if total > files.length(file).saturating_mul(MAX_RATIO) {
        return Err(files.malformed(file, FileDefect::SharedNumbers { most: MAX_RATIO }).into());
    }
    Ok(tensors)
}
