//! What a run changes in a model to see what it does: pairs of heads stopped or cut, heads replaced,
//! values rotated, scores scaled, distances clamped.

use crate::error::Error;
use crate::model::{Attention, Facts};
use crate::number::written;
use crate::plan::{HeadAblation, Interventions, PairMode};
use std::ops::RangeInclusive;

/// Changes of one run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Intervention {
    /// Pairs whose rotation is stopped (θ = 0). A key head serves a group of query heads: all of them stop.
    pub stopped: Vec<Pairs>,
    /// Pairs whose part of the score is 0, in this query head alone.
    pub cut: Vec<Pairs>,
    /// Heads whose output (weighted values, before the output projection) is replaced; of two for one head the later counts.
    pub replaced: Vec<Replaced>,
    /// Values turn by their own position as keys do, and what heads give turns back by the query's (RoVE, arXiv 2606.11275).
    /// Unlike RoFormer's `rotary_value`, which never turns back, that leaves only distances in what heads give.
    pub rotates_values: bool,
    /// n of Su's log-n scaling (kexue.fm/archives/8823): scores are multiplied with max(1, ln(position + 1) / ln n) of the query,
    /// whose position is its id with the run's offset. n > 1: a length that the model was trained with. Rotated queries are
    /// scaled for it, so that scores, maps and taps show it.
    pub log_n: Option<f64>,
    /// The largest distance, by position ids, that a score turns by: tokens further apart have the score that they would have so
    /// far apart, on either side (Su's ReRoPE, kexue.fm/archives/9708). The whole text is run for it, over a cache, too. Another reach is another
    /// plan.
    pub reach: Option<usize>,
}

/// One head, and what its output is replaced by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replaced {
    pub layer: usize,
    pub head: usize,
    pub by: HeadAblation,
}

/// Some pairs of one query head.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairs {
    pub layer: usize,
    pub head: usize,
    pub pairs: RangeInclusive<usize>,
}

impl Intervention {
    /// What a plan must make room for.
    pub fn kind(&self) -> Interventions {
        Interventions {
            pairs: !self.stopped.is_empty() || !self.cut.is_empty(),
            heads: !self.replaced.is_empty(),
            rotated_values: self.rotates_values,
            scaled_queries: self.log_n.is_some(),
            reach: self.reach,
        }
    }

    /// # Errors
    /// A layer, head or pair that the model has not; pairs that end before they begin; an n that is not above 1; clamped
    /// distances where pairs are stopped or cut; either of them, or log-n, with linear attention.
    pub fn check(&self, facts: &Facts) -> Result<(), Error> {
        if facts.adds_positions && *self != Self::default() {
            let reason =
                format!("{} runs as it is: changes are for models whose queries and keys turn", facts.architecture);
            return Err(Error::InvalidInput { reason });
        }
        let heads = self.stopped.iter().chain(&self.cut).map(|pairs| (pairs.layer, pairs.head));
        let mut heads = heads.chain(self.replaced.iter().map(|replaced| (replaced.layer, replaced.head)));
        if let Some((layer, head)) = heads.find(|(layer, head)| *layer >= facts.layers || *head >= facts.heads) {
            let (layers, heads) = (facts.layers, facts.heads);
            let reason =
                format!("layer {layer}, head {head}: the model has layers below {layers} and heads below {heads}");
            return Err(Error::InvalidInput { reason });
        }
        if let Some(n) = self.log_n.filter(|n| !(n.is_finite() && *n > 1.0)) {
            return Err(Error::InvalidInput {
                reason: format!("log-n: n is {}, but must be a length above 1", written(n)),
            });
        }
        if self.reach.is_some() && self.kind().pairs {
            let reason = "distances are clamped by turning rows back, which pairs that are stopped or cut do not allow: \
                          ask for one of them";
            return Err(Error::InvalidInput { reason: reason.into() });
        }
        if facts.attention != Attention::Softmax && (self.log_n.is_some() || self.reach.is_some()) {
            let reason = "log-n and clamped distances change the scores of a softmax, which linear attention has none of: \
                          run it without them";
            return Err(Error::InvalidInput { reason: reason.into() });
        }
        let most = facts.head_size / 2;
        for Pairs { pairs, .. } in self.stopped.iter().chain(&self.cut) {
            let (first, last) = (pairs.start(), pairs.end());
            if last >= &most {
                let reason = format!("pair {last}: the model's heads have pairs below {most}");
                return Err(Error::InvalidInput { reason });
            }
            if first > last {
                let reason = format!("pairs {first} to {last}: the first is above the last; exchange them");
                return Err(Error::InvalidInput { reason });
            }
        }
        Ok(())
    }

    /// [`PairMode`] of every pair, (layers · (query heads + key heads), pairs); empty where there is none but turned ones.
    pub fn fates(&self, facts: &Facts) -> Vec<u32> {
        if !self.kind().pairs {
            return Vec::new();
        }
        let (heads, pairs, turning) = (facts.heads, facts.head_size / 2, facts.heads + facts.key_heads);
        let group = heads / facts.key_heads.max(1);
        let mut fates = vec![PairMode::Rotated as u32; facts.layers * turning * pairs];
        let mut put = |layer: usize, head: usize, some: &RangeInclusive<usize>, fate: PairMode| {
            let row = (layer * turning + head) * pairs;
            fates[row + some.start()..=row + some.end()].fill(fate as u32);
        };
        for Pairs { layer, head, pairs } in &self.stopped {
            let key_head = head / group;
            let queries = key_head * group..(key_head + 1) * group;
            queries.chain([heads + key_head]).for_each(|head| put(*layer, head, pairs, PairMode::Frozen));
        }
        for Pairs { layer, head, pairs } in &self.cut {
            put(*layer, *head, pairs, PairMode::Ablated);
        }
        fates
    }

    /// What becomes of what each head gives, (layers · heads): see [`HeadAblation`]; empty where nothing does.
    pub fn head_ablations(&self, facts: &Facts) -> Vec<u32> {
        if !self.kind().heads {
            return Vec::new();
        }
        let mut fates = vec![0; facts.layers * facts.heads];
        self.replaced.iter().for_each(|Replaced { layer, head, by }| fates[layer * facts.heads + head] = *by as u32);
        fates
    }

    /// What the queries at these position ids are multiplied with; empty where they are not.
    pub fn query_scales(&self, positions: &[u32], offset: u64) -> Vec<f32> {
        let Some(n) = self.log_n else { return Vec::new() };
        let scale = |position: &u32| (((offset as f64 + f64::from(*position) + 1.0).ln() / n.ln()).max(1.0)) as f32;
        positions.iter().map(scale).collect()
    }

    /// Whether a run computes the whole text, whatever of it is in the cache: a mean is over all its tokens, and
    /// distances are those of position ids, which only the run's own tokens have.
    pub fn needs_whole_text(&self) -> bool {
        self.reach.is_some() || self.replaced.iter().any(|replaced| replaced.by == HeadAblation::Mean)
    }
}
