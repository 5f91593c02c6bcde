//! The declaration of a family: its classes in Hugging Face, and the function that reads their configs.

use crate::error::Error;
use crate::model::{Architecture, Keys};
use crate::weights::Header;

pub struct Family {
    pub model_type: &'static str,
    /// Hugging Face's classes that are supported, as `architectures` names them. The first is the default.
    pub architectures: &'static [&'static str],
    /// Reads the config of one of these classes. The header of the weights file tells the class of a config that names none.
    pub read: fn(&Keys, class: &'static str, Option<&Header>) -> Result<Architecture, Error>,
}
