//! A future may be dropped anywhere, and a run may be cancelled anywhere: one harness polls a call of each public async function n times
//! for n = 1, 2, …, drops it, and compares what runs next with the same in a context where nothing was interrupted.

mod functions;
mod scene;

use crate::properties::cancellation::{Load, StopAt, Yields};
use crate::support::{assert_close, gpu, output};
use functions::{FUNCTIONS, Function};
use pollster::block_on;
use ropescope::Error;
use ropescope::backend::NeverCancelled;
use ropescope::runtime::Device;
use scene::{LONGER, Scene, TEXT, numbers};
use std::collections::BTreeSet;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::task::{self, Poll, Wake, Waker};
use std::thread::{self, Thread};

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Polls a future `polls` times, each time after it was woken, and drops it; `Some` if it was ready before. Other work is submitted to a
/// GPU before each poll, so that the future has to wait.
pub fn drop_after<T>(polls: usize, load: &Load, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    for poll in 0..polls {
        if poll > 0 {
            thread::park();
        }
        load.submit();
        if let Poll::Ready(output) = future.as_mut().poll(&mut task::Context::from_waker(&waker)) {
            return Some(output);
        }
    }
    None
}

/// Bytes that a device's allocator may take more, as buffers lie aligned in other places.
const ALIGNMENT: u64 = 1 << 10;

/// How a call is interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Its future is dropped after n polls.
    Drop,
    /// Its run is cancelled after n ops, on the CPU.
    Cancel,
}

/// Interrupts calls later and later, until they come to their end before. `attempt` says whether its call was interrupted.
fn interrupt_everywhere(mut attempt: impl FnMut(usize) -> bool) {
    let (mut after, mut ends) = (1, 0);
    for _ in 0..2000 {
        if attempt(after) {
            (after, ends) = (after + 1, 0);
            continue;
        }
        // A GPU may have been done before it was waited for: the next attempt is the same.
        ends += 1;
        if after > 1 && ends == 3 {
            return;
        }
    }
    panic!("no call was interrupted, or none came to its end");
}

/// The results of a call, of the runs after it and of a question about the run before it, without an interruption.
struct Expected {
    call: Vec<f32>,
    text: Vec<f32>,
    longer: Vec<f32>,
    head: Vec<f32>,
}

impl Expected {
    fn of(function: &Function, device: &Device) -> Self {
        let fresh = || Scene::new(function.model, device);
        let mut scene = fresh();
        let head = scene.head().unwrap();
        let call = block_on((function.call)(&mut scene, &NeverCancelled)).unwrap();
        let run = |scene: &Scene, length: usize| numbers(output(&scene.context, &scene.text(length)));
        let [text, longer] = [TEXT, LONGER].map(|length| run(&fresh(), length));
        Self { call, text, longer, head }
    }
}

