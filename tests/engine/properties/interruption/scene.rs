//! The model and the contexts that calls of async functions work on.

use crate::support::{Folder, allocated, context_with_heads, golden, output, run};
use pollster::block_on;
use ropescope::Error;
use ropescope::backend::NeverCancelled;
use ropescope::runtime::{
    BeamSearch, Context, Continuation, Device, Generation, HeadId, HeadMaps, Model, Output, PredictionRows, Request,
    Run, SourceText,
};
use ropescope::sampling::{Rules, SamplingSettings, Search, Stopping};
use ropescope::trial::{Trial, TrialKind};

/// Tokens of the text that was run before a call, and of the one that is run after it.
pub const TEXT: usize = 8;
pub const LONGER: usize = 13;

pub const HEAD: HeadId = HeadId::new(0, 1);

/// A model with two contexts: one that calls work on, and one that they must leave alone.
pub struct Scene {
    pub folder: Folder,
    pub device: Device,
    pub model: Model,
    pub context: Context,
    /// Of the text, in that context.
    pub run: Run,
    /// Of a causal model, begun with the text and a token more.
    pub generation: Option<Generation>,
    /// Of an encoder–decoder.
    pub search: Option<BeamSearch>,
    pub trial: Trial,
    other: Context,
    other_run: Run,
    other_head: HeadMaps,
    other_bytes: u64,
}

impl Scene {
    pub fn new(name: &str, device: &Device) -> Self {
        let folder = golden(name);
        let model = folder.load(device.clone());
        let (context, other) = (context_with_heads(&model), context_with_heads(&model));
        let text = text(&folder, &model, TEXT);
        let (_, other_run) = run(&other, &text);
        let other_head = block_on(other_run.head(HEAD, &NeverCancelled)).unwrap();
        let (_, run) = run(&context, &text);
        let trial = block_on(Trial::new(device, TrialKind::Softmax, 5, 4)).unwrap();
        let (generation, search, device) = (None, None, device.clone());
        let other_bytes = other.bytes();
        let mut scene = Self {
            folder,
            device,
            model,
            context,
            run,
            generation,
            search,
            trial,
            other,
            other_run,
            other_head,
            other_bytes,
        };
        scene.begin();
        scene
    }

    /// Runs the text in an empty cache, and begins anew to generate and to search.
    pub fn begin(&mut self) {
        self.context.clear().unwrap();
        let text = self.text(TEXT);
        self.run = run(&self.context, &text).1;
        let facts = self.model.facts();
        if facts.causal {
            let sampling = SamplingSettings { temperature: 0.0, ..SamplingSettings::default() };
            let continuation =
                Continuation { sampling, candidates: 64, most: 6, ends: Vec::new(), beyond_length: true };
            let generation = Generation::new(&self.text(TEXT + 1).ids, 1, None, continuation).unwrap();
            self.generation = Some(match &text.source {
                Some(source) => generation.after(source.clone(), Rules::default()),
                None => generation,
            });
        }
        if let Some(source) = text.source {
            let rules = Rules { ends: vec![1], max_length: 6, ..Rules::default() };
            let search = Search { width: 3, length_penalty: 1.0, stopping: Stopping::Never, rules };
            self.search = Some(BeamSearch::new(&self.model, source, &[0], search).unwrap());
        }
    }

    /// Bytes of the context and of all that lives on the device, once other runs have taken the places of all plans.
    pub fn settled_memory(&mut self) -> [u64; 2] {
        self.begin();
        self.context.clear().unwrap();
        for top_k in 1..=8 {
            output(&self.context, &Request { continues: false, top_k, ..self.text(TEXT) });
        }
        [self.context.bytes(), allocated(&self.device)]
    }

    /// A text of `length` tokens; texts of all lengths begin alike.
    pub fn text(&self, length: usize) -> Request {
        text(&self.folder, &self.model, length)
    }

    /// A head of the text's run.
    pub fn head(&self) -> Result<Vec<f32>, Error> {
        block_on(self.run.head(HEAD, &NeverCancelled)).map(|maps| [maps.attention, maps.query, maps.key].concat())
    }

    /// The other context is as it was.
    pub fn check_other_context(&self, what: &str) {
        assert_eq!(self.other.bytes(), self.other_bytes, "{what}: bytes of another context");
        let head = block_on(self.other_run.head(HEAD, &NeverCancelled));
        assert_eq!(head.as_ref(), Ok(&self.other_head), "{what}: a run of another context");
    }
}

/// The logits of a text's last token, over a cache where the model is causal.
fn text(folder: &Folder, model: &Model, length: usize) -> Request {
    let facts = model.facts();
    Request {
        continues: facts.causal,
        rows: PredictionRows::At(vec![length as u32 - 1]),
        source: facts.encoder.as_ref().map(|_| SourceText::one(vec![9, 4, 1])),
        beyond_length: true,
        ..folder.text(1, length)
    }
}

/// All numbers of a run's results.
pub fn numbers(output: Output) -> Vec<f32> {
    let tensors = output.result.into_iter().chain(output.taps.into_values());
    let mut numbers: Vec<f32> = tensors.flat_map(|tensor| tensor.data).collect();
    if let Some(HeadMaps { attention, query, key }) = output.head {
        numbers.extend([attention, query, key].concat());
    }
    numbers
}
