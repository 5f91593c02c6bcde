//! The parts of a model that have attention: an encoder–decoder has three.

use std::fmt;
use strum::IntoStaticStr;

/// A part of a model that has heads of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Part {
    /// The stack that reads the source.
    Encoder,
    /// The stack that computes the result, with attention over its own text. A model of one stack has only this part.
    #[default]
    Decoder,
    /// The decoder's attention to the source: queries of the text, keys and values of the encoder's hidden states.
    Cross,
}

impl Part {
    /// Each part once, in the order of their declaration.
    pub const ALL: [Part; 3] = [Part::Encoder, Part::Decoder, Part::Cross];

    /// `encoder`, `decoder` or `cross`, as the names of sites begin.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
