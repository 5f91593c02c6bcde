//! A folder's weights in any form: a safetensors header, and the parts of files that make up the data after it.

use std::collections::BTreeSet;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::file::{self, io_error};
use crate::error::Error;
use crate::weights::{self, CheckpointReader, FileLength, Header, Span, Step, find_weights};

/// Bytes that say how long a header is.
const PREFIX: u64 = 8;

/// Bytes of one read.
const CHUNK: usize = 4 << 20;

/// A folder's weights. Their numbers stay in the files until [`WeightFiles::read`].
pub struct WeightFiles {
    header_bytes: Vec<u8>,
    pieces: Vec<Piece>,
    files: BTreeSet<PathBuf>,
}

/// Bytes [start, end) of a file.
struct Piece {
    path: PathBuf,
    start: u64,
    end: u64,
}

impl WeightFiles {
    /// Finds the weights among a folder's files and reads their header.
    pub fn open(folder: &Path) -> Result<WeightFiles, Error> {
        let (files, others) = entries(folder)?;
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        let all: Vec<&str> = names.iter().copied().chain(others.iter().map(String::as_str)).collect();
        if let Ok(Some(main)) = find_weights(&all)
            && !names.contains(&main)
        {
            file::open(&folder.join(main))?;
        }
        let main = find_weights(&names).map_err(|error| refused(folder, &error))?;
        match main {
            None => Err(Error::FileNotFound { path: folder.join("model.safetensors").display().to_string() }),
            Some(main) if main.ends_with(".safetensors") => WeightFiles::safetensors(folder.join(main)),
            Some(main) => WeightFiles::merged(folder, main.to_string(), files),
        }
    }

    fn safetensors(path: PathBuf) -> Result<WeightFiles, Error> {
        let failed = |error: std::io::Error| io_error(&path, &error);
        let (mut file, end) = file::open(&path)?;
        let mut header_bytes = Vec::new();
        file.by_ref().take(PREFIX).read_to_end(&mut header_bytes).map_err(failed)?;
        let bytes = Header::length_from(&header_bytes)?;
        file.by_ref().take(bytes.saturating_sub(PREFIX)).read_to_end(&mut header_bytes).map_err(failed)?;
        let start = header_bytes.len() as u64;
        let files = BTreeSet::from([path.clone()]);
        Ok(WeightFiles { header_bytes, pieces: vec![Piece { path, start, end }], files })
    }

    /// Any other form.
    fn merged(folder: &Path, main: String, files: Vec<FileLength>) -> Result<WeightFiles, Error> {
        let path = |file: usize| files.get(file).map(|file| folder.join(&file.name)).unwrap_or_default();
        let refused = |error: weights::Error| refused(folder, &error);
        let mut read = BTreeSet::from([folder.join(&main)]);
        let mut reader = CheckpointReader::new(main, files.clone());
        loop {
            match reader.step().map_err(refused)? {
                Step::Read(missing) => {
                    for span in missing {
                        read.insert(path(span.file));
                        reader.give(span, bytes_of(&path(span.file), span)?).map_err(refused)?;
                    }
                }
                Step::Done(checkpoint) => {
                    let piece = |Span { file, start, end }| Piece { path: path(file), start, end };
                    let pieces = checkpoint.pieces.into_iter().map(piece).collect();
                    return Ok(WeightFiles { header_bytes: checkpoint.header, pieces, files: read });
                }
            }
        }
    }

    pub fn files(&self) -> &BTreeSet<PathBuf> {
        &self.files
    }

    pub fn header(&self) -> Result<Header, Error> {
        let data =
            self.pieces.iter().fold(0, |sum: u64, piece| sum.saturating_add(piece.end.saturating_sub(piece.start)));
        Ok(Header::parse(&self.header_bytes, Some(data.saturating_add(self.header_bytes.len() as u64)))?)
    }

    /// Passes the bytes after the header to `push`, piece by piece.
    pub fn read(&self, mut push: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        let mut chunk = vec![0; CHUNK];
        for Piece { path, start, end } in &self.pieces {
            let failed = |error: std::io::Error| io_error(path, &error);
            let (mut file, _) = file::open(path)?;
            file.seek(SeekFrom::Start(*start)).map_err(failed)?;
            let mut rest = file.take(end.saturating_sub(*start));
            loop {
                match rest.read(&mut chunk).map_err(failed)? {
                    0 => break,
                    count => push(chunk.get(..count).unwrap_or_default())?,
                }
            }
        }
        Ok(())
    }
}

/// A folder's regular files, and the names of its other entries: folders, pipes, broken links.
fn entries(folder: &Path) -> Result<(Vec<FileLength>, Vec<String>), Error> {
    let failed = |error: std::io::Error| io_error(folder, &error);
    let (mut files, mut others) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        // A file of weights has a name in UTF-8.
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        match path.metadata() {
            Ok(data) if data.is_file() => files.push(FileLength { name: name.into(), length: data.len() }),
            _ => others.push(name.into()),
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok((files, others))
}

fn bytes_of(path: &Path, span: Span) -> Result<Vec<u8>, Error> {
    let failed = |error: std::io::Error| io_error(path, &error);
    let (mut file, _) = file::open(path)?;
    file.seek(SeekFrom::Start(span.start)).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(span.end.saturating_sub(span.start)).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

fn refused(folder: &Path, error: &weights::Error) -> Error {
    Error::Io { path: folder.display().to_string(), reason: error.to_string() }
}
