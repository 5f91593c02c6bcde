//! The text whose numbers are explained.

use crate::model::Variant;
use crate::runtime::{Explainer, Request};

/// The explainer of one text. It stores the numbers that were read for it.
pub struct ExplainedText {
    pub request: Request,
    pub variant: Variant,
    pub explainer: Explainer,
}

impl ExplainedText {
    pub fn bytes(&self) -> u64 {
        self.explainer.bytes()
    }
}
