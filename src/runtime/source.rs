//! The source of an encoder–decoder. The encoder reads it once, and computes its keys and values for every layer of the decoder.

/// A batch of sources.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceText {
    /// (batch, length), row-major.
    pub ids: Vec<u32>,
    /// Tokens of each source.
    pub length: usize,
    /// (batch, length): 1 for a token, 0 for padding; all 1 if it is missing.
    pub attention_mask: Option<Vec<u32>>,
}

impl SourceText {
    /// One source without padding.
    pub fn one(ids: Vec<u32>) -> Self {
        Self { length: ids.len(), ids, attention_mask: None }
    }

    /// The number of sources.
    pub fn batch(&self) -> usize {
        self.ids.len().checked_div(self.length).unwrap_or(0)
    }

    /// The mask that is added to the scores of its keys, (batch, length): each source serves the same number of the `batch` texts.
    pub(super) fn key_mask(&self, batch: usize) -> Vec<f32> {
        let each = batch.checked_div(self.batch()).unwrap_or(0);
        let mut added = vec![0.0; batch * self.length];
        if let Some(mask) = &self.attention_mask {
            for (row, added) in added.chunks_exact_mut(self.length.max(1)).enumerate() {
                let first = row.checked_div(each).unwrap_or(0) * self.length;
                for (added, visible) in added.iter_mut().zip(&mask[first..]) {
                    *added = if *visible == 0 { f32::MIN } else { 0.0 };
                }
            }
        }
        added
    }
}
