//! Sites: one name for every place in a forward pass.
//!
//! A site is a tensor of the forward pass and an index into it. A run keeps sites as taps, an activation file holds them under these
//! names, and an intervention replaces one. Tensors are named as in Hugging Face where it names them; everything counts from 0.

use self::TensorName as T;
use super::Part;
use crate::error::Error;
use std::fmt;
use std::str::FromStr;
use strum::{EnumCount, IntoStaticStr};

/// A tensor of the forward pass. Most of them exist in every layer: [`TensorName::at`] names that of one layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, EnumCount)]
pub enum TensorName {
    /// The three summands of the input, (row, column).
    WordEmbeddings,
    PositionEmbeddings,
    TypeEmbeddings,
    /// Their sum after any token dropout, and its norm with the mean and the scale of each row.
    Embeddings,
    EmbeddingNorm,
    EmbeddingNormMean,
    EmbeddingNormScale,
    /// The input of layer N, (row, column). For N = layers, the last layer's output, after the final norm where there is one.
    HiddenStates,
    /// The residual stream of layer N between attention and feed-forward, (row, column).
    LayerResidual,
    /// The residual stream after the last layer, before the final norm, (row, column).
    Residual,
    /// Queries and keys of a layer that norms each head, before these norms, (head, row, column).
    QueryProjected,
    KeyProjected,
    /// Projections before rotation, after any norm of each head, (head, row, column); key and value by key-value head.
    Query,
    Key,
    Value,
    /// The same after rotation to their positions.
    QueryRotated,
    KeyRotated,
    /// query · key, (head, query, key): without the scale, with it, and with the mask added.
    UnscaledScore,
    Score,
    MaskedScore,
    /// Each score row's maximum, and the sum of its exponentials relative to it, (head, query).
    ScoreMaximum,
    ScoreSum,
    /// Attention weights, (head, query, key).
    Attentions,
    /// A head's weighted sum of values before the output projection, (head, row, column).
    Head,
    /// ‖Σ_j a_ij v_j W_O‖, the norm of each head's term in the residual stream, without the projection's bias, (head, row).
    Written,
    /// The terms of attention and of the feed-forward network in the residual stream, after norms and multipliers, (row, column).
    AttentionOutput,
    FeedForwardOutput,
    /// The feed-forward network, (row, neuron): its first projection (gated: the up projection), the gate before its activation, the
    /// activation's result, and the input of the output projection.
    FeedForwardInner,
    FeedForwardGate,
    FeedForwardActivated,
    FeedForward,
    /// The numbers that a layer's norm K reads, and its result, (row, column), and each row's mean and scale.
    NormInput(u8),
    Norm(u8),
    NormMean(u8),
    NormScale(u8),
    /// The final norm, likewise.
    FinalNorm,
    FinalNormMean,
    FinalNormScale,
    /// The output head before its last projection, where it has more than that: a projection, its activation, and a norm, (row, column), with
    /// the mean and scale of each row.
    OutputDense,
    OutputActivated,
    OutputNorm,
    OutputNormMean,
    OutputNormScale,
    /// The result of the output head and its softmax, (row, id).
    Logits,
    Probabilities,
    /// Probabilities that residues touch, by ESM's regression over all attention, (row, column).
    Contacts,
}

/// An axis of a tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum SiteAxis {
    Head,
    /// A token of the text.
    Row,
    Query,
    Key,
    Column,
    Neuron,
    /// An id of the vocabulary.
    Id,
}

/// The entries of an axis that a site covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Index {
    /// All of them, written `*`.
    #[default]
    All,
    /// One entry, counted from 0.
    At(usize),
    /// Both components of rotary pairs first ..= last, written `p0-3`: of the columns of queries and keys.
    Pairs {
        /// The first pair.
        first: usize,
        /// The last pair, included.
        last: usize,
    },
}

/// A place in a forward pass. Its name is that of the tensor, with the index in brackets where it does not cover all of it:
/// `attentions.2[6,9,8]` is layer 2, head 6, query 9, key 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The part of the model; the decoder in a model of one stack.
    pub part: Part,
    /// The tensor, without its layer.
    pub tensor: TensorName,
    /// `None`: every layer, written `*`. Of a tensor that exists once it is always `None`.
    pub layer: Option<usize>,
    /// One index for each of [`TensorName::axes`].
    pub index: [Index; 3],
}

