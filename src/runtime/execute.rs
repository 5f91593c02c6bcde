//! One forward pass: plan, cache, inputs, questions and results.

use super::angles::Angles;
use super::cache::KvCache;
use super::inner::Inner;
use super::plans::plan_options;
use super::probe_reads::{add_head_probe, add_output_norm_probes};
use super::probes::residues;
use super::request::{HeadId, Request};
use super::result::{HeadMaps, Output, RunReport, Tensor, fills, samples};
use super::run_key::{RunKey, StatesOf};
use super::taps::{Origin, check_tensors_exist, origin};
use crate::backend::{Cancellation, ReadBack, Reads, Ticket};
use crate::error::Error;
use crate::plan::{Capacity, Part, Plan, PlanOptions, Site, Sizes, TapView, TensorName};

/// The results of a run that come with it.
struct Results {
    /// The output of the model's head; `None` for the encoder, whose output only the decoder reads.
    result: Option<Ticket<Vec<f32>>>,
    losses: Option<Ticket<Vec<f32>>>,
    samples: Option<Ticket<Vec<f32>>>,
    lens: Vec<Ticket<Vec<f32>>>,
    taps: Vec<(Site, Ticket<Tensor>)>,
    selected: Option<Ticket<HeadMaps>>,
}

impl Inner {
    /// Encodes a request's source, where it has one, and runs its text.
    pub async fn run(&mut self, request: &Request, cancel: &dyn Cancellation) -> Result<(Output, RunKey), Error> {
        request.check(self.model.facts())?;
        check_tensors_exist(&request.taps, self.model.architecture())?;
        // Another part's head is read after the text has run.
        let later = request.selection.filter(|head| head.part == Part::Encoder);
        let keeps_heads = self.keeps_heads(request);
        let encoded = self.encode_source(request, cancel).await?;
        if request.continues && !self.cache.as_ref().is_some_and(|cache| cache.fits(request, keeps_heads)) {
            self.begin_cache(request, keeps_heads).await?;
        }
        let (mut output, key) = match later {
            None => self.execute(Part::Decoder, request, keeps_heads, cancel).await?,
            Some(_) => {
                let request = Request { selection: None, ..request.clone() };
                self.execute(Part::Decoder, &request, keeps_heads, cancel).await?
            }
        };
        output.taps.extend(encoded);
        if let Some(head) = later {
            output.head = Some(self.head(&key, head, cancel).await?);
        }
        output.report.bytes_allocated = self.model.bytes() + self.bytes();
        Ok((output, key))
    }

    /// An empty cache with room for a request.
    async fn begin_cache(&mut self, request: &Request, keeps_heads: bool) -> Result<(), Error> {
        (self.in_flight, self.cache) = (None, None);
        let f16_cache = self.options.stores_f16(keeps_heads);
        if f16_cache && !self.model.device().is_some_and(|device| device.gpu.has_f16()) {
            let device = self.model.device().map_or_else(|| "the CPU".into(), |device| device.gpu.describe());
            return Err(Error::NoF16 { device });
        }
        let least = PlanOptions::new(Capacity::new(1, 1, 1));
        let plan_options = PlanOptions { keeps_heads, has_cache: true, f16_cache, ..least };
        let shapes = self.model.architecture().record(&plan_options)?.plan.states;
        let capacity = KvCache::capacity_for(request.length, self.options.exact, self.model.facts().longest);
        let source = self.source.as_ref().filter(|_| request.source.is_some());
        self.caches += 1;
        let cache = KvCache::new(self.caches, &self.model, shapes, request, keeps_heads, capacity, source);
        self.cache = Some(cache.await?);
        Ok(())
    }

