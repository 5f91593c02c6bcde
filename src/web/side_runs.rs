//! Runs of other texts. Questions about the last run can still be answered after them.

use super::cancellation::MessagePauses;
use super::change::Change;
use super::engine::Engine;
use super::model_contexts::{Place, model_contexts};
use super::names::PartName;
use crate::error::{Error, InputList};
use crate::model::{Facts, Variant};
use crate::plan::{Part, Site};
use crate::runtime::{
    Differences, Interventions, MOST_BYTES, Output, PredictionRows, Request, ResidualNorms, Run, layers_of,
};
use js_sys::{Float32Array, Function};
use wasm_bindgen::prelude::wasm_bindgen;

/// `change` and `pause` are those of [`Engine::run`]. Each call runs one text, but [`Engine::loss`] a batch of texts.
#[wasm_bindgen]
impl Engine {
    /// [mean of −log p over the labels in nats, number of labels] of texts (batch, length). The change has a label for each token.
    pub async fn loss(
        &mut self,
        ids: Vec<u32>,
        batch: usize,
        change: Change,
        pause: Function,
    ) -> Result<Vec<f64>, Error> {
        let length = ids.len() / batch.max(1);
        let request = only_labels(change.within(Request::new(ids, batch, length)))?;
        let losses = self.output(&request, &change.variant()?, pause).await?.losses;
        let sum: f64 = losses.iter().flatten().copied().map(f64::from).sum();
        let count = losses.len() as f64;
        Ok(vec![sum / count, count])
    }

    /// Logit lens: the output head on every layer's hidden states at `rows`, (layers + 1, rows, k) pairs of id and probability.
    pub async fn lens(
        &mut self,
        ids: Vec<u32>,
        rows: Vec<u32>,
        top_k: usize,
        position_offset: f64,
        change: Change,
        pause: Function,
    ) -> Result<Vec<f64>, Error> {
        let request = Request { rows: PredictionRows::At(rows), top_k, lens: true, ..text(ids, position_offset) };
        let request = change.within(request);
        let output = self.output(&request, &change.variant()?, pause).await?;
        let fills = output.lens.iter().flatten().flatten();
        Ok(fills.flat_map(|fill| [f64::from(fill.id), f64::from(fill.probability())]).collect())
    }

    /// [`Run::rollout`] of the encoder or the decoder, then its [`ResidualNorms`]: residual, change and outputs. Cross-attention counts as
    /// the decoder.
    pub async fn flow(
        &mut self,
        ids: Vec<u32>,
        part: PartName,
        position_offset: f64,
        change: Change,
        pause: Function,
    ) -> Result<Vec<f64>, Error> {
        let part = if part == PartName::Encoder { Part::Encoder } else { Part::Decoder };
        let facts = model_contexts(&mut self.contexts)?.model.facts().clone();
        let request = change.within(least_results(text(ids, position_offset), &facts));
        Run::check_rollout(&request, part)?;
        let request = Request { taps: ResidualNorms::taps(&facts, part), ..request };
        let (output, run) = self.scratch_run(&request, &change.variant()?, pause.clone()).await?;
        let rollout = run.rollout(part, &MessagePauses::new(pause)).await?.data;
        let ResidualNorms { residual, change, outputs } = ResidualNorms::of(&output, &facts, part)?;
        Ok([rollout, residual, change, outputs].concat().into_iter().map(f64::from).collect())
    }

    /// [`Differences`] from the same text at offset 0, with the same change (`is_shift`) or without any: the largest of a weight, its
    /// layer, head, query and key, and the largest of a logit or of the last hidden state.
    pub async fn differences(
        &mut self,
        ids: Vec<u32>,
        is_shift: bool,
        position_offset: f64,
        change: Change,
        pause: Function,
    ) -> Result<Vec<f64>, Error> {
        let variant = change.variant()?;
        let facts = model_contexts(&mut self.contexts)?.model.facts().clone();
        let request = Differences::request(change.within(text(ids, position_offset)), &facts)?;
        let mut reference = Request { position_offset: 0, ..request.clone() };
        if !is_shift {
            reference.interventions = Interventions::default();
        }
        let reference_variant = if is_shift { variant.clone() } else { Variant::default() };
        let before = self.output(&reference, &reference_variant, pause.clone()).await?;
        let after = self.output(&request, &variant, pause).await?;
        let Differences { attention, head, query, key, result } = Differences::between(&before, &after, &facts)?;
        let [layer, head, query, key] = [head.layer, head.head, query, key].map(|index| index as f64);
        Ok(vec![f64::from(attention), layer, head, query, key, f64::from(result)])
    }

    /// Every tap and the result as a safetensors file, under the names of the command line.
    #[wasm_bindgen(js_name = tensorFile)]
    pub async fn tensor_file(
        &mut self,
        ids: Vec<u32>,
        position_offset: f64,
        change: Change,
        pause: Function,
    ) -> Result<Vec<u8>, Error> {
        let request = change.within(text(ids, position_offset));
        let facts = model_contexts(&mut self.contexts)?.model.facts().clone();
        let request = request.of_everything(&facts)?;
        Ok(self.output(&request, &change.variant()?, pause).await?.file(&facts))
    }