const HEAD_ROW_COLUMN: &[SiteAxis] = &[SiteAxis::Head, SiteAxis::Row, SiteAxis::Column];
const HEAD_QUERY_KEY: &[SiteAxis] = &[SiteAxis::Head, SiteAxis::Query, SiteAxis::Key];
const HEAD_QUERY: &[SiteAxis] = &[SiteAxis::Head, SiteAxis::Query];
const HEAD_ROW: &[SiteAxis] = &[SiteAxis::Head, SiteAxis::Row];
const ROW_COLUMN: &[SiteAxis] = &[SiteAxis::Row, SiteAxis::Column];
const ROW_NEURON: &[SiteAxis] = &[SiteAxis::Row, SiteAxis::Neuron];
const ROW_ID: &[SiteAxis] = &[SiteAxis::Row, SiteAxis::Id];
const ROW: &[SiteAxis] = &[SiteAxis::Row];

/// The most norms of a layer: four where each of two sublayers has one before and one after it.
const NORMS: u8 = 4;

/// Every tensor in the order of a forward pass, with its name and axes. `N` stands for the layer, `K` for a layer's norm.
const TENSORS: [(TensorName, &str, &[SiteAxis]); TensorName::COUNT] = [
    (T::WordEmbeddings, "embeddings.word", ROW_COLUMN),
    (T::PositionEmbeddings, "embeddings.position", ROW_COLUMN),
    (T::TypeEmbeddings, "embeddings.type", ROW_COLUMN),
    (T::Embeddings, "embeddings", ROW_COLUMN),
    (T::EmbeddingNorm, "embeddings.norm", ROW_COLUMN),
    (T::EmbeddingNormMean, "embeddings.norm.mean", ROW),
    (T::EmbeddingNormScale, "embeddings.norm.scale", ROW),
    (T::HiddenStates, "hidden_states.N", ROW_COLUMN),
    (T::QueryProjected, "layer.N.query.projected", HEAD_ROW_COLUMN),
    (T::KeyProjected, "layer.N.key.projected", HEAD_ROW_COLUMN),
    (T::Query, "layer.N.query", HEAD_ROW_COLUMN),
    (T::Key, "layer.N.key", HEAD_ROW_COLUMN),
    (T::Value, "layer.N.value", HEAD_ROW_COLUMN),
    (T::QueryRotated, "layer.N.query.rotated", HEAD_ROW_COLUMN),
    (T::KeyRotated, "layer.N.key.rotated", HEAD_ROW_COLUMN),
    (T::UnscaledScore, "layer.N.score.unscaled", HEAD_QUERY_KEY),
    (T::Score, "layer.N.score", HEAD_QUERY_KEY),
    (T::MaskedScore, "layer.N.score.masked", HEAD_QUERY_KEY),
    (T::ScoreMaximum, "layer.N.score.max", HEAD_QUERY),
    (T::ScoreSum, "layer.N.score.sum", HEAD_QUERY),
    (T::Attentions, "attentions.N", HEAD_QUERY_KEY),
    (T::Head, "layer.N.head", HEAD_ROW_COLUMN),
    (T::Written, "layer.N.written", HEAD_ROW),
    (T::AttentionOutput, "layer.N.attention", ROW_COLUMN),
    (T::LayerResidual, "layer.N.residual", ROW_COLUMN),
    (T::FeedForwardInner, "ffn.N.inner", ROW_NEURON),
    (T::FeedForwardGate, "ffn.N.gate", ROW_NEURON),
    (T::FeedForwardActivated, "ffn.N.activated", ROW_NEURON),
    (T::FeedForward, "ffn.N", ROW_NEURON),
    (T::FeedForwardOutput, "layer.N.ffn", ROW_COLUMN),
    (T::NormInput(0), "layer.N.norm.K.input", ROW_COLUMN),
    (T::Norm(0), "layer.N.norm.K", ROW_COLUMN),
    (T::NormMean(0), "layer.N.norm.K.mean", ROW),
    (T::NormScale(0), "layer.N.norm.K.scale", ROW),
    (T::Residual, "residual", ROW_COLUMN),
    (T::FinalNorm, "norm", ROW_COLUMN),
    (T::FinalNormMean, "norm.mean", ROW),
    (T::FinalNormScale, "norm.scale", ROW),
    (T::OutputDense, "output.dense", ROW_COLUMN),
    (T::OutputActivated, "output.activated", ROW_COLUMN),
    (T::OutputNorm, "output.norm", ROW_COLUMN),
    (T::OutputNormMean, "output.norm.mean", ROW),
    (T::OutputNormScale, "output.norm.scale", ROW),
    (T::Logits, "logits", ROW_ID),
    (T::Probabilities, "probabilities", ROW_ID),
    (T::Contacts, "contacts", ROW_COLUMN),
];

impl TensorName {
    /// Its row of [`TENSORS`].
    fn entry(self) -> (&'static str, &'static [SiteAxis]) {
        let entry = TENSORS.iter().find(|(tensor, ..)| *tensor == self.of_norm(0));
        entry.map_or(("", &[]), |(_, name, axes)| (name, axes))
    }

