//! A model on disk: a folder as Hugging Face saves it.

use std::path::{Path, PathBuf};

use super::file::{LARGEST_SETTINGS, is_there, read};
use super::weights::Weights;
use crate::error::Error;
use crate::kernels::Format;
use crate::model::{Architecture, Attention, Variant};
use crate::runtime::{BackendChoice, Device, LoadOptions, Loading, Model, ModelFiles};
use crate::weights::Header;

/// Files of settings, and of what a tokenizer is made of.
const SETTINGS: [&str; 4] =
    ["config.json", "generation_config.json", "tokenizer_config.json", "special_tokens_map.json"];
const TOKENIZERS: [&str; 2] = ["tokenizer.json", "vocab.txt"];

/// The text of config.json, and what the header of the weights tells.
pub struct ModelFolder {
    folder: PathBuf,
    config: String,
    weights: Weights,
    header: Header,
    variant: Variant,
    format: Option<Format>,
}

impl ModelFolder {
    /// Reads config.json and the header of the weights.
    ///
    /// # Errors
    /// No such folder; a file is missing or unreadable; weights in a form that is not read.
    pub fn open(folder: &Path) -> Result<ModelFolder, Error> {
        if !folder.is_dir() {
            return Err(Error::FileNotFound { path: folder.display().to_string() });
        }
        let weights = Weights::open(folder)?;
        let config = config(folder)?;
        let header = weights.header()?;
        Ok(ModelFolder { folder: folder.into(), config, weights, header, variant: Variant::default(), format: None })
    }

    /// The model that a folder describes, and what of its file is not read; of config.json alone where there are no weights.
    ///
    /// # Errors
    /// Those of [`ModelFolder::open`] and [`ModelFolder::architecture`].
    pub fn describe(folder: &Path) -> Result<(Architecture, Vec<(String, u64)>), Error> {
        match ModelFolder::open(folder) {
            Ok(opened) => {
                let model = opened.architecture()?;
                let unread = opened.unread(&model);
                Ok((model, unread))
            }
            Err(Error::FileNotFound { .. }) if is_there(&folder.join("config.json")) => {
                Ok((Architecture::read(&config(folder)?, None)?, Vec::new()))
            }
            Err(error) => Err(error),
        }
    }

    /// Every file that the model is read from, those of its tokenizer included.
    pub fn files(&self) -> Vec<PathBuf> {
        let named = SETTINGS.iter().chain(&TOKENIZERS).map(|name| self.folder.join(name));
        named.chain(self.weights.files().iter().cloned()).collect()
    }

    /// Keeps its weights in this format, or as they are stored.
    pub fn keep(mut self, format: Option<Format>) -> ModelFolder {
        self.format = format;
        self
    }

    /// Lets its heads attend otherwise than config.json says.
    pub fn attend(mut self, attention: Option<Attention>) -> ModelFolder {
        self.variant.attention = attention;
        self
    }

    /// Sets the model otherwise than config.json does, but for how its heads attend.
    pub fn vary(&mut self, variant: Variant) {
        self.variant = Variant { attention: self.variant.attention, ..variant };
    }

    /// The model that both files describe, without its numbers.
    ///
    /// # Errors
    /// A config that does not run here, or does not fit the tensors.
    pub fn architecture(&self) -> Result<Architecture, Error> {
        let mut architecture = self.variant.read(&self.config, Some(&self.header))?;
        architecture.table.set_formats(self.format, &self.header);
        architecture.table.check(&self.header)?;
        Ok(architecture)
    }

    /// Tensors of the file that the model neither reads nor ties, with their numbers.
    pub fn unread(&self, model: &Architecture) -> Vec<(String, u64)> {
        model.table.unread(&self.header).into_iter().map(|(name, count)| (name.to_string(), count)).collect()
    }

    /// Loads the model where it is to run, piece by piece.
    ///
    /// # Errors
    /// Those of [`ModelFolder::architecture`] and [`Loading`]; a file that cannot be read to its end.
    pub async fn load(self, backend: BackendChoice) -> Result<Model, Error> {
        let device = Device::open(backend).await?;
        let files = ModelFiles { config_json: self.config, header: self.header };
        let options = LoadOptions { format: self.format, variant: self.variant };
        let mut loading = Loading::begin(&device, files, options).await?;
        self.weights.read(|chunk| loading.push(chunk))?;
        loading.finish()
    }
}

/// The text of a folder's config.json.
fn config(folder: &Path) -> Result<String, Error> {
    let text = String::from_utf8(read(&folder.join("config.json"), LARGEST_SETTINGS)?);
    text.map_err(|_| Error::ConfigNotJson { reason: "it is not UTF-8 text".into() })
}