/// Interrupts calls of a function everywhere, and compares what comes after them.
fn check(function: &Function, device: &Device, way: Way) {
    let tolerance = if matches!(device, Device::Cpu) { 1e-5 } else { 1e-4 };
    let expected = Expected::of(function, device);
    let mut scene = Scene::new(function.model, device);
    let load = Load::new(device);
    block_on((function.call)(&mut scene, &NeverCancelled)).unwrap();
    let [bytes, allocated] = scene.settled_memory();
    let mut attempt = |after: usize| {
        scene.begin();
        let result = match way {
            Way::Drop => drop_after(after, &load, (function.call)(&mut scene, &Yields)),
            Way::Cancel => match block_on((function.call)(&mut scene, &StopAt::ops(after - 1))) {
                Err(Error::Cancelled) => None,
                result => Some(result),
            },
        };
        let interrupted = result.is_none();
        let what = format!("{} of {} on {}, {way:?} after {after}", function.name, function.model, device.describe());
        if let Some(result) = result {
            assert_close(&what, &result.unwrap(), &expected.call, tolerance);
        }
        scene.check_other_context(&what);
        check_run_before(function.keeps_run, &what, &scene, &expected, tolerance);
        let call_again = |scene: &mut Scene| {
            let fresh = scene.run.is_fresh();
            match block_on((function.call)(scene, &NeverCancelled)) {
                Err(Error::Stale) if !fresh => {}
                result => assert_close(&format!("{what}: called again"), &result.unwrap(), &expected.call, tolerance),
            }
        };
        let run_longer = |scene: &Scene| {
            let found = numbers(output(&scene.context, &scene.text(LONGER)));
            assert_close(&format!("{what}: the next run"), &found, &expected.longer, tolerance);
        };
        let keeps_text = function.keeps_run && scene.model.facts().causal;
        match after % 3 {
            0 => {
                run_longer(&scene);
                check_run_before(keeps_text, &what, &scene, &expected, tolerance);
                call_again(&mut scene);
            }
            1 => {
                call_again(&mut scene);
                run_longer(&scene);
            }
            _ => {
                let found = output(&scene.context, &scene.text(TEXT));
                assert!(!keeps_text || found.report.computed == 1, "{what}: the text left the cache");
                assert_close(&format!("{what}: the text again"), &numbers(found), &expected.text, tolerance);
                run_longer(&scene);
            }
        }
        check_run_before(keeps_text, &what, &scene, &expected, tolerance);
        interrupted
    };
    if matches!(device, Device::Gpu(_)) || function.waits_on_cpu {
        interrupt_everywhere(attempt);
    } else {
        assert!(!attempt(1), "{} waits on the CPU", function.name);
    }
    let [after, allocated_after] = scene.settled_memory();
    let what = format!("{} of {} on {}, {way:?}", function.name, function.model, device.describe());
    assert!(
        after == bytes && allocated_after <= allocated + ALIGNMENT,
        "{what}: {after} of {bytes}, {allocated_after} of {allocated} bytes"
    );
}

/// The run before a call answers as before, or says that it is stale where it may be.
fn check_run_before(must_answer: bool, what: &str, scene: &Scene, expected: &Expected, tolerance: f32) {
    match scene.head() {
        Ok(head) => assert_close(&format!("{what}: the run before it"), &head, &expected.head, tolerance),
        Err(error) => assert!(error == Error::Stale && !must_answer, "{what}: the run before it: {error}"),
    }
}

#[test]
fn a_future_may_be_dropped_anywhere_on_the_cpu() {
    FUNCTIONS.iter().for_each(|function| check(function, &Device::Cpu, Way::Drop));
}

#[test]
fn a_future_may_be_dropped_anywhere_on_the_gpu() {
    let device = gpu();
    FUNCTIONS.iter().for_each(|function| check(function, &device, Way::Drop));
}

#[test]
fn a_run_may_be_cancelled_anywhere() {
    FUNCTIONS.iter().for_each(|function| check(function, &Device::Cpu, Way::Cancel));
}

/// The Rust files of a folder and of those within it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let within = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    entries.flat_map(within).filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// Public async functions of the types that the runtime exports, of trials and of the GPU's painter.
#[test]
fn every_public_async_function_is_in_the_list() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let module = std::fs::read_to_string(source.join("runtime/mod.rs")).unwrap();
    let words =
        |line: &str| line.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned).collect::<Vec<_>>();
    let exports: BTreeSet<String> = module
        .lines()
        .filter(|line| line.starts_with("pub use"))
        .flat_map(words)
        .chain(["Trial", "GridPainter"].map(str::to_owned))
        .collect();
    let mut functions = BTreeSet::new();
    for file in
        sources(&source.join("runtime")).into_iter().chain([source.join("trial.rs"), source.join("draw/grid_gpu.rs")])
    {
        let mut of = String::new();
        for line in std::fs::read_to_string(file).unwrap().lines() {
            if let Some(name) = line.strip_prefix("impl ") {
                of = words(name).swap_remove(0);
            }
            if let Some(name) = line.trim_start().strip_prefix("pub async fn ")
                && exports.contains(&of)
            {
                functions.insert(format!("{of}::{}", words(name).swap_remove(0)));
            }
        }
    }
    let listed: BTreeSet<String> = FUNCTIONS.iter().map(|function| function.name.to_owned()).collect();
    assert_eq!(listed, functions);
}