    /// The same tensor of norm K of its layer; a tensor of no norm stays the same.
    fn of_norm(self, norm: u8) -> Self {
        match self {
            Self::NormInput(_) => Self::NormInput(norm),
            Self::Norm(_) => Self::Norm(norm),
            Self::NormMean(_) => Self::NormMean(norm),
            Self::NormScale(_) => Self::NormScale(norm),
            other => other,
        }
    }

    /// Every tensor, in the order of the table.
    pub fn all() -> impl Iterator<Item = TensorName> {
        TENSORS.iter().flat_map(|&(tensor, ..)| {
            let norms = if tensor.of_norm(1) == tensor { 1 } else { NORMS };
            (0..norms).map(move |norm| tensor.of_norm(norm))
        })
    }

    /// Its name, with `N` for the layer and `K` for a layer's norm: `layer.N.query.rotated`.
    pub fn template(self) -> &'static str {
        self.entry().0
    }

    /// Its name as a tap of every layer, as the command line and the npm package write it: `query_rotated`. Only
    /// [`crate::runtime::named_taps`] have a name that no other tensor has.
    pub fn tap_name(self) -> String {
        self.template().split('.').filter(|word| !["layer", "N"].contains(word)).collect::<Vec<_>>().join("_")
    }

    /// Whether every layer has such a tensor.
    pub fn is_per_layer(self) -> bool {
        self.entry().0.contains('N')
    }

    /// Its axes: a site has an index for each.
    pub fn axes(self) -> &'static [SiteAxis] {
        self.entry().1
    }

    /// The whole tensor of a layer of the decoder; the layer of a tensor that exists once is left out.
    pub fn at(self, layer: usize) -> Site {
        Site { layer: self.is_per_layer().then_some(layer), ..self.in_every_layer() }
    }

    /// The whole tensor in every layer of the decoder.
    pub fn in_every_layer(self) -> Site {
        Site { part: Part::Decoder, tensor: self, layer: None, index: [Index::All; 3] }
    }

    /// The name with the layer put in: `*` for every layer.
    fn name(self, layer: Option<usize>) -> String {
        let layer = layer.map_or_else(|| "*".into(), |layer| layer.to_string());
        let norm = match self {
            Self::NormInput(norm) | Self::Norm(norm) | Self::NormMean(norm) | Self::NormScale(norm) => norm.to_string(),
            _ => String::new(),
        };
        let parts = self.entry().0.split('.').map(|part| match part {
            "N" => &layer[..],
            "K" => &norm[..],
            part => part,
        });
        parts.collect::<Vec<_>>().join(".")
    }
}

impl SiteAxis {
    /// Its name in lower case.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl Site {
    /// The same place in another part of an encoder–decoder.
    pub fn in_part(self, part: Part) -> Self {
        Self { part, ..self }
    }

    /// The same tensor at an index: one entry for each axis, [`Index::All`] where there are fewer.
    pub fn with_index<const N: usize>(self, index: [Index; N]) -> Self {
        let mut all = [Index::All; 3];
        all.iter_mut().zip(index).for_each(|(place, index)| *place = index);
        Self { index: all, ..self }
    }

    /// The index of each axis; 0 where the site covers several entries.
    pub fn positions(&self) -> [usize; 3] {
        self.index.map(|index| if let Index::At(at) = index { at } else { 0 })
    }

    /// Whether a model with this number of layers has it.
    pub fn exists_in(self, layers: usize) -> bool {
        self.layer.is_none_or(|layer| match self.tensor {
            TensorName::HiddenStates => layer <= layers,
            _ => layer < layers,
        })
    }

    /// Its name; `in_pair`: in an encoder–decoder, where each name has its part in front, as Hugging Face names its outputs.
    pub fn name(self, in_pair: bool) -> String {
        let Self { part, tensor, layer, index } = self;
        let name = tensor.name(layer);
        let index = &index[..tensor.axes().len()];
        let index = match index.iter().any(|index| *index != Index::All) {
            true => format!("[{}]", index.iter().map(Index::to_string).collect::<Vec<_>>().join(",")),
            false => String::new(),
        };
        match (in_pair, tensor) {
            (false, _) => format!("{name}{index}"),
            (_, TensorName::HiddenStates | TensorName::Attentions) => format!("{part}_{name}{index}"),
            _ => format!("{part}.{name}{index}"),
        }
    }
}

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Index::All => f.write_str("*"),
            Index::At(at) => write!(f, "{at}"),
            Index::Pairs { first, last } if first == last => write!(f, "p{first}"),
            Index::Pairs { first, last } => write!(f, "p{first}-{last}"),
        }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name(self.part != Part::Decoder))
    }
}

