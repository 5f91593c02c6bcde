//! The tensors that a run can read back, and the stored numbers that each is computed from.

use crate::error::Error;
use crate::model::Facts;
use crate::plan::{Index, Part, Site, Taps, TensorName};

/// The stored numbers that a run computes a tap from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A value of the plan.
    Plan,
    /// Outputs of heads, which the run stores.
    Heads,
    /// Attention maps, which are computed from stored heads after the run.
    Maps,
}

/// The tensors that a run can read back.
const ORIGINS: [(TensorName, Origin); 9] = [
    (TensorName::HiddenStates, Origin::Plan),
    (TensorName::Attentions, Origin::Maps),
    (TensorName::Query, Origin::Plan),
    (TensorName::Key, Origin::Plan),
    (TensorName::Value, Origin::Plan),
    (TensorName::QueryRotated, Origin::Plan),
    (TensorName::KeyRotated, Origin::Plan),
    (TensorName::Written, Origin::Heads),
    (TensorName::Contacts, Origin::Maps),
];

/// The stored numbers that a tensor is computed from; `None` if a run cannot read it back.
pub fn origin(tensor: TensorName) -> Option<Origin> {
    ORIGINS.iter().find(|(tap, _)| *tap == tensor).map(|(_, origin)| *origin)
}

/// The tensors that a run can read back, in the order of a forward pass.
pub fn tap_tensors() -> impl Iterator<Item = TensorName> {
    ORIGINS.into_iter().map(|(tensor, _)| tensor)
}

/// Every tap of a model except contacts, which are computed from attention.
pub fn every_tap(facts: &Facts) -> Taps {
    tap_tensors().filter(|tensor| tensor.is_per_layer()).flat_map(|tensor| tap_sites(tensor, facts)).collect()
}

/// The sites of a tap in every part and layer of a model.
pub fn tap_sites(tensor: TensorName, facts: &Facts) -> impl Iterator<Item = Site> {
    let parts = Part::ALL.into_iter().filter(move |part| facts.has(*part) && is_in_part(tensor, *part));
    parts.flat_map(move |part| {
        let layers = facts.part(part).layers;
        let layers_of_site = if tensor.is_per_layer() { 0..=layers } else { 0..=0 };
        layers_of_site.map(move |layer| tensor.at(layer).in_part(part)).filter(move |site| site.exists_in(layers))
    })
}

/// Cross-attention has attentions alone: its queries, keys and values are not read back.
fn is_in_part(tensor: TensorName, part: Part) -> bool {
    part != Part::Cross || tensor == TensorName::Attentions
}

/// Whether a run of the model can read a site back.
pub fn check_tap(site: Site, facts: &Facts) -> Result<(), Error> {
    if origin(site.tensor).is_none() || site.index != [Index::All; 3] {
        let taps: Vec<String> = tap_tensors().map(|tap| tap.in_every_layer().to_string()).collect();
        return Err(Error::UnsupportedTap { site: site.to_string(), taps: taps.join(", ") });
    }
    if !is_in_part(site.tensor, site.part) {
        let taps = TensorName::Attentions.in_every_layer().in_part(site.part).to_string();
        return Err(Error::UnsupportedTap { site: site.to_string(), taps });
    }
    facts.check_part(site.part)?;
    let layers = facts.part(site.part).layers;
    if !site.exists_in(layers) || site.layer.is_none() == site.tensor.is_per_layer() {
        return Err(Error::SiteOutOfRange { site: site.to_string(), layers });
    }
    if site.tensor == TensorName::Contacts && !facts.has_contact_head {
        return Err(Error::NoContactHead);
    }
    Ok(())
}
