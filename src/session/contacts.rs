//! Which residues of a protein touch, told from all attention maps of the last run: the regression that ESM's files hold.

use super::Tensor;
use super::loaded::Session;
use super::questions::no_heads;
use crate::backend::Pace;
use crate::error::Error;
use crate::kernels::{add_contacts, sigmoid};

/// The id of the token that ends a protein, which Hugging Face's contact head leaves out, whatever config.json says.
const END: u32 = 2;

/// The model has no such regression.
pub(super) fn no_contacts() -> Error {
    let reason =
        "the model's file has no contact head, which tells contacts from attention; choose an ESM-2 that has one";
    Error::InvalidInput { reason: reason.into() }
}

impl Session {
    /// Probabilities that two residues touch, (batch, length − 2, length − 2), of the last run of these ids: a logistic regression
    /// over the maps of all heads, each made symmetric and corrected by the average product of its sums (Rao et al. 2020,
    /// bioRxiv 2020.12.15.422761), without the first and the last token, the end and padding. ids, attention_mask: (batch,
    /// length) as they were run.
    ///
    /// # Errors
    /// A model without that regression; no run of as many tokens kept its heads yet; a map too large to be read;
    /// [`Error::Overtaken`]; a lost device.
    pub async fn contacts(
        &mut self,
        ids: &[u32],
        attention_mask: Option<&[u32]>,
        pace: &dyn Pace,
    ) -> Result<Tensor, Error> {
        let (last, heads) = self.heads()?;
        let (weights, bias) = self.stored.contact_head.clone().ok_or_else(no_contacts)?;
        let (batch, length, count) = (last.sizes.batch, last.sizes.keys(), self.model.facts.heads);
        if ids.len() != batch * length || attention_mask.is_some_and(|mask| mask.len() != ids.len()) {
            return Err(no_heads());
        }
        let counted = |(at, id): (usize, &u32)| {
            let inside = (1..length - 1).contains(&(at % length));
            inside && *id != END && attention_mask.is_none_or(|mask| mask[at] != 0)
        };
        let counted: Vec<bool> = ids.iter().enumerate().map(counted).collect();
        let mut logits = vec![bias; ids.len() * length];
        for (layer, weights) in (0..heads.len()).zip(weights.chunks(count)) {
            let mut maps = self.attentions(layer, pace).await?.data;
            let maps = maps.chunks_exact_mut(length * length).enumerate();
            for (at, map) in maps {
                let sequence = at / count;
                let logits = &mut logits[sequence * length * length..][..length * length];
                add_contacts(logits, map, &counted[sequence * length..][..length], weights[at % count]);
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
