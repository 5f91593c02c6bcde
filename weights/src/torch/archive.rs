//! PyTorch's files since 1.6: a zip archive with a pickle and an entry for each storage.

use super::pickle::{self, MAX_PICKLE_BYTES};
use super::storage::{big_endian, place};
use super::{state_dict, zip};
use crate::error::{Error, FileDefect, FileForm, quoted};
use crate::source_files::{Attempt, FileTensor, SourceFiles};

pub fn tensors(files: &SourceFiles, file: usize) -> Attempt<Vec<FileTensor>> {
    let entries = zip::entries(files, file)?;
    let top = |name: &str| name.strip_suffix("/data.pkl").filter(|folder| !folder.contains('/')).map(str::to_string);
    let folders: Vec<String> = entries.keys().filter_map(|name| top(name)).collect();
    let [folder] = folders.as_slice() else {
        return Err(Error::OtherWeights { file: files.name(file), what: FileForm::ZipWithoutPickle }.into());
    };
    let named =
        |name: &str| entries.get_key_value(&format!("{folder}/{name}")).map(|(name, entry)| (name.as_str(), entry));
    if named("constants.pkl").is_some() {
        return Err(Error::OtherWeights { file: files.name(file), what: FileForm::TorchScript }.into());
    }
    let small: Vec<_> = ["data.pkl", "byteorder"].into_iter().filter_map(named).collect();
    let spans = zip::spans(files, file, &small)?;
    if spans.iter().any(|span| span.end - span.start > MAX_PICKLE_BYTES) {
        return Err(files.malformed(file, FileDefect::TooLarge).into());
    }
    let contents = files.all(&spans)?;
    let [pickle, order @ ..] = contents.as_slice() else {
        return Err(Error::OtherWeights { file: files.name(file), what: FileForm::ZipWithoutPickle }.into());
    };
    if order.first().is_some_and(|order| order.trim_ascii() != b"little") {
        return Err(big_endian(files, file).into());
    }
    let pickle = pickle::read(pickle).map_err(|error| error.in_file(&files.name(file)))?;
    let views = state_dict::tensors(&pickle, &files.name(file))?;
    place(files, file, views, |keys| {
        let missing = |key: &str| files.malformed(file, FileDefect::MissingStorage { storage: quoted(key) });
        let storage = |key: &&str| named(&format!("data/{key}")).ok_or_else(|| missing(key));
        zip::spans(files, file, &keys.iter().map(storage).collect::<Result<Vec<_>, Error>>()?)
    })
}
