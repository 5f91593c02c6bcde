//! Interventions: changes of the forward pass, made to see their effect.
//!
//! An intervention is a [`Site`] and its replacement. It covers every row (token) of the texts; a head's output takes the index of one row,
//! too. The sites and their replacements:
//!
//! | site | replacement | |
//! |---|---|---|
//! | `layer.N.query.rotated[head,*,pairs]` | [`Replacement::FrozenAngle`] | freezes pairs |
//! | `layer.N.query.rotated[head,*,pairs]` | [`Replacement::Zero`] | ablates pairs: their part of the score is 0 |
//! | `layer.N.head[head,row,*]` | [`Replacement::Zero`], [`Replacement::Mean`] | ablates a head, in one row or with `*` in all |
//! | `layer.*.value` | [`Replacement::Rotated`] | rotates values (RoVE, arXiv 2606.11275) |
//! | `layer.*.query.rotated` | [`Replacement::LogN`] | scales scores by the query's position (Su, kexue.fm/archives/8823) |
//! | `layer.*.score` | [`Replacement::ClampedDistance`] | clamps distances (Su's ReRoPE, kexue.fm/archives/9708) |

use crate::error::Error;
use crate::model::{Attention, Facts};
use crate::number::format_number;
use crate::plan::{HeadAblation, Index, InterventionKinds, PairMode, Part, Site, TensorName};
use std::ops::{Range, RangeInclusive};
use std::str::FromStr;

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
    /// 0: for pairs of components in queries and keys, whose part of the score is then 0, or for a head's output.
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

    /// Its kind; `None` for a replacement that its site does not take.
    fn kind(&self) -> Option<InterventionKind> {
        let Site { part, tensor, layer, index } = self.site;
        let everywhere = layer.is_none() && index == [Index::All; 3];
        let [head, row, last] = index;
        let (head, row) = (entry(head)?, entry(row)?);
        if row.is_some() && tensor != TensorName::Head {
            return None;
        }
        if part != Part::Decoder {
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
    Pairs { head: Option<usize>, first: usize, last: usize, mode: PairMode },
    Head { head: Option<usize>, row: Option<usize>, mode: HeadAblation },
    RotatedValues,
    LogN(f64),
    Clamped(usize),
}

impl FromStr for Intervention {
    type Err = Error;

    /// Reads a site, `=` and a replacement: `zero`, `mean`, `frozen`, `rotated`, `log-n:512`, `clamp:256`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let (site, replacement) = text.split_once('=').unwrap_or((text, ""));
        let (name, number) = replacement.trim().split_once(':').unwrap_or((replacement.trim(), ""));
        let replacement = match (name, number) {
            ("zero", "") => Some(Replacement::Zero),
            ("mean", "") => Some(Replacement::Mean),
            ("frozen", "") => Some(Replacement::FrozenAngle),
            ("rotated", "") => Some(Replacement::Rotated),
            ("log-n", n) => n.parse().ok().map(Replacement::LogN),
            ("clamp", most) => most.parse().ok().map(Replacement::ClampedDistance),
            _ => None,
        };
        let replacement = replacement.ok_or_else(|| Error::InvalidIntervention { text: text.into() })?;
        Ok(Self { site: site.parse()?, replacement })
    }
}

