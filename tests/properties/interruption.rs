//! A run that ends early, or whose future is dropped while it waits, leaves a session that computes and holds what it did before.

use crate::pace::StopAt;
use crate::support::{Folder, assert_close, golden, gpu, run};
use ropescope::Error;
use ropescope::backend::{Pace, Unhurried};
use ropescope::model::{Model, Variant};
use ropescope::rope::Scaling;
use ropescope::sampling::{Rules, Search, Stopping};
use ropescope::session::{BeamSearch, Device, Request, Rows, Selection, Session, SourceText};
use ropescope::weights::Header;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

/// Returns to whoever polls before each op, and goes on at the next poll.
struct Yields;

impl Pace for Yields {
    fn due(&self) -> bool {
        true
    }

    fn pause(&self) -> Pin<Box<dyn Future<Output = bool> + '_>> {
        let mut yielded = false;
        Box::pin(poll_fn(move |context| {
            if std::mem::replace(&mut yielded, true) {
                return Poll::Ready(true);
            }
            context.waker().wake_by_ref();
            Poll::Pending
        }))
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Drops a future that still waits after it was woken so often; `Some` where it came to its end before.
fn drop_after<T>(wakes: usize, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    for wake in 0..=wakes {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return Some(output);
        }
        if wake < wakes {
            thread::park();
        }
    }
    None
}

/// Drops futures after ever more wakes, until one comes to its end before. `attempt` says whether its future was dropped.
fn dropped_everywhere(mut attempt: impl FnMut(usize) -> bool) {
    let mut wakes = 0;
    for _ in 0..1000 {
        if attempt(wakes) {
            wakes += 1;
        } else if wakes > 0 {
            return;
        }
        // Not dropped: the GPU was done before it was waited for. The next attempt is the same.
    }
    panic!("no future was dropped, or none came to its end");
}

/// Gives a GPU so much to copy that what is sent to it next has to be waited for.
fn occupy(session: &Session) {
    let Some(gpu) = session.gpu() else { return };
    let usage = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    let buffer = || {
        let descriptor = wgpu::BufferDescriptor { label: None, size: 1 << 25, usage, mapped_at_creation: false };
        gpu.device().create_buffer(&descriptor)
    };
    let (from, to) = (buffer(), buffer());
    let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    (0..8).for_each(|_| encoder.copy_buffer_to_buffer(&from, 0, &to, 0, 1 << 25));
    gpu.queue().submit([encoder.finish()]);
}

fn sessions(folder: &Folder) -> [(Session, f32); 2] {
    [(folder.load(Device::Cpu), 1e-5), (folder.load(gpu()), 1e-4)]
}

/// A text that goes on, and the logits of its last token.
fn text(folder: &Folder, length: usize) -> Request {
    Request { continues: true, rows: Rows::At(vec![length as u32 - 1]), ..folder.text(1, length) }
}

fn logits(session: &mut Session, request: &Request) -> Vec<f32> {
    run(session, request).tensors.remove("logits").unwrap().data
}

/// Keys and values, and what linear attention sums up.
fn decoders() -> [Folder; 3] {
    ["decoders/llama", "sources/linear_causal", "sources/linear_rotate_first_causal"].map(golden)
}

#[test]
fn a_text_goes_on_after_a_run_that_was_overtaken() {
    for folder in decoders() {
        let [shorter, longer] = [8, 11].map(|length| text(&folder, length));
        let expected = logits(&mut folder.load(Device::Cpu), &longer);
        let mut session = folder.load(Device::Cpu);
        for ops in 0.. {
            session.forget();
            run(&mut session, &shorter);
            match pollster::block_on(session.run_paced(&longer, &StopAt::ops(ops))) {
                Err(error) => assert!(matches!(error, Error::Overtaken), "{error}"),
                Ok(output) => {
                    assert!(ops == output.report.dispatches && ops > 10, "{}: stopped after {ops} ops", folder.name);
                    break;
                }
            }
            let what = format!("{}, overtaken after {ops} ops", folder.name);
            assert_close(&what, &logits(&mut session, &longer), &expected, 1e-4);
        }
    }
}

#[test]
fn a_text_goes_on_after_a_run_that_was_dropped() {
    for folder in decoders() {
        let [shorter, longer] = [8, 11].map(|length| text(&folder, length));
        let expected = logits(&mut folder.load(Device::Cpu), &longer);
        for (mut session, _) in sessions(&folder) {
            let what = format!("{} on {}", folder.name, session.backend_name());
            dropped_everywhere(|wakes| {
                session.forget();
                run(&mut session, &shorter);
                occupy(&session);
                let dropped = drop_after(wakes, session.run_paced(&longer, &Yields)).is_none();
                let again = logits(&mut session, &longer);
                assert_close(&format!("{what}, dropped after {wakes} wakes"), &again, &expected, 1e-4);
                dropped
            });
        }
    }
}

