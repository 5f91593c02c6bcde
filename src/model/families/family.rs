//! What a family declares of itself.

use crate::error::Error;
use crate::model::{Architecture, Class, Keys};

/// A family of models.
pub struct Family {
    /// `model_type` in config.json.
    pub model_type: &'static str,
    /// Hugging Face's classes that run here, as `architectures` names them; the first where it names none.
    pub architectures: &'static [&'static str],
    /// Reads the config of one of these classes.
    pub read: fn(&Keys, Class<'_>) -> Result<Architecture, Error>,
}