impl FromStr for Site {
    type Err = Error;

    /// Reads a site's name, with or without the decoder's part in front.
    fn from_str(text: &str) -> Result<Self, Error> {
        let (name, index) = match text.trim().strip_suffix(']').and_then(|text| text.split_once('[')) {
            Some((name, index)) => (name, index.split(',').map(str::trim).collect()),
            None => (text.trim(), Vec::new()),
        };
        let prefixes = Part::ALL.into_iter().flat_map(|part| [(part, '_'), (part, '.')]);
        let named = prefixes.into_iter().find_map(|(part, separator)| {
            name.strip_prefix(part.name())?.strip_prefix(separator).map(|name| (part, name))
        });
        let (part, name) = named.unwrap_or((Part::Decoder, name));
        let layer = name.split('.').find(|part| *part == "*" || part.parse::<usize>().is_ok());
        let layer = layer.and_then(|layer| layer.parse().ok());
        let found = TensorName::all().find(|tensor| {
            let layer = layer.filter(|_| tensor.is_per_layer());
            tensor.name(layer) == name
        });
        let tensor = found.ok_or_else(|| Error::UnknownSite { text: text.into() })?;
        let axes = tensor.axes();
        let invalid_index = || Error::InvalidSiteIndex { text: text.into(), axes: axes.len() };
        if !index.is_empty() && index.len() != axes.len() {
            return Err(invalid_index());
        }
        let mut site = Site { layer: layer.filter(|_| tensor.is_per_layer()), ..tensor.in_every_layer() }.in_part(part);
        for ((place, entry), axis) in site.index.iter_mut().zip(index).zip(axes) {
            *place = read_index(entry, *axis).ok_or_else(invalid_index)?;
        }
        Ok(site)
    }
}

fn read_index(text: &str, axis: SiteAxis) -> Option<Index> {
    match (text, text.strip_prefix('p')) {
        ("*", _) => Some(Index::All),
        (_, Some(pairs)) if axis == SiteAxis::Column => {
            let (first, last) = pairs.split_once('-').unwrap_or((pairs, pairs));
            let (first, last) = (first.parse().ok()?, last.parse().ok()?);
            (first <= last).then_some(Index::Pairs { first, last })
        }
        _ => text.parse().ok().map(Index::At),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_hugging_faces() {
        let names =
            [T::HiddenStates.at(0), T::Attentions.at(11), T::Query.at(2), T::KeyRotated.at(3), T::Norm(1).at(4)];
        let expected = ["hidden_states.0", "attentions.11", "layer.2.query", "layer.3.key.rotated", "layer.4.norm.1"];
        assert_eq!(names.map(|site| site.to_string()), expected);
        assert_eq!(T::Attentions.at(1).in_part(Part::Cross).to_string(), "cross_attentions.1");
        assert_eq!(T::Query.at(0).in_part(Part::Encoder).to_string(), "encoder.layer.0.query");
        assert_eq!(T::HiddenStates.at(2).name(true), "decoder_hidden_states.2");
    }

    #[test]
    fn the_table_has_a_row_for_each_tensor() {
        let distinct: std::collections::HashSet<_> = TENSORS.iter().map(|(tensor, ..)| tensor).collect();
        assert_eq!(distinct.len(), TensorName::COUNT);
    }

    #[test]
    fn every_name_is_read_back() {
        for tensor in TensorName::all() {
            for site in [tensor.at(3), tensor.in_every_layer(), tensor.at(0).in_part(Part::Encoder)] {
                assert_eq!(site.to_string().parse(), Ok(site), "{site}");
                let first = site.with_index([Index::At(1)]);
                assert_eq!(first.to_string().parse(), Ok(first), "{first}");
            }
        }
        let pairs =
            TensorName::QueryRotated.at(2).with_index([Index::At(6), Index::All, Index::Pairs { first: 0, last: 3 }]);
        assert_eq!(pairs.to_string(), "layer.2.query.rotated[6,*,p0-3]");
        assert_eq!(pairs.to_string().parse(), Ok(pairs));
        assert_eq!("decoder_attentions.2[6,9,8]".parse::<Site>().unwrap().to_string(), "attentions.2[6,9,8]");
    }

    #[test]
    fn other_names_are_refused_in_words() {
        for text in
            ["", "layer", "attentions", "attentions.x", "attentions.1[2]", "layer.0.query[p0,*,*]", "logits[1,p0]"]
        {
            let error = text.parse::<Site>().unwrap_err().to_string();
            assert!(error.contains("is not a site"), "{text}: {error}");
        }
    }
}
