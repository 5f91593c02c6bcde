//! The tensors of one file, whichever form it has.

use crate::error::{Error, FileForm};
use crate::safetensors::{Header, HeaderError, PREFIX};
use crate::source_files::{Attempt, FileTensor, SourceFiles, Span};
use crate::torch;

/// The tensors of a file: safetensors by its name, one of PyTorch's otherwise.
pub fn tensors(files: &SourceFiles, file: usize) -> Attempt<Vec<FileTensor>> {
    if files.name(file).ends_with(".safetensors") { safetensors(files, file) } else { torch::tensors(files, file) }
}

fn safetensors(files: &SourceFiles, file: usize) -> Attempt<Vec<FileTensor>> {
    let refused = |error: HeaderError| match error {
        HeaderError::Truncated { expected, found } => Error::Truncated { file: files.name(file), expected, found },
        HeaderError::Pickle => Error::OtherWeights { file: files.name(file), what: FileForm::MisnamedPickle },
        HeaderError::Malformed(defect) => files.malformed(file, defect),
    };
    let start = files.bytes(Span { file, start: 0, end: PREFIX })?;
    let end = Header::length_from(start).map_err(refused)?;
    let header =
        Header::parse(files.bytes(Span { file, start: 0, end })?, Some(files.length(file))).map_err(refused)?;
    let at = |offset: u64| header.length().saturating_add(offset);
    let tensors = header.tensors().map(|(name, tensor)| FileTensor {
        name: name.into(),
        dtype: tensor.dtype.clone(),
        shape: tensor.shape.clone(),
        span: Span { file, start: at(tensor.range.start), end: at(tensor.range.end) },
    });
    Ok(tensors.collect())
}
