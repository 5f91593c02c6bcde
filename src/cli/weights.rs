//! A folder's weights, in whatever form they are: a safetensors header, and the stretches of files that follow it.

use std::collections::BTreeSet;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use ropescope_checkpoints::{FileLength, Opening, Refusal, Span, Step, weights_among};

use super::file::{self, io_error};
use crate::error::Error;
use crate::files::Directory;

/// Bytes that tell how long a header is.
const PREFIX: u64 = 8;

/// Bytes of a file that are read at a time.
const CHUNK: usize = 4 << 20;

/// What a folder's weights are made of. Their numbers are read when they are wanted, and never held.
pub struct Weights {
    header: Vec<u8>,
    pieces: Vec<Piece>,
    files: BTreeSet<PathBuf>,
}

/// Bytes [start, end) of a file.
struct Piece {
    path: PathBuf,
    start: u64,
    end: u64,
}

impl Weights {
    /// Finds the weights among a folder's files and reads what tells of them.
    ///
    /// # Errors
    /// There are none, or their form is not read; a file is missing, unreadable or not a regular file; a pickle that wants to
    /// call something.
    pub fn open(folder: &Path) -> Result<Weights, Error> {
        let (files, others) = entries(folder)?;
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        let all: Vec<&str> = names.iter().copied().chain(others.iter().map(String::as_str)).collect();
        if let Ok(Some(main)) = weights_among(&all)
            && !names.contains(&main)
        {
            file::open(&folder.join(main))?;
        }
        let main = weights_among(&names).map_err(|refusal| refused(folder, &refusal))?;
        match main {
            None => Err(Error::FileNotFound { path: folder.join("model.safetensors").display().to_string() }),
            Some(main) if main.ends_with(".safetensors") => Weights::alone(folder.join(main)),
            Some(main) => Weights::gathered(folder, main.to_string(), files),
        }
    }

    /// One safetensors file.
    fn alone(path: PathBuf) -> Result<Weights, Error> {
        let failed = |error: std::io::Error| io_error(&path, &error);
        let (mut file, end) = file::open(&path)?;
        let mut header = Vec::new();
        file.by_ref().take(PREFIX).read_to_end(&mut header).map_err(failed)?;
        let bytes = Directory::header_bytes(&header)?;
        file.by_ref().take(bytes.saturating_sub(PREFIX)).read_to_end(&mut header).map_err(failed)?;
        let start = header.len() as u64;
        let files = BTreeSet::from([path.clone()]);
        Ok(Weights { header, pieces: vec![Piece { path, start, end }], files })
    }

    /// Any other form.
    fn gathered(folder: &Path, main: String, files: Vec<FileLength>) -> Result<Weights, Error> {
        let path = |file: usize| files.get(file).map(|file| folder.join(&file.name)).unwrap_or_default();
        let refused = |refusal: Refusal| refused(folder, &refusal);
        let mut read = BTreeSet::from([folder.join(&main)]);
        let mut opening = Opening::new(main, files.clone());
        loop {
            match opening.step().map_err(refused)? {
                Step::Read(wanted) => {
                    for span in wanted {
                        read.insert(path(span.file));
                        opening.give(span, stretch(&path(span.file), span)?).map_err(refused)?;
                    }
                }
                Step::Done(checkpoint) => {
                    let piece = |Span { file, start, end }| Piece { path: path(file), start, end };
                    let pieces = checkpoint.pieces.into_iter().map(piece).collect();
                    return Ok(Weights { header: checkpoint.header, pieces, files: read });
                }
            }
        }
    }

    /// The files that hold them or list them.
    pub fn files(&self) -> &BTreeSet<PathBuf> {
        &self.files
    }

    /// What the header tells.
    ///
    /// # Errors
    /// Those of [`Directory::parse`].
    pub fn directory(&self) -> Result<Directory, Error> {
        let data =
            self.pieces.iter().fold(0, |sum: u64, piece| sum.saturating_add(piece.end.saturating_sub(piece.start)));
        Directory::parse(&self.header, Some(data.saturating_add(self.header.len() as u64)))
    }

    /// Gives the bytes behind the header, piece by piece.
    ///
    /// # Errors
    /// A file that cannot be read to its end; what `push` meets.
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

/// The regular files of a folder itself, and the names of what else is there: folders, pipes, links that lead nowhere.
fn entries(folder: &Path) -> Result<(Vec<FileLength>, Vec<String>), Error> {
    let failed = |error: std::io::Error| io_error(folder, &error);
    let (mut files, mut others) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        // A name that is no text is no file of weights.
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        match path.metadata() {
            Ok(data) if data.is_file() => files.push(FileLength { name: name.into(), length: data.len() }),
            _ => others.push(name.into()),
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok((files, others))
}

fn stretch(path: &Path, span: Span) -> Result<Vec<u8>, Error> {
    let failed = |error: std::io::Error| io_error(path, &error);
    let (mut file, _) = file::open(path)?;
    file.seek(SeekFrom::Start(span.start)).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(span.end.saturating_sub(span.start)).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

fn refused(folder: &Path, refusal: &Refusal) -> Error {
    Error::Io { path: folder.display().to_string(), reason: refusal.to_string() }
}
