//! A model on disk: a folder as Hugging Face saves it.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::files::Directory;
use crate::kernels::Format;
use crate::model::{Model, Variant};
use crate::session::{BackendChoice, Device, Loading, Session};

/// Bytes that tell how long a header is.
const PREFIX: u64 = 8;

const WEIGHTS: &str = "model.safetensors";

/// The text of config.json, and what the header of model.safetensors tells.
pub struct ModelFolder {
    config: String,
    weights: PathBuf,
    file: File,
    directory: Directory,
    variant: Variant,
    format: Option<Format>,
}

/// Bytes of the file that are read at a time.
const CHUNK: usize = 4 << 20;

impl ModelFolder {
    /// Reads config.json and the header of the weights.
    ///
    /// # Errors
    /// No such folder; a file is missing or unreadable; the weights are a pickle only.
    pub fn open(folder: &Path) -> Result<ModelFolder, Error> {
        if !folder.is_dir() {
            return Err(Error::FileNotFound { path: folder.display().to_string() });
        }
        let weights = folder.join(WEIGHTS);
        if !weights.exists() {
            return Err(without_weights(folder, &weights));
        }
        let config = String::from_utf8(read(&folder.join("config.json"))?)
            .map_err(|_| Error::ConfigNotJson { reason: "it is not UTF-8 text".into() })?;
        let failed = |error: std::io::Error| io_error(&weights, &error);
        let mut file = File::open(&weights).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let mut header = Vec::new();
        file.by_ref().take(PREFIX).read_to_end(&mut header).map_err(failed)?;
        let bytes = Directory::header_bytes(&header)?;
        file.by_ref().take(bytes.saturating_sub(PREFIX)).read_to_end(&mut header).map_err(failed)?;
        let directory = Directory::parse(&header, Some(length))?;
        Ok(ModelFolder { config, weights, file, directory, variant: Variant::default(), format: None })
    }

    /// Keeps its weights in this format, or as they are stored.
    pub fn keep(mut self, format: Option<Format>) -> ModelFolder {
        self.format = format;
        self
    }

    /// Sets the model otherwise than config.json does.
    pub fn vary(&mut self, variant: Variant) {
        self.variant = variant;
    }

    /// The model that both files describe, without its numbers.
    ///
    /// # Errors
    /// A config that does not run here, or does not fit the tensors.
    pub fn model(&self) -> Result<Model, Error> {
        let mut model = self.variant.read(&self.config, Some(&self.directory))?;
        model.table.keep(self.format, &self.directory);
        model.table.check(&self.directory)?;
        Ok(model)
    }

    /// Tensors of the file that the model neither reads nor ties, with their numbers.
    pub fn unread(&self, model: &Model) -> Vec<(String, u64)> {
        model.table.unread(&self.directory).into_iter().map(|(name, count)| (name.to_string(), count)).collect()
    }

    /// Loads the model where it is to run, piece by piece.
    ///
    /// # Errors
    /// Those of [`ModelFolder::model`] and [`Loading`]; a file that cannot be read to its end.
    pub async fn load(mut self, backend: BackendChoice) -> Result<Session, Error> {
        let device = Device::open(backend).await?;
        let mut loading = Loading::begin(self.model()?, &self.directory, &device).await?;
        let mut chunk = vec![0; CHUNK];
        loop {
            match self.file.read(&mut chunk).map_err(|error| io_error(&self.weights, &error))? {
                0 => return loading.finish(),
                count => loading.push(chunk.get(..count).unwrap_or_default())?,
            }
        }
    }
}

/// Reads a whole file, with its path in the error.
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|error| io_error(path, &error))
}

pub fn io_error(path: &Path, error: &std::io::Error) -> Error {
    let path = path.display().to_string();
    match error.kind() {
        ErrorKind::NotFound => Error::FileNotFound { path },
        _ => Error::Io { path, reason: error.to_string() },
    }
}

/// Says what to do where there is no model.safetensors: PyTorch's file and split ones can be converted.
fn without_weights(folder: &Path, weights: &Path) -> Error {
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    names.sort();
    let pickle = |path: &&PathBuf| path.extension().is_some_and(|end| end == "bin" || end == "pt" || end == "pth");
    if let Some(path) = names.iter().find(pickle) {
        return Error::Pickle { file: path.display().to_string() };
    }
    if folder.join("model.safetensors.index.json").exists() {
        return Error::Io {
            path: folder.display().to_string(),
            reason: "the weights are split into several files; save them as one model.safetensors \
                     (save_pretrained with a larger max_shard_size)"
                .into(),
        };
    }
    Error::FileNotFound { path: weights.display().to_string() }
}
