//! One try to load and run a pair of files.

use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use ropescope::Error;
use ropescope::backend::NeverCancelled;
use ropescope::kernels::Format;
use ropescope::model::Architecture;
use ropescope::plan::{Taps, TensorName};
use ropescope::runtime::{ContextOptions, Device, LoadOptions, Model, PredictionRows, Request};
use ropescope::weights::Header;

use crate::allocation::peak;

/// Far above what any of these tiny models takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A pair of files.
#[derive(Clone)]
pub struct Files {
    pub config: Vec<u8>,
    pub weights: Vec<u8>,
}

impl Files {
    pub fn size(&self) -> usize {
        self.config.len() + self.weights.len()
    }
}

/// The result of an attempt.
pub struct Outcome {
    pub result: Result<(), Error>,
    /// Bytes held at most.
    pub peak: usize,
}

/// Loads the files and runs what they describe. Panics where the library does, and where it hangs.
pub fn attempt(files: Files) -> Outcome {
    let files = Arc::new(files);
    let (sender, receiver) = mpsc::channel();
    let shared = Arc::clone(&files);
    let worker = std::thread::spawn(move || {
        let (result, peak) = peak(|| load_and_run(&shared));
        // Only a test that has failed already no longer listens.
        let _ = sender.send(Outcome { result, peak });
    });
    match receiver.recv_timeout(PATIENCE) {
        Ok(outcome) => outcome,
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("no end after {PATIENCE:?}"),
        Err(mpsc::RecvTimeoutError::Disconnected) => match worker.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(()) => unreachable!("the worker ended without an outcome"),
        },
    }
}

fn load_and_run(files: &Files) -> Result<(), Error> {
    let json = String::from_utf8_lossy(&files.config);
    let header = Header::parse(&files.weights, Some(files.weights.len() as u64))?;
    assert!(header.tensors().count() <= files.weights.len());
    check_ropes(&Architecture::read(&json, Some(&header))?);
    run_as(&json, files, Some(Format::F32))?;
    match run_as(&json, files, None) {
        // A 16-bit number that is not finite is none of its format.
        Err(Error::BeyondFormat { .. }) => Ok(()),
        result => result,
    }
}

/// Runs a model whose matrices are in this format in memory, or in the file's where there is none.
fn run_as(json: &str, files: &Files, format: Option<Format>) -> Result<(), Error> {
    let options = LoadOptions { format, ..LoadOptions::default() };
    let model = pollster::block_on(Model::load(&Device::Cpu, json, &files.weights, options))?;
    let facts = model.facts();
    let context = model.context(ContextOptions { exact: true, ..ContextOptions::default() });
    let run = |request: &Request| pollster::block_on(context.run(request, &NeverCancelled)).map(|(output, _)| output);
    let last = facts.vocab_size as u32 - 1;
    let length = facts.longest.map_or(3, |longest| longest.min(3) as usize);
    let mut taps =
        Taps::from_iter([TensorName::HiddenStates.at(0), TensorName::Attentions.at(0), TensorName::KeyRotated.at(0)]);
    if facts.has_contact_head {
        taps.insert(TensorName::Contacts.in_every_layer());
    }
    let request = Request {
        attention_mask: Some([1, 1, 0][..length].to_vec()),
        taps,
        ..Request::new([0, last, last / 2][..length].to_vec(), 1, length)
    };
    let output = run(&request)?;
    for (name, tensor) in output.named(facts) {
        assert_eq!(tensor.shape.iter().product::<usize>(), tensor.data.len(), "{name}");
    }
    if facts.predicts_tokens() {
        let top_k = facts.vocab_size.min(3);
        let continues = facts.causal;
        for row in 0..length as u32 {
            let request = Request {
                rows: PredictionRows::At(vec![row]),
                top_k,
                continues,
                taps: Taps::none(),
                ..request.clone()
            };
            let output = run(&request)?;
            assert_eq!(output.top.iter().map(Vec::len).collect::<Vec<_>>(), [top_k]);
            assert!(output.top.iter().flatten().all(|fill| fill.id <= last), "{:?}", output.top);
        }
    }
    Ok(())
}

/// Whatever a config says, θ are numbers for a text of any length.
fn check_ropes(architecture: &Architecture) {
    for (rope, length) in
        architecture.ropes.iter().flat_map(|rope| [0, 1, 1 << 40, u64::MAX].map(|length| (rope, length)))
    {
        let frequencies = rope.frequencies(length);
        assert_eq!(frequencies.theta.len(), architecture.facts.head_size / 2);
        assert!(frequencies.theta.iter().all(|theta| theta.is_finite()) && frequencies.magnitude.is_finite());
    }
}
