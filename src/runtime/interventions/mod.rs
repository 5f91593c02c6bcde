//! Interventions: changes of the forward pass, made to see their effect.
//!
//! An intervention is a [`Site`] and its replacement. It covers every row (token) of the texts; a head's output and a number take the index of
//! one row, too. The sites and their replacements:
//!
//! | site | replacement | |
//! |---|---|---|
//! | `layer.N.query.rotated[head,*,pairs]` | [`Replacement::FrozenAngle`] | freezes pairs |
//! | `layer.N.query.rotated[head,*,pairs]` | [`Replacement::Zero`] | ablates pairs: their part of the score is 0 |
//! | `layer.N.head[head,row,*]` | [`Replacement::Zero`], [`Replacement::Mean`] | ablates a head, in one row or with `*` in all |
//! | `layer.*.value` | [`Replacement::Rotated`] | rotates values (RoVE, arXiv 2606.11275) |
//! | `layer.*.query.rotated` | [`Replacement::LogN`] | scales scores by the query's position (Su, kexue.fm/archives/8823) |
//! | `layer.*.score` | [`Replacement::ClampedDistance`] | clamps distances (Su's ReRoPE, kexue.fm/archives/9708) |
//! | `ffn.N[row,neuron]`, `hidden_states.N[row,column]` and others | [`Replacement::Number`], [`Replacement::Zero`] | puts a number in one entry, or with `*` in all of an axis |
//!
//! The last line is of `embeddings`, `hidden_states.N`, `layer.N.residual`, `layer.N.query`, `layer.N.key` and `layer.N.value` (before
//! rotation), `layer.N.head` and `ffn.N`. `ffn.N` is what the output projection of a feed-forward network reads: with `zero` in all its
//! entries the network adds the projection's bias alone. All interventions are of the decoder.

mod inputs;
mod number_entries;
mod numbers;
mod text;

use self::numbers::{check_number, number_index, wrong_replacement};
use crate::error::Error;
use crate::model::{Attention, Facts};
use crate::number::format_number;
use crate::plan::{HeadAblation, Index, InterventionKinds, PairMode, Part, Site, TensorName};
use std::ops::RangeInclusive;

/// A change of the forward pass: a site and its replacement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Intervention {
    /// An index that is left out covers every layer, head, row and column.
    pub site: Site,
    /// The new content of the site.
    pub replacement: Replacement,
}

/// The content that an intervention puts at its site.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Replacement {
    /// 0: for pairs of components in queries and keys, whose part of the score is then 0, for a head's output, or for numbers.
    Zero,
    /// The mean over the tokens of the same sequence that are not padding, later ones included.
    Mean,
    /// The same rows at angle 0, in queries and in keys. Query heads that share a key head freeze together.
    FrozenAngle,
    /// The same rows rotated by their own position, as keys are; each head's output is rotated back by the query's position. A head's
    /// output then depends on distances alone, unlike with RoFormer's `rotary_value`, which never rotates back.
    Rotated,
    /// The same rows times max(1, ln(position + 1) / ln n), where the query's position includes the run's offset. n > 1: a length that the
    /// model was trained with. Scores, maps and taps show the factor.
    LogN(f64),
    /// Tokens at a larger distance than this, on either side and by position ids, get the score of this distance. A continued
    /// text is computed again from its first token.
    ClampedDistance(usize),
    /// A finite number, in each entry that the site covers.
    Number(f32),
}

impl Intervention {
    /// Freezes pairs of a query head, and of the key head that serves it.
    pub fn freeze(layer: usize, head: usize, pairs: RangeInclusive<usize>) -> Self {
        Self { site: pair_site(layer, head, pairs), replacement: Replacement::FrozenAngle }
    }

    /// Takes pairs of a query head out of its scores.
    pub fn ablate_pairs(layer: usize, head: usize, pairs: RangeInclusive<usize>) -> Self {
        Self { site: pair_site(layer, head, pairs), replacement: Replacement::Zero }
    }

    /// Replaces a head's output before the output projection, by zero or by its mean.
    pub fn ablate_head(layer: usize, head: usize, replacement: Replacement) -> Self {
        Self { site: TensorName::Head.at(layer).with_index([Index::At(head)]), replacement }
    }

    /// The same in one row of each text, which counts from 0, padding included; only an ablated head takes one.
    #[must_use]
    pub fn at_row(mut self, row: usize) -> Self {
        self.site.index[1] = Index::At(row);
        self
    }

    /// Rotates values, and heads' outputs back.
    pub fn rotate_values() -> Self {
        Self { site: TensorName::Value.in_every_layer(), replacement: Replacement::Rotated }
    }