/// The interventions of one run. Where two have the same site, the later one counts.
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

    /// The kinds that a plan needs ops for.
    pub(super) fn of_plan(&self) -> InterventionKinds {
        let mut kinds = InterventionKinds::default();
        for (_, kind) in self.kinds() {
            match kind {
                InterventionKind::Pairs { .. } => kinds.pairs = true,
                InterventionKind::Head { .. } => kinds.heads = true,
                InterventionKind::RotatedValues => kinds.rotated_values = true,
                InterventionKind::LogN(_) => kinds.scaled_queries = true,
                InterventionKind::Clamped(most) => kinds.max_distance = Some(most),
            }
        }
        kinds
    }

    /// Checks them against the model, and against texts of `length` tokens.
    pub(super) fn check(&self, facts: &Facts, length: usize) -> Result<(), Error> {
        if facts.adds_positions && !self.is_empty() {
            return Err(Error::NoRotation { architecture: facts.architecture.into() });
        }
        for intervention in &self.0 {
            let Some(kind) = intervention.kind() else {
                return Err(Error::WrongReplacement { site: intervention.site.to_string() });
            };
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
        let kinds = self.of_plan();
        if kinds.max_distance.is_some() && kinds.pairs {
            return Err(Error::ClampedDistancesWithChangedPairs);
        }
        if facts.attention != Attention::Softmax && (kinds.scaled_queries || kinds.max_distance.is_some()) {
            return Err(Error::NoSoftmax);
        }
        Ok(())
    }

    /// [`PairMode`] of every pair, (layers · (query heads + key heads), pairs); empty where all rotate.
    pub(super) fn pair_modes(&self, facts: &Facts) -> Vec<u32> {
        if !self.of_plan().pairs {
            return Vec::new();
        }
        let (heads, pairs, rows) = (facts.heads, facts.head_size / 2, facts.heads + facts.key_heads);
        let group = heads / facts.key_heads.max(1);
        let mut modes = vec![PairMode::Rotated as u32; facts.layers * rows * pairs];
        for (layer, kind) in self.kinds() {
            let InterventionKind::Pairs { head, first, last, mode } = kind else { continue };
            for layer in layer.map_or(0..facts.layers, |layer| layer..layer + 1) {
                let mut put = |row: usize| {
                    let start = (layer * rows + row) * pairs;
                    modes[start + first..=start + last].fill(mode as u32);
                };
                for head in head.map_or(0..heads, |head| head..head + 1) {
                    if mode == PairMode::Ablated {
                        put(head);
                        continue;
                    }
                    let key_head = head / group;
                    (key_head * group..(key_head + 1) * group).chain([heads + key_head]).for_each(&mut put);
                }
            }
        }
        modes
    }

    /// [`HeadAblation`] of each head's output in these rows, (layers · heads, rows), 0 for its own; empty where none is replaced.
    pub(super) fn head_ablations(&self, facts: &Facts, rows: Range<usize>) -> Vec<u32> {
        if !self.of_plan().heads {
            return Vec::new();
        }
        let mut modes = vec![0; facts.layers * facts.heads * rows.len()];
        for (layer, kind) in self.kinds() {
            let InterventionKind::Head { head, row, mode } = kind else { continue };
            let layers = layer.map_or(0..facts.layers, |layer| layer..layer + 1);
            let heads = layers.flat_map(|layer| {
                let heads = head.map_or(0..facts.heads, |head| head..head + 1);
                heads.map(move |head| layer * facts.heads + head)
            });
            for head in heads {
                let modes = &mut modes[head * rows.len()..][..rows.len()];
                match row {
                    None => modes.fill(mode as u32),
                    Some(row) if rows.contains(&row) => modes[row - rows.start] = mode as u32,
                    Some(_) => {}
                }
            }
        }
        modes
    }

    /// The factors of the queries at these position ids; empty where queries are not scaled.
    pub(super) fn query_scales(&self, positions: &[u32], offset: u64) -> Vec<f32> {
        let scale = |(_, kind)| if let InterventionKind::LogN(n) = kind { Some(n) } else { None };
        let Some(n) = self.kinds().filter_map(scale).last() else { return Vec::new() };
        let scale = |position: &u32| (((offset as f64 + f64::from(*position) + 1.0).ln() / n.ln()).max(1.0)) as f32;
        positions.iter().map(scale).collect()
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
    fn interventions_are_read_by_their_sites() {
        for (text, expected) in [
            ("layer.2.query.rotated[6,*,p0-3]=frozen", Intervention::freeze(2, 6, 0..=3)),
            ("layer.2.query.rotated[6,*,p5]=zero", Intervention::ablate_pairs(2, 6, 5..=5)),
            ("layer.1.head[0,*,*]=mean", Intervention::ablate_head(1, 0, Replacement::Mean)),
            ("layer.1.head[0,3,*]=mean", Intervention::ablate_head(1, 0, Replacement::Mean).at_row(3)),
            ("layer.*.value=rotated", Intervention::rotate_values()),
            ("layer.*.query.rotated=log-n:512", Intervention::log_n(512.0)),
            ("layer.*.score=clamp:256", Intervention::clamp_distances(256)),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
            assert!(expected.kind().is_some(), "{text}");
        }
        for text in ["", "layer.1.head[0,*,*]", "layer.1.head[0,*,*]=one", "attention=zero", "layer.*.score=clamp:x"] {
            assert!(text.parse::<Intervention>().is_err(), "{text}");
        }
    }

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

    #[test]
    fn a_site_of_every_head_covers_each() {
        let facts = Facts { layers: 2, heads: 4, key_heads: 2, head_size: 4, ..Facts::default() };
        let all = "layer.1.head=zero".parse::<Intervention>().unwrap();
        assert_eq!(Interventions::from([all]).head_ablations(&facts, 3..4), [0, 0, 0, 0, 1, 1, 1, 1]);
        // Head 1 shares its key head, which is row 4, with head 0.
        let frozen = Interventions::from([Intervention::freeze(0, 1, 1..=1)]).pair_modes(&facts);
        let rows: Vec<usize> = (0..frozen.len()).filter(|at| frozen[*at] != 0).collect();
        assert_eq!(rows, [1, 3, 9]);
    }

    #[test]
    fn a_row_is_replaced_where_the_run_computes_it() {
        let facts = Facts { layers: 1, heads: 2, key_heads: 2, head_size: 4, ..Facts::default() };
        let head = Intervention::ablate_head(0, 1, Replacement::Zero).at_row(3);
        let interventions = Interventions::from([head]);
        assert_eq!(interventions.head_ablations(&facts, 2..5), [0, 0, 0, 0, 1, 0]);
        // A cache has the row, as an earlier run with the same interventions computed it.
        assert_eq!(interventions.head_ablations(&facts, 4..5), [0, 0]);
        assert!(interventions.check(&facts, 4).is_ok());
        let error = interventions.check(&facts, 3).unwrap_err().to_string();
        assert_eq!(error, "there is no layer.0.head[1,3,*]: the text has 3 tokens; count rows from 0");
    }
}