    /// The numbers of a text at each of these sites, from one run: see [`Output::numbers_at`].
    #[wasm_bindgen(js_name = siteNumbers)]
    pub async fn site_numbers(
        &mut self,
        ids: Vec<u32>,
        position_offset: f64,
        sites: Vec<String>,
        change: Change,
        pause: Function,
    ) -> Result<Vec<Float32Array>, Error> {
        let facts = model_contexts(&mut self.contexts)?.model.facts().clone();
        let sites = parse_sites(&sites)?;
        let request = change.within(least_results(text(ids, position_offset), &facts)).at_sites(&sites, &facts)?;
        let output = self.output(&request, &change.variant()?, pause).await?;
        sites.iter().map(|site| Ok(Float32Array::from(&output.numbers_at(*site, &facts)?[..]))).collect()
    }

    /// The norms of a text at each of these sites: see [`Output::norms_at`]. Where the tensors are too large for one run, several read them.
    #[wasm_bindgen(js_name = siteNorms)]
    pub async fn site_norms(
        &mut self,
        ids: Vec<u32>,
        position_offset: f64,
        sites: Vec<String>,
        change: Change,
        pause: Function,
    ) -> Result<Vec<Float32Array>, Error> {
        let facts = model_contexts(&mut self.contexts)?.model.facts().clone();
        let sites = parse_sites(&sites)?;
        let request = change.within(least_results(text(ids, position_offset), &facts));
        let variant = change.variant()?;
        let mut norms = Vec::new();
        for group in request.site_groups(&sites, &facts, MOST_BYTES) {
            let request = request.clone().at_sites(&group, &facts)?;
            let output = self.output(&request, &variant, pause.clone()).await?;
            for site in group {
                norms.push(output.norms_at(site, &facts)?);
            }
        }
        let mut of_layers = norms.into_iter();
        let of_site =
            |site: &Site| of_layers.by_ref().take(layers_of(*site, &facts).len()).flatten().collect::<Vec<f32>>();
        Ok(sites.iter().map(of_site).map(|norms| Float32Array::from(&norms[..])).collect())
    }

    /// Runs a second text and keeps its heads until the next second text. Returns the number of its run.
    #[wasm_bindgen(js_name = secondText)]
    pub async fn second_text(
        &mut self,
        ids: Vec<u32>,
        position_offset: f64,
        change: Change,
        pause: Function,
    ) -> Result<u32, Error> {
        let contexts = model_contexts(&mut self.contexts)?;
        let request = change.within(least_results(text(ids, position_offset), contexts.model.facts()));
        let context = contexts.context(Place::Second, &change.variant()?)?;
        let (_, run) = context.run(&request, &MessagePauses::new(pause)).await?;
        Ok(contexts.runs.add_second(run))
    }
}

impl Engine {
    /// Runs texts in the context whose runs are not kept.
    async fn scratch_run(
        &mut self,
        request: &Request,
        variant: &Variant,
        pause: Function,
    ) -> Result<(Output, Run), Error> {
        let context = model_contexts(&mut self.contexts)?.context(Place::Scratch, variant)?;
        context.run(request, &MessagePauses::new(pause)).await
    }

    pub(super) async fn output(
        &mut self,
        request: &Request,
        variant: &Variant,
        pause: Function,
    ) -> Result<Output, Error> {
        self.scratch_run(request, variant, pause).await.map(|(output, _)| output)
    }
}

fn parse_sites(sites: &[String]) -> Result<Vec<Site>, Error> {
    sites.iter().map(|site| site.parse()).collect()
}

pub(super) fn text(ids: Vec<u32>, position_offset: f64) -> Request {
    let length = ids.len();
    Request { position_offset: position_offset as u64, ..Request::new(ids, 1, length) }
}

/// Reads the fewest results that the model's head computes: one fill of one row instead of all logits.
pub(super) fn least_results(request: Request, facts: &Facts) -> Request {
    if facts.predicts_tokens() { Request { rows: PredictionRows::At(vec![0]), top_k: 1, ..request } } else { request }
}

/// Computes only rows with a label, and of each the likeliest id, so that no logits are read back.
fn only_labels(request: Request) -> Result<Request, Error> {
    let labels = request.labels.as_deref().unwrap_or_default();
    let (found, expected) = (labels.len(), request.ids.len());
    if found != expected {
        return Err(Error::WrongCount { list: InputList::Labels, found, expected });
    }
    if labels.iter().all(Option::is_none) {
        return Err(Error::NoLabels);
    }
    let (rows, labels): (Vec<u32>, Vec<_>) = (0..).zip(labels).filter(|(_, label)| label.is_some()).unzip();
    Ok(Request { rows: PredictionRows::At(rows), labels: Some(labels), top_k: 1, ..request })
}
