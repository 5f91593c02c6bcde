//! One try to load and run a pair of files.

use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use ropescope::Error;
use ropescope::model::Model;
use ropescope::plan::{Tap, Taps};
use ropescope::session::{Device, Request, Rows, Session};
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

/// What became of them.
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
    let model = Model::read(&json, Some(&header))?;
    check_ropes(&model);
    drop(model);
    let mut session = pollster::block_on(Session::load(&json, &files.weights, &Device::Cpu))?;
    let last = session.facts().vocab_size as u32 - 1;
    let length = session.facts().longest.map_or(3, |longest| longest.min(3) as usize);
    let mut taps = Taps::from_iter([Tap::HiddenStates(0), Tap::Attentions(0), Tap::KeyRotated(0)]);
    if session.facts().tells_contacts {
        taps.insert(Tap::Contacts);
    }
    let request = Request {
        attention_mask: Some([1, 1, 0][..length].to_vec()),
        taps,
        exact: true,
        ..Request::new([0, last, last / 2][..length].to_vec(), 1, length)
    };
    let output = pollster::block_on(session.run(&request))?;
    for (name, tensor) in &output.tensors {
        assert_eq!(tensor.shape.iter().product::<usize>(), tensor.data.len(), "{name}");
    }
    if session.facts().predicts_tokens() {
        let top_k = session.facts().vocab_size.min(3);
        let continues = session.facts().causal;
        for row in 0..length as u32 {
            let request =
                Request { rows: Rows::At(vec![row]), top_k, continues, taps: Taps::none(), ..request.clone() };
            let output = pollster::block_on(session.run(&request))?;
            assert_eq!(output.top.iter().map(Vec::len).collect::<Vec<_>>(), [top_k]);
            assert!(output.top.iter().flatten().all(|fill| fill.id <= last), "{:?}", output.top);
        }
    }
    Ok(())
}

/// Whatever a config says, θ are numbers for a text of any length.
fn check_ropes(model: &Model) {
    for (rope, length) in model.ropes.iter().flat_map(|rope| [0, 1, 1 << 40, u64::MAX].map(|length| (rope, length))) {
        let frequencies = rope.frequencies(length);
        assert_eq!(frequencies.theta.len(), model.facts.head_size / 2);
        assert!(frequencies.theta.iter().all(|theta| theta.is_finite()) && frequencies.magnitude.is_finite());
    }
}
