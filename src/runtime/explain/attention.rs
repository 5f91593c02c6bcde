//! How scores, their softmax and attention weights follow from queries and keys. No plan stores them: kernels compute them in passing.

use crate::error::Error;
use crate::model::{Attention, Facts};
use crate::plan::{Derivation, Function, Heads, Index, Part, Site, TensorName};

/// The heads of every layer of a text, and the keys that they may attend to.
pub struct LayersOfHeads {
    pub facts: Facts,
    /// Of each part in the order of [`Part::ALL`].
    pub layers: [Vec<LayerHeads>; 3],
    /// Tokens of the text and of the source, `true` for padding.
    pub text: Vec<bool>,
    pub source: Vec<bool>,
}

pub struct LayerHeads {
    pub heads: Heads,
    /// Whether queries and keys are rotated.
    pub rotates: bool,
}

impl LayersOfHeads {
    /// The tokens of the keys of a part's attention, `true` for padding.
    pub fn keys(&self, part: Part) -> &[bool] {
        if part == Part::Decoder { &self.text } else { &self.source }
    }

    /// The layer of a site.
    pub fn layer(&self, site: Site) -> Result<&LayerHeads, Error> {
        let layer = self.layers[site.part as usize].get(site.layer.unwrap_or(0));
        layer.ok_or_else(|| Error::Internal { reason: format!("no layer computes {site}") })
    }
}

/// Whether the model has a tensor that is computed from its attention, and its numbers have explanations.
pub fn check(tensor: Site, facts: &Facts) -> Result<(), Error> {
    use TensorName as T;
    let name = || tensor.name(facts.encoder.is_some());
    match tensor.tensor {
        T::Contacts => Err(Error::NotExplained { site: name() }),
        T::MaskedScore | T::ScoreMaximum | T::ScoreSum if facts.attention != Attention::Softmax => {
            Err(Error::NoSuchTensor { site: name() })
        }
        _ => Ok(()),
    }
}

/// How one of their numbers follows from the tensor before it.
pub fn derive(layers: &LayersOfHeads, site: Site) -> Result<Derivation, Error> {
    use TensorName as T;
    let [head, query, key] = site.positions();
    let keys = layers.keys(site.part);
    let layer = layers.layer(site)?;
    let (heads, attention) = (&layer.heads, layers.facts.attention);
    let at = |name, tensor, index: [usize; 3]| Derivation::site(name, sibling(site, tensor, index));
    let is_visible = |key: usize| {
        let in_order = !heads.causal || key <= query;
        in_order && heads.window.is_none_or(|window| key.abs_diff(query) < window) && !keys[key]
    };
    let product = |key: usize, of: [Operand; 2]| {
        let [left, right] = of;
        let key_head = heads.key_head(head);
        let term = |column| {
            let query = left.number("query", site, [head, query, column]);
            query.times([right.number("key", site, [key_head, key, column])])
        };
        Derivation::Series((0..heads.query.head_size).map(term).collect())
    };
    let mask = |key| {
        let value = if is_visible(key) { 0.0 } else { f64::from(f32::MIN) };
        Derivation::Constant { name: "mask", value }
    };
    let relative = |key| {
        let masked = at("score", T::MaskedScore, [head, query, key]);
        masked.minus(at("max", T::ScoreMaximum, [head, query, 0])).apply(Function::Exponential)
    };
    Ok(match site.tensor {
        T::UnscaledScore => product(key, rotated(layer, attention)),
        T::Score => {
            let scale = Derivation::Constant { name: "scale", value: f64::from(heads.scale) };
            at("q · k", T::UnscaledScore, [head, query, key]).times([scale])
        }
        T::MaskedScore => at("score", T::Score, [head, query, key]).plus([mask(key)]),
        T::ScoreMaximum => {
            Derivation::Maximum((0..keys.len()).map(|key| at("score", T::MaskedScore, [head, query, key])).collect())
        }
        T::ScoreSum => Derivation::Series((0..keys.len()).map(relative).collect()),
        T::Attentions if heads.linear => {
            let score = at("score", T::Score, [head, query, key]);
            if !is_visible(key) {
                return Ok(score.times([Derivation::Constant { name: "mask", value: 0.0 }]));
            }
            let operands = denominator(layer, attention);
            let sum = (0..keys.len()).filter(|key| is_visible(*key)).map(|key| product(key, operands));
            score.times([Derivation::Series(sum.collect()).apply(Function::Reciprocal)])
        }
        T::Attentions => {
            let sum = at("sum", T::ScoreSum, [head, query, 0]);
            relative(key).times([sum.apply(Function::Reciprocal)])
        }
        _ => return Err(Error::NotExplained { site: site.name(layers.facts.encoder.is_some()) }),
    })
}

/// A number of another tensor of the same layer.
fn sibling(site: Site, tensor: TensorName, index: [usize; 3]) -> Site {
    let mut indices = index.map(Index::At);
    indices[tensor.axes().len()..].fill(Index::All);
    Site { tensor, ..site }.with_index(indices)
}

/// Queries or keys that scores are products of.
#[derive(Clone, Copy)]
struct Operand {
    tensor: TensorName,
    /// Linear attention maps it by φ.
    is_mapped: bool,
}

impl Operand {
    fn number(self, name: &'static str, site: Site, index: [usize; 3]) -> Derivation {
        let number = Derivation::site(name, sibling(site, self.tensor, index));
        if self.is_mapped { number.apply(Function::FeatureMap) } else { number }
    }
}

/// Queries and keys of scores: rotated where the layer rotates.
fn rotated(layer: &LayerHeads, attention: Attention) -> [Operand; 2] {
    use TensorName as T;
    let tensors = if layer.rotates { [T::QueryRotated, T::KeyRotated] } else { [T::Query, T::Key] };
    tensors.map(|tensor| Operand { tensor, is_mapped: attention == Attention::LinearRotateFirst })
}

/// Queries and keys of the denominators of linear attention.
fn denominator(layer: &LayerHeads, attention: Attention) -> [Operand; 2] {
    match attention {
        Attention::Linear => [TensorName::Query, TensorName::Key].map(|tensor| Operand { tensor, is_mapped: true }),
        _ => rotated(layer, attention),
    }
}

/// The weight of a key for a query, of the layer of `site`.
pub fn weight(site: Site, index: [usize; 3]) -> Derivation {
    Derivation::site("weight", sibling(site, TensorName::Attentions, index))
}

/// A number of the source's values for a head of the layer of `site`.
pub fn value_of_source(
    layers: &LayersOfHeads,
    site: Site,
    [head, key, column]: [usize; 3],
) -> Result<Derivation, Error> {
    let value_head = layers.layer(site)?.heads.key_head(head);
    Ok(Derivation::site("value", sibling(site, TensorName::Value, [value_head, key, column])))
}
