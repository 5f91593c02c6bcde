//! What heads take from where, of the last run: weights with what they weigh, and many heads in one map.

use super::heads::{Questions, check_map};
use super::loaded::{Ran, Session};
use super::questions::no_heads;
use super::{Selection, Tensor};
use crate::backend::Pace;
use crate::error::Error;
use crate::kernels::Format;
use crate::ops::{MeanMap, RowNorms};
use crate::plan::{Sizes, View, Weight};

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
    /// The mean over these heads' maps, each counted as often as it is given and each weight with what it weighs; of one head
    /// its own map: (queries, keys) of the first sequence of the last run. Heads are as the run's weights have them, also where
    /// their output was replaced. Summed where they are made: one map is read back, not all.
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
        let (last, shape, asked) = self.mean_questions(chosen, weighing)?;
        Ok(Tensor { shape, data: self.ask(last, &asked, pace).await?.concat() })
    }

    fn mean_questions(&self, chosen: &[Selection], weighing: Weighing) -> Result<(Ran, Vec<usize>, Questions), Error> {
        let invalid = |reason: String| Err(Error::InvalidInput { reason });
        let (last, heads) = self.heads()?;
        let weighed = self.backend.plan(last.plan)?.weighed(self.part);
        let (sizes, first) = (last.sizes, heads.first().ok_or_else(no_heads)?);
        let (queries, keys, count) = (first.queries(sizes), first.keys(sizes), first.query.heads);
        check_map(queries, keys)?;
        if chosen.is_empty() {
            return invalid("a mean is of one head at least".into());
        }
        // The factors of heads that go together lie behind the map.
        let map = queries * keys;
        let room = if weighing == Weighing::Weight { 0 } else { count * keys };
        let mut asked = Questions { questions: Vec::new(), counts: vec![map], room };
        let beside = |one: &Selection, next: &Selection| one.layer == next.layer && one.head + 1 == next.head;
        for (at, together) in chosen.chunk_by(beside).enumerate() {
            let Selection { layer, head } = together[0];
            let run = head..head + together.len();
            let (Some(heads), Some(weighed)) = (heads.get(layer), weighed.get(layer).filter(|_| run.end <= count))
            else {
                return invalid(format!("layer {layer}, head {} is not there to be read", run.end - 1));
            };
            if weighed.turned_back && weighing == Weighing::Output {
                return invalid(
                    "what heads give was turned back by each query's position in the last run: behind the output projection a value has no norm of its own; run without".into(),
                );
            }
            if weighing != Weighing::Weight {
                asked.questions.push(Box::new(RowNorms {
                    rows: weighed.value,
                    heads: count,
                    output: Some(weighed.output).filter(|_| weighing == Weighing::Output),
                    sequence: 0,
                    chosen: run.clone(),
                    count: keys,
                    offset: map,
                }));
            }
            asked.questions.push(Box::new(MeanMap {
                heads: *heads,
                sequence: 0,
                adds: at > 0,
                chosen: run,
                factors: Some(map).filter(|_| weighing != Weighing::Weight),
                share: 1.0 / chosen.len() as f32,
                offset: 0,
            }));
        }
        Ok((last, vec![queries, keys], asked))
    }
}

impl Questions {
    /// Asks for the norms of what each head of a layer writes into the residual stream: (batch, heads, length), of its contexts
    /// in `of`.
    pub(super) fn ask_written(&mut self, of: View, output: (Weight, Format), sizes: Sizes) {
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
