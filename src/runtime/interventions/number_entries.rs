//! The numbers that interventions put in tensors: as the input of a run, and at a site.

use super::{Intervention, InterventionKind, Interventions};
use crate::model::Facts;
use crate::plan::{Index, NumberEntry, NumberTensors, Site, TensorName};
use std::ops::Range;

impl Interventions {
    fn numbers(&self) -> impl Iterator<Item = (Site, [Index; 3], f32)> {
        self.0.iter().filter_map(|intervention| match intervention.kind()? {
            InterventionKind::Number { index, number } => Some((intervention.site, index, number)),
            _ => None,
        })
    }

    /// The tensors in which numbers are put, with room for their entries.
    pub(super) fn number_tensors(&self, facts: &Facts) -> NumberTensors {
        let count: usize = self.numbers().map(|(site, ..)| layers(site, facts).len()).sum();
        NumberTensors::new(self.numbers().map(|(site, ..)| site.tensor), facts.layers, count)
    }

    /// The words of the entries in these rows of the text; empty without any.
    pub(in crate::runtime) fn number_words(
        &self,
        tensors: NumberTensors,
        facts: &Facts,
        rows: Range<usize>,
    ) -> Vec<u32> {
        if tensors.is_empty() {
            return Vec::new();
        }
        let mut entries = Vec::new();
        for (site, [head, row, column], number) in self.numbers() {
            let row = match row {
                Index::At(row) if rows.contains(&row) => Index::At(row - rows.start),
                // The cache has the row, as an earlier run with the same interventions computed it.
                Index::At(_) => continue,
                every => every,
            };
            let entry = |layer| NumberEntry { tensor: site.tensor, layer, index: [head, row, column], number };
            entries.extend(layers(site, facts).map(entry));
        }
        tensors.words(&entries)
    }

    /// The number that is put at a site of one number of a text; the last one of several.
    pub(in crate::runtime) fn number_at(&self, site: Site) -> Option<f32> {
        let covers = |at: (&Index, &Index)| *at.0 == Index::All || at.0 == at.1;
        let is_there = |of: &Intervention| {
            let Site { part, tensor, layer, index } = of.site;
            let is_of_layer = layer.is_none() || layer == site.layer;
            part == site.part && tensor == site.tensor && is_of_layer && index.iter().zip(&site.index).all(covers)
        };
        self.0.iter().rev().filter(|of| is_there(of)).find_map(|of| match of.kind()? {
            InterventionKind::Number { number, .. } => Some(number),
            _ => None,
        })
    }

    /// Whether a number is put in the residual stream, and not only in what a sublayer reads and adds to it.
    pub(in crate::runtime) fn changes_stream(&self) -> bool {
        use TensorName as T;
        self.numbers().any(|(site, ..)| matches!(site.tensor, T::Embeddings | T::HiddenStates | T::LayerResidual))
    }
}

/// The layers that a site covers.
fn layers(site: Site, facts: &Facts) -> Range<usize> {
    match (site.layer, site.tensor) {
        (Some(layer), _) => layer..layer + 1,
        (None, TensorName::Embeddings) => 0..1,
        (None, TensorName::HiddenStates) => 0..facts.layers + 1,
        (None, _) => 0..facts.layers,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts {
        let (heads, key_heads, head_size) = (4, 2, 6);
        Facts {
            layers: 2,
            heads,
            key_heads,
            head_size,
            hidden_size: 24,
            embedding_size: 16,
            intermediate_size: 32,
            adds_positions: true,
            ..Facts::default()
        }
    }

    fn interventions(text: &str) -> Interventions {
        Interventions::from([text.parse::<Intervention>().unwrap()])
    }

    #[test]
    fn numbers_stay_within_the_tensor() {
        for text in [
            "ffn.1[4,31]=zero",
            "ffn.*=zero",
            "hidden_states.2[0,23]=1",
            "embeddings[*,15]=0.5",
            "layer.0.value[1,2,5]=-1",
            "layer.0.head[3,2,5]=zero",
            "layer.1.residual[3,*]=2",
        ] {
            assert_eq!(interventions(text).check(&facts(), 5), Ok(()), "{text}");
        }
        for (text, part) in [
            ("ffn.1[5,0]=zero", "the text has 5 tokens"),
            ("ffn.1[0,32]=zero", "its neuron must be below 32"),
            ("ffn.2[0,0]=zero", "the model has 2 layers"),
            ("hidden_states.3[0,0]=1", "the model has 2 layers"),
            ("embeddings[0,16]=1", "its column must be below 16"),
            ("layer.0.key[2,0,0]=1", "its head must be below 2"),
            ("layer.0.value[0,0,6]=1", "its column must be below 6"),
            ("ffn.0.inner[0,0]=1", "does not take this replacement"),
            ("logits[0,0]=1", "hidden_states.N, layer.N.residual"),
            ("encoder.ffn.0[0,0]=1", "does not take this replacement"),
            ("layer.0.head[0,*,*]=zero", "queries and keys rotate"),
        ] {
            let error = interventions(text).check(&facts(), 5).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        let site = TensorName::FeedForward.at(0).with_index([Index::At(0), Index::At(0)]);
        for number in [f32::NAN, f32::INFINITY] {
            assert!(Interventions::from([Intervention::put(site, number)]).check(&facts(), 5).is_err());
        }
    }

    #[test]
    fn a_row_counts_from_the_first_token_that_the_run_computes() {
        let of = interventions("ffn.1[3,7]=0.5");
        let tensors = of.number_tensors(&facts());
        let words = |rows| of.number_words(tensors, &facts(), rows);
        let target = tensors.target(TensorName::FeedForward, 1);
        assert_eq!(words(2..5)[target..target + 2], [0, 1]);
        assert!(words(2..5).ends_with(&[u32::MAX, 1, 7, 0.5_f32.to_bits()]));
        assert_eq!(words(4..5)[target..target + 2], [0, 0]);
    }

    #[test]
    fn the_last_number_of_a_place_counts() {
        let of = ["ffn.*[*,7]=0.5", "ffn.1[3,*]=zero", "hidden_states.1[3,7]=2"].map(|text| text.parse().unwrap());
        let of = Interventions::from(of);
        let at = |tensor: TensorName, layer, row, column| {
            of.number_at(tensor.at(layer).with_index([Index::At(row), Index::At(column)]))
        };
        assert_eq!(at(TensorName::FeedForward, 1, 3, 7), Some(0.0));
        assert_eq!(at(TensorName::FeedForward, 0, 3, 7), Some(0.5));
        assert_eq!(at(TensorName::FeedForward, 0, 3, 8), None);
        assert_eq!(at(TensorName::HiddenStates, 1, 3, 7), Some(2.0));
        assert!(of.changes_stream() && !interventions("ffn.*=zero").changes_stream());
    }
}
