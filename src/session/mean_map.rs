//! What heads take from where, of the last run: weights with what they weigh, and many heads in one map.

use super::heads::{Questions, check_map};
use super::loaded::Session;
use super::questions::no_heads;
use super::{Selection, Tensor};
use crate::backend::Pace;
use crate::error::Error;
use crate::ops::{MeanMap, RowNorms};
use crate::plan::{Op, Sizes, View, Weighed, Weight};
use std::ops::Range;

/// What each attention weight is multiplied with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weighing {
    /// Nothing: weights as they are.
    Weight,
    /// ‖v_j‖ of the key's value.
    Value,
    /// ‖v_j W_O‖: the value through the head's part of the output projection, without its bias: ‖αf(x)‖ of Kobayashi et al. (2020,
    /// arXiv 2004.10102, section 3).
    Output,
}

impl Session {
    /// The mean over these heads' maps, each weight with what it weighs; of one head its own map: (queries, keys) of the first
    /// sequence of the last run. Heads are as the run's weights have them, also where their output was replaced. Summed where
    /// they are made: one map is read back, not all.
    ///
    /// # Errors
    /// No run kept its heads yet; no head or one out of range; a map too large to be read; [`Weighing::Output`] of a run whose
    /// heads turn back what they give; an output projection larger than a binding; a lost device.
    pub async fn mean_map(
        &mut self,
        chosen: &[Selection],
        weighing: Weighing,
        pace: &dyn Pace,
    ) -> Result<Tensor, Error> {
        let (last, heads) = self.heads()?;
        let weighed = self.backend.plan(last.plan)?.weighed.clone();
        let (sizes, first) = (last.sizes, *heads.first().ok_or_else(no_heads)?);
        let [queries, keys] = [first.queries(sizes), sizes.keys()];
        check_map(queries, keys)?;
        let runs = runs(chosen, heads.len(), self.model.facts.heads)?;
        let count: usize = runs.iter().map(|(_, run)| run.len()).sum();
        // The factors of one run at a time lie behind the map.
        let behind = queries * keys;
        let mut asked = Questions { questions: Vec::new(), counts: vec![behind] };
        let room = runs.iter().map(|(_, run)| run.len() * keys).max().unwrap_or(0);
        let mut questions: Vec<Box<dyn Op>> = Vec::new();
        for (layer, run) in runs {
            let (Some(heads), Some(weighed)) = (heads.get(layer), weighed.get(layer)) else { return Err(no_heads()) };
            let Weighed { value, output, turned_back } = *weighed;
            if turned_back && weighing == Weighing::Output {
                let reason = "what heads give was turned back by each query's position in the last run: a value has no norm behind the output projection of its own; run without";
                return Err(Error::InvalidInput { reason: reason.into() });
            }
            if weighing != Weighing::Weight {
                questions.push(Box::new(RowNorms {
                    rows: value,
                    heads: heads.query.heads,
                    output: Some(output).filter(|_| weighing == Weighing::Output),
                    sequence: 0,
                    chosen: run.clone(),
                    count: keys,
                    offset: behind,
                }));
            }
            questions.push(Box::new(MeanMap {
                heads: *heads,
                sequence: 0,
                chosen: run,
                factors: Some(behind).filter(|_| weighing != Weighing::Weight),
                share: 1.0 / count as f32,
                adds: questions.iter().any(|op| op.name() == "mean_map"),
                offset: 0,
            }));
        }
        asked.questions = questions;
        let data = self.ask_behind(last, &asked, room, pace).await?.concat();
        Ok(Tensor { shape: vec![queries, keys], data })
    }
}

impl Questions {
    /// Asks for the norms of what each head of a layer writes into the residual stream: (batch, heads, length), of its contexts
    /// in `of`.
    pub(super) fn ask_written(&mut self, of: View, output: Weight, sizes: Sizes) {
        for sequence in 0..sizes.batch {
            let norms = RowNorms {
                rows: of,
                heads: of.heads,
                output: Some(output),
                sequence,
                chosen: 0..of.heads,
                count: sizes.length,
                offset: self.numbers() as usize,
            };
            self.counts.push(norms.numbers());
            self.questions.push(Box::new(norms));
        }
    }
}

/// Chosen heads, each once, as runs of heads beside each other in a layer.
///
/// # Errors
/// None are chosen; one is not there.
fn runs(chosen: &[Selection], layers: usize, heads: usize) -> Result<Vec<(usize, Range<usize>)>, Error> {
    let missing = chosen.iter().find(|place| place.layer >= layers || place.head >= heads);
    if let Some(Selection { layer, head }) = missing {
        let reason = format!("layer {layer}, head {head} is not there to be read");
        return Err(Error::InvalidInput { reason });
    }
    if chosen.is_empty() {
        return Err(Error::InvalidInput { reason: "a mean is of one head at least".into() });
    }
    // Looked for one by one: a list that is sorted is much code for so few.
    let mut runs: Vec<(usize, Range<usize>)> = Vec::new();
    for layer in 0..layers {
        for head in (0..heads).filter(|head| chosen.contains(&Selection { layer, head: *head })) {
            match runs.last_mut() {
                Some((of, run)) if *of == layer && run.end == head => run.end += 1,
                _ => runs.push((layer, head..head + 1)),
            }
        }
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::{Selection, runs};

    #[test]
    fn heads_beside_each_other_go_together() {
        let chosen = [(1, 2), (0, 3), (1, 1), (0, 0), (1, 2), (0, 1)].map(|(layer, head)| Selection { layer, head });
        assert_eq!(runs(&chosen, 2, 4).unwrap(), [(0, 0..2), (0, 3..4), (1, 1..3)]);
        for wrong in [&[][..], &[Selection { layer: 2, head: 0 }], &[Selection { layer: 0, head: 4 }]] {
            assert_eq!(runs(wrong, 2, 4).unwrap_err().code(), "invalid-input");
        }
    }
}
