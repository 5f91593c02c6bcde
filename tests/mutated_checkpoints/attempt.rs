//! One try to load and run a pair of files.

use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use ropescope::Error;
use ropescope::model::{Checkpoint, Config};
use ropescope::plan::{Tap, Taps};
use ropescope::session::{BackendChoice, Request, Rows, Session};

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
    let config = Config::parse(&json)?;
    let checkpoint = Checkpoint::parse(&files.weights)?;
    assert!(checkpoint.names().count() <= files.weights.len());
    let mut session = pollster::block_on(Session::open(config, &checkpoint, BackendChoice::Cpu))?;
    let last = session.config().vocab_size as u32 - 1;
    let request = Request {
        attention_mask: Some(vec![1, 1, 0]),
        taps: Taps::from_iter([Tap::HiddenStates(0), Tap::Attentions(0)]),
        exact: true,
        ..Request::new(vec![0, last, last / 2], 1, 3)
    };
    let output = pollster::block_on(session.run(&request))?;
    for (name, tensor) in &output.tensors {
        assert_eq!(tensor.shape.iter().product::<usize>(), tensor.data.len(), "{name}");
    }
    if session.architecture().predicts_tokens() {
        let top_k = session.config().vocab_size.min(3);
        let request = Request { rows: Rows::At(vec![1]), top_k, taps: Taps::none(), ..request };
        let output = pollster::block_on(session.run(&request))?;
        assert_eq!(output.top.iter().map(Vec::len).collect::<Vec<_>>(), [top_k]);
        assert!(output.top.iter().flatten().all(|fill| fill.id <= last), "{:?}", output.top);
    }
    Ok(())
}
