//! What a family declares of itself.

use crate::error::Error;
use crate::model::{Architecture, Class, Keys};

/// A family of models.
pub struct Family {
    /// `model_type` in config.json.
    pub model_type: &'static str,
    /// Hugging Face's classes that are supported, as `architectures` names them. The first is the default.
    pub architectures: &'static [&'static str],
    /// Reads the config of one of these classes.
    pub read: fn(&Keys, Class<'_>) -> Result<Architecture, Error>,
}
