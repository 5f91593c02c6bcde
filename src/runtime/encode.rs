//! Runs the encoder on a request's source.

use super::cache::KvCache;
use super::encoded_source::EncodedSource;
use super::inner::Inner;
use super::request::Request;
use super::result::Tensor;
use super::source::SourceText;
use crate::backend::{Cancellation, States};
use crate::error::Error;
use crate::plan::{Capacity, Part, PlanOptions, Site, Sizes};
use std::collections::BTreeMap;

impl Inner {
    /// Encodes a request's source, unless it is the last one. Returns the encoder's taps that the request asks for.
    pub async fn encode_source(
        &mut self,
        request: &Request,
        cancel: &dyn Cancellation,
    ) -> Result<BTreeMap<Site, Tensor>, Error> {
        let Some(text) = &request.source else { return Ok(BTreeMap::new()) };
        let keeps_heads = self.keeps_heads(request);
        let serves = |source: &EncodedSource| {
            let run = source
                .run
                .filter(|(run, has_heads)| !keeps_heads || (*has_heads && self.plans.find(run.plan).is_some()));
            source.text == *text && run.is_some()
        };
        if request.taps.of_plan(Part::Encoder).is_empty() && self.source.as_ref().is_some_and(serves) {
            return Ok(BTreeMap::new());
        }
        let (states, sizes) = self.room_for_source(text).await?;
        self.sources += 1;
        self.source = Some(EncodedSource { text: text.clone(), states, sizes, run: None, id: self.sources });
        let encoder = Request::of_source(text, request.taps.of_plan(Part::Encoder));
        let (output, run) = self.execute(Part::Encoder, &encoder, keeps_heads, cancel).await?;
        if let Some(source) = &mut self.source {
            source.run = Some((run, keeps_heads));
        }
        Ok(output.taps)
    }

    /// States for the keys and values of a source: those of the last one, where they are large enough.
    async fn room_for_source(&mut self, text: &SourceText) -> Result<(States, Sizes), Error> {
        let batch = text.batch();
        if let Some(EncodedSource { states, sizes, .. }) = self.source.take()
            && sizes.batch == batch
            && text.length <= sizes.source_capacity
        {
            return Ok((states, Sizes { source: text.length, ..sizes }));
        }
        let longest = self.model.facts().part(Part::Encoder).longest;
        let source_capacity = KvCache::capacity_for(text.length, self.options.exact, longest);
        let sizes = Sizes { source: text.length, source_capacity, ..Sizes::new(batch, 0, 0) };
        let plan_options = PlanOptions { part: Part::Encoder, ..PlanOptions::new(Capacity::new(1, 1, 1)) };
        let shapes = self.model.architecture().record(&plan_options)?.plan.states;
        Ok((self.model.weights().states(&shapes, sizes).await?, sizes))
    }
}