    /// Scales scores by the logarithm of the query's position, for a model that was trained with `n` tokens.
    pub fn log_n(n: f64) -> Self {
        Self { site: TensorName::QueryRotated.in_every_layer(), replacement: Replacement::LogN(n) }
    }

    /// Gives tokens that are more than `most` tokens apart the score of the distance `most`, in every layer.
    pub fn clamp_distances(most: usize) -> Self {
        Self { site: TensorName::Score.in_every_layer(), replacement: Replacement::ClampedDistance(most) }
    }

    /// Switches off a neuron, or with `None` all neurons of a layer, in every row.
    pub fn switch_off(layer: usize, neuron: Option<usize>) -> Self {
        let neuron = neuron.map_or(Index::All, Index::At);
        Self {
            site: TensorName::FeedForward.at(layer).with_index([Index::All, neuron]),
            replacement: Replacement::Zero,
        }
    }

    /// Puts a number at a site.
    pub fn put(site: Site, number: f32) -> Self {
        Self { site, replacement: Replacement::Number(number) }
    }

    /// Its kind; `None` for a replacement that its site does not take.
    fn kind(&self) -> Option<InterventionKind> {
        let Site { part, tensor, layer, index } = self.site;
        if part != Part::Decoder {
            return None;
        }
        self.rotation_or_head(tensor, layer, index).or_else(|| self.number())
    }

    /// Its kind, where it puts a number.
    fn number(&self) -> Option<InterventionKind> {
        let number = match self.replacement {
            Replacement::Zero => 0.0,
            Replacement::Number(number) => number,
            _ => return None,
        };
        Some(InterventionKind::Number { index: number_index(self.site)?, number })
    }

    /// Its kind, where that is none of numbers.
    fn rotation_or_head(
        &self,
        tensor: TensorName,
        layer: Option<usize>,
        index: [Index; 3],
    ) -> Option<InterventionKind> {
        let everywhere = layer.is_none() && index == [Index::All; 3];
        let [head, row, last] = index;
        let (head, row) = (entry(head)?, entry(row)?);
        if row.is_some() && tensor != TensorName::Head {
            return None;
        }
        match (tensor, self.replacement, last) {
            (TensorName::QueryRotated, Replacement::FrozenAngle, Index::Pairs { first, last }) => {
                Some(InterventionKind::Pairs { head, first, last, mode: PairMode::Frozen })
            }
            (TensorName::QueryRotated, Replacement::Zero, Index::Pairs { first, last }) => {
                Some(InterventionKind::Pairs { head, first, last, mode: PairMode::Ablated })
            }
            (TensorName::Head, Replacement::Zero, Index::All) => {
                Some(InterventionKind::Head { head, row, mode: HeadAblation::Zero })
            }
            (TensorName::Head, Replacement::Mean, Index::All) => {
                Some(InterventionKind::Head { head, row, mode: HeadAblation::Mean })
            }
            (TensorName::Value, Replacement::Rotated, _) if everywhere => Some(InterventionKind::RotatedValues),
            (TensorName::QueryRotated, Replacement::LogN(n), _) if everywhere => Some(InterventionKind::LogN(n)),
            (TensorName::Score, Replacement::ClampedDistance(most), _) if everywhere => {
                Some(InterventionKind::Clamped(most))
            }
            _ => None,
        }
    }
}

/// `Some(Some(i))`: entry i; `Some(None)`: all entries; `None`: pairs, which no head or row is.
fn entry(index: Index) -> Option<Option<usize>> {
    match index {
        Index::All => Some(None),
        Index::At(entry) => Some(Some(entry)),
        Index::Pairs { .. } => None,
    }
}

fn pair_site(layer: usize, head: usize, pairs: RangeInclusive<usize>) -> Site {
    let (first, last) = pairs.into_inner();
    TensorName::QueryRotated.at(layer).with_index([Index::At(head), Index::All, Index::Pairs { first, last }])
}

/// The supported interventions, one kind for each line of the table above. `None`: every head, every row.
#[derive(Debug, Clone, Copy, PartialEq)]
enum InterventionKind {
    Pairs {
        head: Option<usize>,
        first: usize,
        last: usize,
        mode: PairMode,
    },
    Head {
        head: Option<usize>,
        row: Option<usize>,
        mode: HeadAblation,
    },
    RotatedValues,
    LogN(f64),
    Clamped(usize),
    /// Head, row and column, each one entry or all.
    Number {
        index: [Index; 3],
        number: f32,
    },
}

