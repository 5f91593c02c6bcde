//! A model on disk: a folder as Hugging Face saves it.

use std::path::{Path, PathBuf};

use super::file::{LARGEST_SETTINGS, exists, read_utf8};
use super::weights::WeightFiles;
use crate::error::Error;
use crate::kernels::Format;
use crate::model::{Architecture, Attention, Variant};
use crate::runtime::{BackendChoice, Device, LoadOptions, Loading, Model, ModelFiles};
use crate::weights::Header;

const SETTINGS: [&str; 4] =
    ["config.json", "generation_config.json", "tokenizer_config.json", "special_tokens_map.json"];
const TOKENIZERS: [&str; 2] = ["tokenizer.json", "vocab.txt"];

/// config.json, the weights and their header, and the variant to load.
pub struct ModelFolder {
    folder: PathBuf,
    config: String,
    weights: WeightFiles,
    header: Header,
    variant: Variant,
    format: Option<Format>,
}

impl ModelFolder {
    /// Reads config.json and the header of the weights.
    pub fn open(folder: &Path) -> Result<ModelFolder, Error> {
        if !folder.is_dir() {
            return Err(Error::FileNotFound { path: folder.display().to_string() });
        }
        let weights = WeightFiles::open(folder)?;
        let config = config(folder)?;
        let header = weights.header()?;
        Ok(ModelFolder { folder: folder.into(), config, weights, header, variant: Variant::default(), format: None })
    }

    /// The model of a folder and the tensors that it does not read. A folder without weights is described by config.json alone.
    pub fn describe(folder: &Path) -> Result<(Architecture, Vec<(String, u64)>), Error> {
        match ModelFolder::open(folder) {
            Ok(opened) => {
                let model = opened.architecture()?;
                let unread = opened.unread(&model);
                Ok((model, unread))
            }
            Err(Error::FileNotFound { .. }) if exists(&folder.join("config.json")) => {
                Ok((Architecture::read(&config(folder)?, None)?, Vec::new()))
            }
            Err(error) => Err(error),
        }
    }

    /// Every file of the model, those of its tokenizer included.
    pub fn files(&self) -> Vec<PathBuf> {
        let named = SETTINGS.iter().chain(&TOKENIZERS).map(|name| self.folder.join(name));
        named.chain(self.weights.files().iter().cloned()).collect()
    }

    /// Sets the storage format of matrices; `None`: as in the file.
    pub fn with_format(mut self, format: Option<Format>) -> ModelFolder {
        self.format = format;
        self
    }

    /// Sets the attention; `None`: as in config.json.
    pub fn with_attention(mut self, attention: Option<Attention>) -> ModelFolder {
        self.variant.attention = attention;
        self
    }

    /// Sets the variant, but keeps the attention.
    pub fn set_variant(&mut self, variant: Variant) {
        self.variant = Variant { attention: self.variant.attention, ..variant };
    }

    /// The model that config.json and the header describe, without weights.
    pub fn architecture(&self) -> Result<Architecture, Error> {
        let mut architecture = self.variant.read(&self.config, Some(&self.header))?;
        architecture.table.set_formats(self.format, &self.header);
        architecture.table.check(&self.header)?;
        Ok(architecture)
    }

    /// Tensors of the file that the model neither reads nor ties, with the count of their numbers.
    pub fn unread(&self, model: &Architecture) -> Vec<(String, u64)> {
        model.table.unread(&self.header).into_iter().map(|(name, count)| (name.to_string(), count)).collect()
    }

    /// Loads the model onto a backend, chunk by chunk.
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
    read_utf8(&folder.join("config.json"), LARGEST_SETTINGS)
}
