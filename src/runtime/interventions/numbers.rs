//! The sites that take numbers, and their sizes.

use crate::error::Error;
use crate::model::Facts;
use crate::plan::{Index, NumberTensors, Site, TensorName};

/// Head, row and column of a site that takes numbers, each one entry or all; `None` of other sites.
pub fn number_index(site: Site) -> Option<[Index; 3]> {
    let Site { tensor, index, .. } = site;
    let takes_number = NumberTensors::all().any(|other| other == tensor);
    let is_pairs = index.iter().any(|index| matches!(index, Index::Pairs { .. }));
    let [first, second, _] = index;
    // Tensors without heads have rows and columns.
    let index = if tensor.axes().len() == 3 { index } else { [Index::All, first, second] };
    (takes_number && !is_pairs).then_some(index)
}

/// The error that names the sites which take a number.
pub fn wrong_replacement(site: Site) -> Error {
    let numbers: Vec<_> = NumberTensors::all().map(TensorName::template).collect();
    Error::WrongReplacement { site: site.to_string(), numbers: numbers.join(", ") }
}

/// Checks the number and its site against the model, and against texts of `length` tokens.
pub fn check_number(site: Site, index: [Index; 3], number: f32, facts: &Facts, length: usize) -> Result<(), Error> {
    if !number.is_finite() {
        return Err(wrong_replacement(site));
    }
    if !site.exists_in(facts.layers) {
        return Err(Error::SiteOutOfRange { site: site.to_string(), layers: facts.layers });
    }
    let [heads, columns] = sizes(site.tensor, facts);
    for (axis, (index, size)) in index.into_iter().zip([heads, length, columns]).enumerate() {
        match index {
            Index::At(at) if at >= size && axis == 1 => {
                return Err(Error::SiteRowOutOfRange { site: site.to_string(), length });
            }
            Index::At(at) if at >= size => {
                let axis =
                    if axis == 0 { "head" } else { site.tensor.axes().last().map_or("column", |axis| axis.name()) };
                return Err(Error::SiteIndexOutOfRange { site: site.to_string(), axis, size });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Heads and columns of a tensor that takes numbers.
fn sizes(tensor: TensorName, facts: &Facts) -> [usize; 2] {
    match tensor {
        TensorName::Query | TensorName::Head => [facts.heads, facts.head_size],
        TensorName::Key | TensorName::Value => [facts.key_heads, facts.head_size],
        TensorName::FeedForward => [1, facts.intermediate_size],
        TensorName::Embeddings => [1, facts.embedding_size],
        _ => [1, facts.hidden_size],
    }
}
