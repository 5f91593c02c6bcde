//! The inputs of a run that its interventions set.

use super::{InterventionKind, Interventions};
use crate::model::Facts;
use crate::plan::PairMode;
use std::ops::Range;

impl Interventions {
    /// [`PairMode`] of every pair, (layers · (query heads + key heads), pairs); empty where all rotate.
    pub(in crate::runtime) fn pair_modes(&self, facts: &Facts) -> Vec<u32> {
        if !self.of_plan(facts).pairs {
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
    pub(in crate::runtime) fn head_ablations(&self, facts: &Facts, rows: Range<usize>) -> Vec<u32> {
        if !self.of_plan(facts).heads {
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
    pub(in crate::runtime) fn query_scales(&self, positions: &[u32], offset: u64) -> Vec<f32> {
        let scale = |(_, kind)| if let InterventionKind::LogN(n) = kind { Some(n) } else { None };
        let Some(n) = self.kinds().filter_map(scale).last() else { return Vec::new() };
        let scale = |position: &u32| (((offset as f64 + f64::from(*position) + 1.0).ln() / n.ln()).max(1.0)) as f32;
        positions.iter().map(scale).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::{Intervention, Replacement};

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
