//! A model on disk: a folder as Hugging Face saves it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::model::checkpoint::Checkpoint;
use crate::model::config::Config;
use crate::session::{BackendChoice, Session};

const WEIGHTS: &str = "model.safetensors";

/// config.json, checked, and the bytes of model.safetensors.
pub struct ModelFolder {
    pub config: Config,
    weights: Vec<u8>,
}

impl ModelFolder {
    /// Reads both files.
    ///
    /// # Errors
    /// No such folder; a file is missing or unreadable; the weights are a pickle only; the config does not fit.
    pub fn open(folder: &Path) -> Result<ModelFolder, Error> {
        if !folder.is_dir() {
            return Err(Error::FileNotFound { path: folder.display().to_string() });
        }
        let weights = folder.join(WEIGHTS);
        if !weights.exists() {
            return Err(without_weights(folder, &weights));
        }
        let config = folder.join("config.json");
        let json = String::from_utf8(read(&config)?)
            .map_err(|_| Error::ConfigNotJson { reason: "it is not UTF-8 text".into() })?;
        Ok(ModelFolder { config: Config::parse(&json)?, weights: read(&weights)? })
    }

    /// The tensors of model.safetensors.
    pub fn checkpoint(&self) -> Result<Checkpoint<'_>, Error> {
        Checkpoint::parse(&self.weights)
    }

    /// Loads the model where it is to run. The files' bytes are given back.
    pub async fn load(self, backend: BackendChoice) -> Result<Session, Error> {
        let checkpoint = Checkpoint::parse(&self.weights)?;
        Session::open(self.config, &checkpoint, backend).await
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
