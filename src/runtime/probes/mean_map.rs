//! The mean of many heads' maps, with or without the norms of the values that their weights multiply.

use crate::backend::{Cancellation, Reads};
use crate::error::Error;
use crate::ops::{MeanMap, RowNorms};
use crate::runtime::inner::borrow;
use crate::runtime::probe_reads::check_map;
use crate::runtime::run::Run;
use crate::runtime::{HeadId, Tensor};

/// The factor of each attention weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weighing {
    /// Nothing: the weights themselves.
    Weight,
    /// ‖v_j‖ of the key's value.
    Value,
    /// ‖v_j W_O‖: the value through the head's part of the output projection, without its bias: ‖αf(x)‖ of Kobayashi et al. (2020,
    /// arXiv 2004.10102, section 3).
    Output,
}

impl Run {
    /// The mean over these heads' maps, all of one part: (queries, keys) of the first sequence. A head counts as often as it is listed,
    /// and each weight is multiplied as `weighing` says. An ablated head counts with the weights that the run computed for it. The device
    /// adds the maps up, so that one map is read back.
    ///
    /// # Errors
    /// No head, one out of range, or heads of several parts; a map too large to be read; [`Weighing::Output`] of a run with an inverse
    /// rotation of its heads' outputs; an output projection larger than a binding.
    pub async fn mean_map(
        &self,
        heads: &[HeadId],
        weighing: Weighing,
        cancel: &dyn Cancellation,
    ) -> Result<Tensor, Error> {
        let inner = self.inner()?;
        let mut inner = borrow(&inner)?;
        let Some(HeadId { part, .. }) = heads.first().copied() else {
            return Err(Error::MeanOfNoHead);
        };
        if heads.iter().any(|head| head.part != part) {
            return Err(Error::MeanOfSeveralParts);
        }
        let (layers, sizes, run) = inner.heads(self.key(), part)?;
        let values = inner.locate(&run)?.0.device_plan.plan().head_values(part);
        let first = layers.first().ok_or(Error::NoHeads)?;
        let (queries, keys, count) = (first.queries(sizes), first.keys(sizes), first.query.heads);
        check_map(queries, keys)?;
        let mut reads = Reads::default();
        let map = reads.reserve(queries * keys);
        let factors = if weighing == Weighing::Weight { None } else { Some(reads.reserve(count * keys)) };
        let share = 1.0 / heads.len() as f32;
        // Adjacent heads of a layer share a dispatch.
        let adjacent =
            |one: &HeadId, next: &HeadId| one.layer == next.layer && one.head.checked_add(1) == Some(next.head);
        for (at, adjacent_heads) in heads.chunk_by(adjacent).enumerate() {
            let [HeadId { layer, head: first, .. }, ..] = *adjacent_heads else { continue };
            let last = first.saturating_add(adjacent_heads.len() - 1);
            let of_layer = layers.get(layer).zip(values.get(layer)).filter(|_| last < count);
            let Some((heads, values)) = of_layer else {
                let (layers, heads) = (layers.len(), count);
                return Err(Error::HeadOutOfRange { part: part.name(), layer, head: last, layers, heads });
            };
            let heads_of_layer = first..last + 1;
            if values.has_inverse_rotation && weighing == Weighing::Output {
                return Err(Error::NoNormOfRotatedValues);
            }
            if let Some(offset) = factors {
                reads.probe(RowNorms {
                    rows: values.view,
                    heads: count,
                    output: Some(values.output).filter(|_| weighing == Weighing::Output),
                    sequence: 0,
                    head_range: heads_of_layer.clone(),
                    count: keys,
                    offset,
                });
            }
            reads.probe(MeanMap {
                heads: *heads,
                sequence: 0,
                accumulates: at > 0,
                head_range: heads_of_layer,
                factors,
                share,
                offset: map,
            });
        }
        let mean = reads.results(map, queries * keys);
        let data = mean.take(&mut inner.probe(&run, &reads, cancel).await?);
        Ok(Tensor { shape: vec![queries, keys], data })
    }
}
