//! What a run changes in a model to see what it does: pairs of heads stopped or cut, heads switched off.

use crate::error::Error;
use crate::model::Facts;
use crate::plan::{Interventions, PairFate};
use std::ops::RangeInclusive;

/// Changes of one run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Intervention {
    /// Pairs whose rotation is stopped (θ = 0). A key head serves a group of query heads: all of them stop.
    pub stopped: Vec<Pairs>,
    /// Pairs whose part of the score is 0, in this query head alone.
    pub cut: Vec<Pairs>,
    /// Layers and heads whose context is replaced by zero.
    pub heads_off: Vec<(usize, usize)>,
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
        Interventions { pairs: !self.stopped.is_empty() || !self.cut.is_empty(), heads: !self.heads_off.is_empty() }
    }

    /// # Errors
    /// A layer, head or pair that the model has not.
    pub fn check(&self, facts: &Facts) -> Result<(), Error> {
        let heads = self.stopped.iter().chain(&self.cut).map(|pairs| (pairs.layer, pairs.head));
        if let Some((layer, head)) =
            heads.chain(self.heads_off.iter().copied()).find(|(l, h)| *l >= facts.layers || *h >= facts.heads)
        {
            let (layers, heads) = (facts.layers, facts.heads);
            let reason =
                format!("layer {layer}, head {head}: the model has layers below {layers} and heads below {heads}");
            return Err(Error::InvalidInput { reason });
        }
        let pairs = facts.head_size / 2;
        match self.stopped.iter().chain(&self.cut).find(|some| *some.pairs.end() >= pairs) {
            Some(some) => Err(Error::InvalidInput {
                reason: format!("pair {}: the model's heads have pairs below {pairs}", some.pairs.end()),
            }),
            None => Ok(()),
        }
    }

    /// [`PairFate`] of every pair, (layers · (query heads + key heads), pairs); empty where there is none but turned ones.
    pub fn fates(&self, facts: &Facts) -> Vec<u32> {
        if !self.kind().pairs {
            return Vec::new();
        }
        let (heads, pairs, turning) = (facts.heads, facts.head_size / 2, facts.heads + facts.key_heads);
        let group = heads / facts.key_heads.max(1);
        let mut fates = vec![PairFate::Turned as u32; facts.layers * turning * pairs];
        let mut put = |layer: usize, head: usize, some: &RangeInclusive<usize>, fate: PairFate| {
            let row = (layer * turning + head) * pairs;
            fates[row + some.start()..=row + some.end()].fill(fate as u32);
        };
        for Pairs { layer, head, pairs } in &self.stopped {
            let key_head = head / group;
            let queries = key_head * group..(key_head + 1) * group;
            queries.chain([heads + key_head]).for_each(|head| put(*layer, head, pairs, PairFate::Stopped));
        }
        for Pairs { layer, head, pairs } in &self.cut {
            put(*layer, *head, pairs, PairFate::Cut);
        }
        fates
    }

    /// What each head's context is multiplied with, (layers · heads); empty where all are on.
    pub fn head_factors(&self, facts: &Facts) -> Vec<f32> {
        if !self.kind().heads {
            return Vec::new();
        }
        let mut factors = vec![1.0; facts.layers * facts.heads];
        self.heads_off.iter().for_each(|(layer, head)| factors[layer * facts.heads + head] = 0.0);
        factors
    }
}