    /// Runs the encoder or the decoder on a request that was checked. Its source was encoded before; a request that continues has a cache.
    pub async fn execute(
        &mut self,
        part: Part,
        request: &Request,
        keeps_heads: bool,
        cancel: &dyn Cancellation,
    ) -> Result<(Output, RunKey), Error> {
        let model = self.model.clone();
        let facts = model.facts().part(part);
        let created = model.created();
        if let Some(in_flight) = &mut self.in_flight {
            in_flight.open = false;
        }
        let sizes = self.sizes(part, request).await?;
        let inputs = request.inputs(facts, sizes.past)?;
        let angles = Angles::of(request);
        let plan_options = plan_options(&model, self.options, part, request, sizes, keeps_heads);
        let pinned = self.pinned();
        let context_plan = self.plans.get(&model, plan_options, sizes, angles, self.map_side, pinned).await?;
        let plan = context_plan.device_plan.plan();
        let mut reads = Reads::default();
        let value = |reads: &mut Reads, value| reads.value(value, plan.elements(value, sizes) as usize);
        let mut results = Results {
            result: (part == Part::Decoder).then(|| value(&mut reads, context_plan.result)),
            losses: context_plan.losses.map(|losses| value(&mut reads, losses)),
            samples: context_plan.samples.map(|samples| value(&mut reads, samples)),
            lens: context_plan.lens.iter().map(|fills| value(&mut reads, *fills)).collect(),
            taps: read_taps(&mut reads, plan, part, sizes)?,
            selected: None,
        };
        let result_shape = plan.shapes[context_plan.result.index()].dimensions(sizes);
        let mut heads = Vec::new();
        if let Some(HeadId { part, layer, head }) = request.selection {
            heads = plan.heads(part);
            results.selected = Some(add_head_probe(&mut reads, heads.get(layer).ok_or(Error::NoHeads)?, head, sizes));
        }
        let continued = self.cache.as_mut().filter(|_| request.continues && part == Part::Decoder);
        let cache_id = continued.as_ref().map(|cache| cache.id);
        let source = self.source.as_mut();
        let source_id = source.as_ref().map(|source| source.id);
        let mut states = match continued {
            Some(cache) => {
                cache.begin(sizes.past);
                Some(&mut cache.states)
            }
            None => source.map(|source| &mut source.states),
        };
        let (plan_id, plan_runs) = (context_plan.id, context_plan.runs);
        if request.selection.is_some() {
            // Created now, so that a question about any other head creates nothing.
            let mut others = Reads::default();
            heads.iter().for_each(|heads| drop(add_head_probe(&mut others, heads, 0, sizes)));
            context_plan.device_plan.prepare(states.as_deref(), &others, reads.result_numbers())?;
        }
        if cache_id.is_some() {
            // Set before the run, because a cancelled run's plan, too, has the inputs of the tokens before it.
            self.cached_plan = Some(plan_id);
        }
        let run = context_plan.device_plan.run(states.take(), inputs, sizes, &reads, cancel);
        let (mut read_back, dispatches) = run.await?;
        let states = match (cache_id, &mut self.cache) {
            (Some(id), Some(cache)) => {
                cache.commit(request, &model);
                StatesOf::Cache { id, time: cache.time() }
            }
            _ if source_id.is_some() => StatesOf::Source,
            _ => StatesOf::Nothing,
        };
        let key = RunKey { plan: plan_id, plan_runs, states, sizes, angles, part, source: source_id };
        let report = RunReport {
            dispatches,
            computed: sizes.length,
            created: 0,
            bytes_allocated: 0,
            bytes_read_back: reads.bytes(),
        };
        let mut output = self.output(request, results, result_shape, &mut read_back, report);
        self.add_maps(&key, request, &mut output, cancel).await?;
        output.report.created = model.created() - created;
        Ok((output, key))
    }

    /// The sizes of a run, with a cache that has room for it.
    async fn sizes(&mut self, part: Part, request: &Request) -> Result<Sizes, Error> {
        let facts = self.model.facts().part(part);
        let head_rows = request.head_rows(facts);
        let mut past = 0;
        let mut sizes = self.source.as_ref().map(|source| source.sizes).unwrap_or_default();
        if let Some(cache) = self.cache.as_mut().filter(|_| request.continues) {
            let first_row = head_rows.iter().map(|row| *row as usize % request.length).min().unwrap_or(0);
            // A tap has a row of every token, so that none may come from the cache.
            past = if request.taps.is_empty() { cache.reusable(request, first_row, &self.model) } else { 0 };
            if request.length > cache.sizes.cache_capacity {
                let capacity = KvCache::capacity_for(request.length, self.options.exact, facts.longest);
                cache.grow(&self.model, capacity, past).await?;
            }
            // The cache has its own copy of the source, which may have another capacity.
            sizes = cache.sizes;
        }
        let length = request.length - past;
        Ok(Sizes { batch: request.batch, length, past, rows: head_rows.len(), ..sizes })
    }

