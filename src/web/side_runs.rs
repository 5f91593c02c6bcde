//! The engine runs texts beside the last run, which stays what is looked at.

use super::cancellation::BetweenMessages;
use super::change::Change;
use super::engine::Engine;
use super::failure::failure;
use super::loaded::{Loaded, Place, loaded};
use crate::error::Error;
use crate::model::Variant;
use crate::plan::Part;
use crate::runtime::{Differences, Flow, Interventions, Output, Request, Rows};
use crate::trial::TrialKind;
use js_sys::{Float64Array, Function, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl Engine {
    /// By what is asked for, of a run of texts (batch, length). As f64 numbers: "loss", the mean of −log p over their labels, in
    /// nats, and how many there are; the change has a label for each token. "lens", what the output head makes of every layer's
    /// hidden states at these rows: (layers + 1, rows, k) fills of id and probability. "flow", see [`Flow`]: rollout, residual,
    /// change and outputs, one after the other. "differences" from the same texts with nothing changed and no offset, "shift" from
    /// them with the same changed and no offset, see [`Differences`]: the largest of a weight, its layer, head, query and key, and
    /// the largest of a logit or of the last hidden state. "heads", the number by which the run's heads can be looked at until the
    /// next one that is asked for these. The name of a [`TrialKind`] with length and head size in place of ids: see [`Engine::trial`]. As bytes: "file", every tap and the result as a safetensors file, as the command line
    /// names them.
    #[allow(clippy::too_many_arguments)] // as JavaScript calls it
    pub async fn aside(
        &mut self,
        what: String,
        ids: Vec<u32>,
        batch: usize,
        rows: Vec<u32>,
        top_k: usize,
        position_offset: f64,
        change: Change,
        pause: Function,
    ) -> Result<JsValue, JsValue> {
        let position_offset = position_offset as u64;
        let length = ids.len() / batch.max(1);
        let request = Request { position_offset, rows: Rows::At(rows), top_k, ..Request::new(ids, batch, length) };
        let told = match &what[..] {
            "file" => self.file(request, &change, pause).await,
            "heads" => self.second_text(request, &change, pause).await.map(|number| numbers(&[f64::from(number)])),
            _ => match (TrialKind::named(&what), &request.ids[..]) {
                (Some(kind), &[length, head_size]) => {
                    self.trial(kind, length as usize, head_size as usize, pause).await.map(|told| numbers(&told))
                }
                _ => self.try_aside(&what, request, &change, pause).await.map(|told| numbers(&told)),
            },
        };
        told.map_err(|error| failure(&error))
    }
}

fn numbers(told: &[f64]) -> JsValue {
    Float64Array::from(told).into()
}

impl Engine {
    async fn try_aside(
        &mut self,
        what: &str,
        request: Request,
        change: &Change,
        pause: Function,
    ) -> Result<Vec<f64>, Error> {
        let variant = change.variant()?;
        let loaded = loaded(&mut self.loaded)?;
        let (facts, part) = (loaded.model.facts().clone(), of_stack(self.part));
        let request = change.within(request, facts.heads);
        let request = match what {
            "loss" => scored(request),
            "lens" => Ok(Request { lens: true, ..request }),
            "flow" => Flow::request(request, &facts, part),
            "differences" | "shift" => Differences::request(request, &facts),
            _ => invalid("nothing that a run is asked for"),
        }?;
        let before = match what {
            "differences" => {
                let plain = Request { interventions: Interventions::default(), position_offset: 0, ..request.clone() };
                Some((Variant::default(), plain))
            }
            "shift" => Some((variant.clone(), Request { position_offset: 0, ..request.clone() })),
            _ => None,
        };
        let before = match before {
            Some((variant, request)) => Some(run_aside(loaded, &variant, &request, pause.clone()).await?),
            None => None,
        };
        let output = run_aside(loaded, &variant, &request, pause).await?;
        if let Some(before) = before {
            let Differences { attention, head, query, key, result } = Differences::between(&before, &output, &facts)?;
            let [layer, head, query, key] = [head.layer, head.head, query, key].map(|index| index as f64);
            return Ok(vec![f64::from(attention), layer, head, query, key, f64::from(result)]);
        }
        Ok(match what {
            "loss" => {
                let count = output.losses.len() as f64;
                let sum: f64 = output.losses.into_iter().flatten().map(f64::from).sum();
                vec![sum / count, count]
            }
            "lens" => {
                let fills = output.lens.iter().flatten().flatten();
                fills.flat_map(|fill| [f64::from(fill.id), f64::from(fill.probability())]).collect()
            }
            _ => {
                let Flow { rollout, residual, change, outputs } = Flow::of(&output, &facts, part)?;
                [rollout, residual, change, outputs].concat().into_iter().map(f64::from).collect()
            }
        })
    }

    async fn file(&mut self, request: Request, change: &Change, pause: Function) -> Result<JsValue, Error> {
        let loaded = loaded(&mut self.loaded)?;
        let facts = loaded.model.facts();
        let request = change.within(Request { rows: Rows::All, ..request }, facts.heads).of_everything(facts)?;
        let output = run_aside(loaded, &change.variant()?, &request, pause).await?;
        Ok(Uint8Array::from(&output.file()[..]).into())
    }

    /// Runs texts whose heads can be asked about by the number that is returned.
    async fn second_text(&mut self, request: Request, change: &Change, pause: Function) -> Result<u32, Error> {
        let loaded = loaded(&mut self.loaded)?;
        let facts = loaded.model.facts();
        let request = change.within(request, facts.heads);
        // Of the vocabulary as little as possible.
        let least = || Request { rows: Rows::At(vec![0]), top_k: 1, ..request.clone() };
        let request = if facts.predicts_tokens() { least() } else { request };
        let context = loaded.context(Place::Second, &change.variant()?)?;
        let (_, run) = context.run(&request, &BetweenMessages::new(pause)).await?;
        Ok(loaded.runs.add_second(run))
    }
}

/// Runs a text whose results alone are read.
async fn run_aside(
    loaded: &mut Loaded,
    variant: &Variant,
    request: &Request,
    pause: Function,
) -> Result<Output, Error> {
    let context = loaded.context(Place::Scratch, variant)?;
    let (output, _) = context.run(request, &BetweenMessages::new(pause)).await?;
    Ok(output)
}

/// The stack whose layers follow each other: cross-attention lies in the decoder's.
fn of_stack(part: Part) -> Part {
    if part == Part::Cross { Part::Decoder } else { part }
}

/// Only rows with a label are computed; of each the likeliest id, so that no logits are read back.
fn scored(request: Request) -> Result<Request, Error> {
    let labels = request.labels.as_deref().unwrap_or_default();
    if labels.len() != request.ids.len() || labels.iter().all(Option::is_none) {
        return invalid("a loss is of texts with a label or none for each token, and of one label at least");
    }
    let (rows, labels): (Vec<u32>, Vec<_>) = (0..).zip(labels).filter(|(_, label)| label.is_some()).unzip();
    Ok(Request { rows: Rows::At(rows), labels: Some(labels), top_k: 1, ..request })
}

fn invalid<T>(reason: &str) -> Result<T, Error> {
    Err(Error::InvalidInput { reason: reason.into() })
}
