//! The tensors that a run can read back, and the stored numbers that each is computed from.

use crate::error::Error;
use crate::model::{Architecture, Attention, Facts};
use crate::plan::{Capacity, Index, Part, PlanOptions, Site, Taps, TensorName};

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

/// The tensors with a short name, [`TensorName::tap_name`], which taps them in every layer.
const NAMED: [TensorName; 9] = [
    TensorName::HiddenStates,
    TensorName::Attentions,
    TensorName::Query,
    TensorName::Key,
    TensorName::Value,
    TensorName::QueryRotated,
    TensorName::KeyRotated,
    TensorName::Written,
    TensorName::Contacts,
];

/// The stored numbers that a tensor is computed from.
pub fn origin(tensor: TensorName) -> Origin {
    use TensorName as T;
    match tensor {
        T::Attentions | T::Contacts => Origin::Maps,
        T::UnscaledScore | T::Score | T::MaskedScore | T::ScoreMaximum | T::ScoreSum => Origin::Maps,
        T::Written => Origin::Heads,
        _ => Origin::Plan,
    }
}

/// The tensors that have a short name, which taps them in every layer.
pub fn named_taps() -> impl Iterator<Item = TensorName> {
    NAMED.into_iter()
}

/// Every named tap of a model except contacts, which are computed from attention.
pub fn every_tap(facts: &Facts) -> Taps {
    named_taps().filter(|tensor| tensor.is_per_layer()).flat_map(|tensor| tap_sites(tensor, facts)).collect()
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

/// Cross-attention has no rotation, and no norms and feed-forward network of its own.
fn is_in_part(tensor: TensorName, part: Part) -> bool {
    use TensorName as T;
    let from_maps = origin(tensor) == Origin::Maps && tensor != T::Contacts;
    part != Part::Cross || from_maps || [T::Query, T::Key, T::Value, T::Head, T::AttentionOutput].contains(&tensor)
}

/// The error that names the tensors of the site's part which can be read back.
fn unsupported(site: Site) -> Error {
    let tensors = TensorName::all().filter(|tensor| is_in_part(*tensor, site.part));
    let taps: Vec<String> = tensors.map(|tensor| tensor.in_every_layer().in_part(site.part).to_string()).collect();
    Error::UnsupportedTap { site: site.to_string(), taps: taps.join(", ") }
}

/// Whether a model has every tap: not every one has a gate, a final norm, four norms in a layer, or a softmax.
pub fn check_tensors_exist(taps: &Taps, architecture: &Architecture) -> Result<(), Error> {
    let in_pair = architecture.facts.encoder.is_some();
    let missing = |site: Site| Err(Error::NoSuchTensor { site: site.name(in_pair) });
    let of_softmax = [TensorName::MaskedScore, TensorName::ScoreMaximum, TensorName::ScoreSum];
    let has_softmax = architecture.facts.attention == Attention::Softmax;
    if let Some(site) = taps.iter().find(|site| !has_softmax && of_softmax.contains(&site.tensor)) {
        return missing(site);
    }
    for part in [Part::Encoder, Part::Decoder].into_iter().filter(|part| architecture.facts.has(*part)) {
        let taps = of_plan(taps, part);
        if taps.is_empty() {
            continue;
        }
        let capacity = Capacity { source: 1, ..Capacity::new(1, 1, 1) };
        let options = PlanOptions { part, taps: taps.clone(), keeps_heads: true, ..PlanOptions::new(capacity) };
        let recorded = architecture.record(&options)?.plan.taps;
        if let Some(site) = taps.iter().find(|site| recorded.iter().all(|(tap, _)| tap != site)) {
            return missing(site);
        }
    }
    Ok(())
}

/// The taps that the plan of a part keeps. The others are computed from heads.
pub fn of_plan(taps: &Taps, part: Part) -> Taps {
    taps.of_plan(part).iter().filter(|site| origin(site.tensor) != Origin::Maps).collect()
}

/// Whether a run of the model can read a site back.
pub fn check_tap(site: Site, facts: &Facts) -> Result<(), Error> {
    facts.check_part(site.part)?;
    if site.index != [Index::All; 3] || !is_in_part(site.tensor, site.part) {
        return Err(unsupported(site));
    }
    let layers = facts.part(site.part).layers;
    if !site.exists_in(layers) || site.layer.is_none() == site.tensor.is_per_layer() {
        return Err(Error::SiteOutOfRange { site: site.to_string(), layers });
    }
    if site.tensor == TensorName::Contacts && !facts.has_contact_head {
        return Err(Error::NoContactHead);
    }
    Ok(())
}