    fn output(
        &self,
        request: &Request,
        results: Results,
        result_shape: Vec<usize>,
        read_back: &mut ReadBack,
        report: RunReport,
    ) -> Output {
        let (mut result, mut top) = (None, Vec::new());
        if let Some(ticket) = results.result {
            let data = ticket.take(read_back);
            match request.top_k {
                0 => result = Some(Tensor { shape: result_shape, data }),
                _ => top = request.fills(&data),
            }
        }
        let losses = results.losses.map(|ticket| ticket.take(read_back)).unwrap_or_default();
        let losses = request.labels.iter().flatten().zip(losses).map(|(label, loss)| label.map(|_| loss)).collect();
        let samples = results.samples.map(|ticket| samples(&ticket.take(read_back))).unwrap_or_default();
        // No layer's candidates are ranked with bans.
        let lens = results.lens.into_iter().map(|ticket| fills(&ticket.take(read_back), request.top_k, &[]));
        let mut lens: Vec<_> = lens.collect();
        if request.lens {
            lens.push(top.clone());
        }
        let taps = results.taps.into_iter().map(|(site, ticket)| (site, ticket.take(read_back))).collect();
        let head = results.selected.map(|ticket| ticket.take(read_back));
        Output { result, taps, top, samples, lens, losses, head, report }
    }

    /// Adds the taps that are made from heads after the run: attention maps and contacts.
    async fn add_maps(
        &mut self,
        run: &RunKey,
        request: &Request,
        output: &mut Output,
        cancel: &dyn Cancellation,
    ) -> Result<(), Error> {
        let is_own = |site: &Site| site.part == run.part || (run.part == Part::Decoder && site.part == Part::Cross);
        for site in request.taps.iter().filter(is_own) {
            let tensor = match (site.tensor, site.layer) {
                (TensorName::Attentions, Some(layer)) => self.attentions(run, site.part, layer, cancel).await?,
                (TensorName::Contacts, _) => self.contacts(run, &residues(request), cancel).await?,
                (tensor, Some(layer)) if origin(tensor) == Origin::Maps => {
                    self.scores(run, tensor, site.part, layer, cancel).await?
                }
                _ => continue,
            };
            output.taps.insert(site, tensor);
        }
        Ok(())
    }
}

/// Reads a plan's taps, in the shapes that Hugging Face gives them.
fn read_taps(reads: &mut Reads, plan: &Plan, part: Part, sizes: Sizes) -> Result<Vec<(Site, Ticket<Tensor>)>, Error> {
    let Sizes { batch, length, .. } = sizes;
    let mut tickets = Vec::new();
    for &(site, view) in &plan.taps {
        let ticket = match (site.tensor, site.layer, view) {
            (TensorName::Written, Some(layer), TapView::Columns { view, .. }) => {
                let output = plan.head_values(part).get(layer).ok_or(Error::NoHeads)?.output;
                add_output_norm_probes(reads, view, output, sizes)
            }
            _ => {
                let width = plan.shapes[view.value().index()].fixed_width().unwrap_or(0);
                let shape = match view {
                    TapView::Value(_) | TapView::Softmax(_) => vec![batch, length, width],
                    TapView::EverySecond { .. } => vec![batch, length, width / 2],
                    TapView::Statistic { .. } => vec![batch, length],
                    TapView::Columns { view, .. } => vec![batch, view.heads, length, view.head_size],
                };
                let count = plan.elements(view.value(), sizes) as usize;
                let arrange = move |data| Tensor { shape, data: view.arrange(data, batch, length) };
                reads.value(view.value(), count).map(arrange)
            }
        };
        tickets.push((site, ticket));
    }
    Ok(tickets)
}
