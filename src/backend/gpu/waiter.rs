//! Natively somebody has to wait for the queue: a thread of the device's own, so that no future blocks the thread that polls it.

use crate::error::Error;
use futures_channel::oneshot;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

/// Ends with what holds it, which waits for that: a thread that let go of the device behind a program's end had the driver unloaded while
/// the program ran what the driver had left to be done at its end.
pub struct Waiter {
    jobs: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

struct Job {
    submission: wgpu::SubmissionIndex,
    done: oneshot::Sender<Result<(), String>>,
}

impl Waiter {
    /// # Errors
    /// [`Error::DeviceRefused`] where the system gives no thread.
    pub fn new(device: wgpu::Device) -> Result<Self, Error> {
        let (sender, jobs) = mpsc::channel::<Job>();
        let wait = move || {
            for Job { submission, done } in jobs {
                let waited = device.poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: None });
                // The receiver is gone only if nobody waits for the result any more.
                let _ = done.send(waited.map(|_| ()).map_err(|error| error.to_string()));
            }
        };
        let thread = thread::Builder::new().name("ropescope gpu".into()).spawn(wait);
        let thread =
            thread.map_err(|error| Error::DeviceRefused { reason: format!("no thread to wait for it: {error}") })?;
        Ok(Self { jobs: Some(sender), thread: Some(thread) })
    }

    /// Until this submit is done, and its buffers are mapped. Later submits are not waited for.
    ///
    /// # Errors
    /// [`Error::Gpu`].
    pub async fn wait(&self, submission: wgpu::SubmissionIndex) -> Result<(), Error> {
        let (done, waited) = oneshot::channel();
        let ended = || Error::Gpu { reason: "the thread that waits for the device has ended".into() };
        let jobs = self.jobs.as_ref().ok_or_else(ended)?;
        jobs.send(Job { submission, done }).map_err(|_| ended())?;
        waited.await.map_err(|_| ended())?.map_err(|reason| Error::Gpu { reason })
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // What it panicked with has been printed.
            let _ = thread.join();
        }
    }
}