/// The interventions of one run. Where two put something in the same place, the later one counts; a number counts after an ablated head.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Interventions(Vec<Intervention>);

impl<T: IntoIterator<Item = Intervention>> From<T> for Interventions {
    fn from(interventions: T) -> Self {
        Self(interventions.into_iter().collect())
    }
}

impl Interventions {
    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn kinds(&self) -> impl Iterator<Item = (Option<usize>, InterventionKind)> {
        self.0.iter().filter_map(|intervention| Some((intervention.site.layer, intervention.kind()?)))
    }

    /// Whether each of them puts numbers.
    pub(super) fn are_numbers(&self) -> bool {
        self.kinds().all(|(_, kind)| matches!(kind, InterventionKind::Number { .. }))
    }

    /// The kinds that a plan needs ops for.
    pub(super) fn of_plan(&self, facts: &Facts) -> InterventionKinds {
        let mut kinds = InterventionKinds::default();
        for (_, kind) in self.kinds() {
            match kind {
                InterventionKind::Pairs { .. } => kinds.pairs = true,
                InterventionKind::Head { .. } => kinds.heads = true,
                InterventionKind::RotatedValues => kinds.rotated_values = true,
                InterventionKind::LogN(_) => kinds.scaled_queries = true,
                InterventionKind::Clamped(most) => kinds.max_distance = Some(most),
                InterventionKind::Number { .. } => {}
            }
        }
        kinds.numbers = self.number_tensors(facts);
        kinds
    }

    /// Checks them against the model, and against texts of `length` tokens.
    pub(super) fn check(&self, facts: &Facts, length: usize) -> Result<(), Error> {
        if facts.adds_positions && !self.are_numbers() {
            return Err(Error::NoRotation { architecture: facts.architecture.into() });
        }
        for intervention in &self.0 {
            let Some(kind) = intervention.kind() else {
                return Err(wrong_replacement(intervention.site));
            };
            if let InterventionKind::Number { index, number } = kind {
                check_number(intervention.site, index, number, facts, length)?;
                continue;
            }
            let (layer, head) = (intervention.site.layer.unwrap_or(0), kind.head().unwrap_or(0));
            facts.check_head(Part::Decoder, layer, head)?;
            match kind {
                InterventionKind::Pairs { first, last, .. } => check_pairs(first, last, facts)?,
                InterventionKind::Head { row: Some(row), .. } if row >= length => {
                    return Err(Error::SiteRowOutOfRange { site: intervention.site.to_string(), length });
                }
                InterventionKind::LogN(n) if !(n.is_finite() && n > 1.0) => {
                    return Err(Error::InvalidLogN { n: format_number(n) });
                }
                _ => {}
            }
        }
        let kinds = self.of_plan(facts);
        if kinds.max_distance.is_some() && kinds.pairs {
            return Err(Error::ClampedDistancesWithChangedPairs);
        }
        if facts.attention != Attention::Softmax && (kinds.scaled_queries || kinds.max_distance.is_some()) {
            return Err(Error::NoSoftmax);
        }
        Ok(())
    }

    /// Whether a run computes all tokens, whatever the cache has: a mean is over all of them, and distances need position ids, which only
    /// the run's own tokens have.
    pub(super) fn needs_all_tokens(&self) -> bool {
        let needs = |kind| {
            matches!(kind, InterventionKind::Clamped(_) | InterventionKind::Head { mode: HeadAblation::Mean, .. })
        };
        self.kinds().any(|(_, kind)| needs(kind))
    }
}

impl InterventionKind {
    fn head(self) -> Option<usize> {
        match self {
            InterventionKind::Pairs { head, .. } | InterventionKind::Head { head, .. } => head,
            _ => None,
        }
    }
}

fn check_pairs(first: usize, last: usize, facts: &Facts) -> Result<(), Error> {
    let pairs = facts.head_size / 2;
    if first <= last && last < pairs { Ok(()) } else { Err(Error::PairsOutOfRange { first, last, pairs }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_replacements_are_refused_by_name() {
        let facts = Facts { layers: 2, heads: 2, key_heads: 2, head_size: 4, ..Facts::default() };
        for text in [
            "attentions.0=zero",
            "layer.0.value=rotated",
            "layer.0.query.rotated[0,1,p0]=zero",
            "encoder.layer.0.head=zero",
        ] {
            let interventions = Interventions::from([text.parse::<Intervention>().unwrap()]);
            let error = interventions.check(&facts, 5).unwrap_err().to_string();
            assert!(error.contains("does not take this replacement"), "{text}: {error}");
        }
    }
}
