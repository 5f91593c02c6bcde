//! Contacts between residues of a protein: ESM's regression over all attention maps of a run.

use crate::backend::Cancellation;
use crate::error::Error;
use crate::kernels::{add_contacts, sigmoid};
use crate::plan::Part;
use crate::runtime::inner::{Inner, borrow};
use crate::runtime::run::Run;
use crate::runtime::run_key::RunKey;
use crate::runtime::{Request, Tensor};

/// The id of the token that ends a protein. Hugging Face's contact head leaves it out and does not read the id in config.json.
const END: u32 = 2;

impl Run {
    /// Probabilities that two residues touch, (batch, length − 2, length − 2), by a logistic regression over the maps of all heads. Each
    /// map is made symmetric, and corrected by the average product of its sums (Rao et al. 2020, bioRxiv 2020.12.15.422761). The first and
    /// the last token, the end and padding do not count.
    ///
    /// # Errors
    /// A model without that regression; a map too large to be read.
    pub async fn contacts(&self, cancel: &dyn Cancellation) -> Result<Tensor, Error> {
        borrow(&*self.inner()?)?.contacts(self.key(), self.residues(), cancel).await
    }
}

/// `true` for each token of a request that is a residue, (batch, length): neither the first nor the last token, nor the end, nor padding.
pub fn residues(request: &Request) -> Vec<bool> {
    let Request { length, .. } = *request;
    let is_residue = |(at, id): (usize, &u32)| {
        let inside = (1..length.saturating_sub(1)).contains(&(at % length));
        inside && *id != END && request.attention_mask.as_ref().is_none_or(|mask| mask[at] != 0)
    };
    request.ids.iter().enumerate().map(is_residue).collect()
}

impl Inner {
    /// See [`Run::contacts`]. residues: those of the run's request.
    pub async fn contacts(
        &mut self,
        run: &RunKey,
        residues: &[bool],
        cancel: &dyn Cancellation,
    ) -> Result<Tensor, Error> {
        let (layers, sizes, run) = self.heads(run, Part::Decoder)?;
        let (weights, bias) = self.model.constants().contact_head.clone().ok_or(Error::NoContactHead)?;
        let (batch, length, count) = (sizes.batch, sizes.keys(), self.model.facts().heads);
        if residues.len() != batch * length {
            return Err(Error::NoHeads);
        }
        let mut logits = vec![bias; residues.len() * length];
        for (layer, weights) in (0..layers.len()).zip(weights.chunks(count)) {
            let mut maps = self.attentions(&run, Part::Decoder, layer, cancel).await?.data;
            let maps = maps.chunks_exact_mut(length * length).enumerate();
            for (at, map) in maps {
                let sequence = at / count;
                let logits = &mut logits[sequence * length * length..][..length * length];
                add_contacts(logits, map, &residues[sequence * length..][..length], weights[at % count]);
            }
        }
        let inner = length.saturating_sub(2);
        let rows = logits.chunks_exact(length).enumerate();
        let rows = rows.filter(|(row, _)| (1..=inner).contains(&(row % length)));
        let mut data: Vec<f32> = rows.flat_map(|(_, row)| &row[1..=inner]).copied().collect();
        sigmoid(&mut data);
        Ok(Tensor { shape: vec![batch, inner, inner], data })
    }
}
