//! Statistics of every head over a text, as means over its queries.

use super::heads::heads_of_layers;
use crate::backend::{Cancellation, Reads};
use crate::error::{Error, InputList};
use crate::ops::HeadStatistics;
use crate::plan::{Heads, Part, Sizes};
use crate::runtime::Tensor;
use crate::runtime::inner::borrow;
use crate::runtime::run::Run;
use std::ops::Range;

/// Tokens that the statistics read: the keys', then the queries' where those are of another text.
fn token_count(heads: &Heads, sizes: Sizes) -> usize {
    heads.keys(sizes) + if heads.is_cross() { heads.queries(sizes) } else { 0 }
}

impl Run {
    /// Statistics of every head of some layers over the first sequence, (layers, heads, 10). They are means over the queries that are
    /// neither padding nor special, in this order: entropy in nats; distance |query − key|; weight on the previous, the same, the next and
    /// the first token; the largest weight; weight on the same token elsewhere, on special tokens, and on tokens that follow an earlier
    /// occurrence of the query's. `tokens`: the ids of the sequence, below 0 for special ones; of cross-attention the source's, then the
    /// text's.
    ///
    /// # Errors
    /// A layer out of range; another number of tokens than the run's.
    pub async fn statistics(
        &self,
        part: Part,
        layers: Range<usize>,
        tokens: &[f32],
        cancel: &dyn Cancellation,
    ) -> Result<Tensor, Error> {
        let inner = self.inner()?;
        let mut inner = borrow(&inner)?;
        let (all, sizes, run) = inner.heads(self.key(), part)?;
        let layers = heads_of_layers(&all, part, layers)?;
        let count = layers.first().map_or(0, |heads| token_count(heads, sizes));
        if tokens.len() != count {
            return Err(Error::WrongCount { list: InputList::Ids, found: tokens.len(), expected: count });
        }
        let mut reads = Reads::default();
        // The questions read the tokens from the start of the result buffer.
        let first = reads.reserve(count);
        let mut tickets = Vec::new();
        for heads in layers {
            let queries = 0..heads.queries(sizes);
            let statistics =
                HeadStatistics { heads: *heads, sequence: 0, queries, with_padding: false, tokens: first, offset: 0 };
            tickets.push(reads.probe_result(statistics.numbers(), |offset| HeadStatistics { offset, ..statistics }));
        }
        let (context_plan, ..) = inner.locate_mut(&run)?;
        context_plan.device_plan.write_results(tokens, reads.result_numbers())?;
        let mut read_back = inner.probe(&run, &reads, cancel).await?;
        let data = tickets.into_iter().flat_map(|ticket| ticket.take(&mut read_back)).collect();
        let heads = layers.first().map_or(0, |heads| heads.query.heads);
        Ok(Tensor { shape: vec![layers.len(), heads, HeadStatistics::EACH], data })
    }
}