#[test]
fn a_run_of_a_text_that_was_dropped_leaves_no_memory_behind() {
    let folder = golden("decoders/llama");
    let [shorter, longer] = [8, 11].map(|length| text(&folder, length));
    for (mut session, _) in sessions(&folder) {
        let what = session.backend_name();
        run(&mut session, &longer);
        run(&mut session, &shorter);
        let bytes = session.bytes_held();
        dropped_everywhere(|wakes| {
            occupy(&session);
            let dropped = drop_after(wakes, session.run_paced(&longer, &Yields)).is_none();
            assert!(session.bytes_held() <= bytes, "{what}: {} bytes instead of {bytes}", session.bytes_held());
            assert!(run(&mut session, &shorter).report.computed <= 1, "{what}: the text is no longer there");
            dropped
        });
    }
}

/// The model with positions that turn more slowly.
fn scaled(folder: &Folder) -> Model {
    let header = Header::parse(&folder.file(), None).unwrap();
    let scaling = Scaling::Linear { factor: 4.0, original_max_position_embeddings: None };
    let variant = Variant { scaling: Some(scaling), ..Variant::default() };
    variant.read(&folder.config_json(), Some(&header)).unwrap()
}

const HEAD: Selection = Selection { layer: 0, head: 1 };

#[test]
fn a_run_of_a_variant_that_was_dropped_leaves_the_model_as_it_was() {
    let folder = golden("decoders/llama");
    let watched = Request { selection: Some(HEAD), ..text(&folder, 8) };
    let other = Request { keeps_heads: true, ..folder.text(1, 11) };
    for keeps_the_run in [false, true] {
        for (mut session, tolerance) in sessions(&folder) {
            let plain = logits(&mut folder.load(Device::Cpu), &other);
            let head = run(&mut session, &watched).head.unwrap();
            let last = session.mark();
            dropped_everywhere(|wakes| {
                let what = format!("{}, dropped after {wakes} wakes", session.backend_name());
                let variant = Some(scaled(&folder));
                occupy(&session);
                let dropped = match keeps_the_run {
                    true => drop_after(wakes, session.run_beside(variant, &other, &Yields)).is_none(),
                    false => drop_after(wakes, session.run_aside(variant, &other, &Yields)).is_none(),
                };
                assert!(last.is_some() && session.mark() == last, "{what}: another run is asked about");
                assert_eq!(pollster::block_on(session.head(HEAD)).ok().as_ref(), Some(&head), "{what}");
                // In the plans for runs beside the last one.
                let aside = pollster::block_on(session.run_aside(None, &other, &Unhurried)).unwrap();
                assert_close(&format!("{what}, beside"), &aside.tensors["logits"].data, &plain, tolerance);
                dropped
            });
            assert_eq!(run(&mut session, &watched).report.computed, 1, "the text is still in the cache");
            assert_close("the model as it was", &logits(&mut session, &other), &plain, tolerance);
        }
    }
}

#[test]
fn a_search_that_was_dropped_leaves_the_last_run_and_goes_on() {
    let folder = golden("pairs/marian");
    let search = || {
        let rules = Rules { ends: vec![1], max_length: 8, ..Rules::default() };
        let search = Search { width: 3, length_penalty: 1.0, stopping: Stopping::Never, rules };
        BeamSearch::new(SourceText::one(vec![9, 4, 1]), &[0], search).unwrap()
    };
    let found = |search: &BeamSearch| search.ids().map(<[u32]>::to_vec).collect::<Vec<_>>();
    let source = Some(SourceText::one(vec![5, 3, 8, 1]));
    let watched = Request { selection: Some(HEAD), source, ..text(&folder, 4) };
    for (mut session, _) in sessions(&folder) {
        let mut uninterrupted = search();
        while !uninterrupted.ended() {
            pollster::block_on(session.search_on(&mut uninterrupted, &Unhurried)).unwrap();
        }
        let head = run(&mut session, &watched).head.unwrap();
        let last = session.mark();
        let (mut interrupted, mut dropped, mut searches) = (search(), 0, 1);
        while !interrupted.ended() || dropped == 0 {
            if interrupted.ended() {
                // The GPU was done each time before it was waited for: search again.
                assert!(searches < 100, "no search was dropped");
                searches += 1;
                interrupted = search();
            }
            for wakes in (0..).step_by(10) {
                let what = format!("{}, dropped after {wakes} wakes", session.backend_name());
                occupy(&session);
                let ended = drop_after(wakes, session.search_on(&mut interrupted, &Yields)).is_some();
                assert!(last.is_some() && session.mark() == last, "{what}: another run is asked about");
                assert_eq!(pollster::block_on(session.head(HEAD)).ok().as_ref(), Some(&head), "{what}");
                if ended {
                    break;
                }
                dropped += 1;
            }
        }
        assert_eq!(found(&interrupted), found(&uninterrupted), "{}", session.backend_name());
        assert_eq!(run(&mut session, &watched).report.computed, 1, "the text is still in the cache");
    }
}
