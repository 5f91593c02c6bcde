//! A thread that waits for the queue. Natively something has to poll it, and no future may block the thread that polls the future.

use crate::error::Error;
use futures_channel::oneshot;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

/// The thread of one device. Dropping it joins the thread: a thread that still owned the device at the program's end would unload the
/// driver while the driver's exit handlers run.
pub struct Waiter {
    jobs: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

struct Job {
    submission: wgpu::SubmissionIndex,
    result: oneshot::Sender<Result<(), String>>,
}

impl Waiter {
    pub fn new(device: wgpu::Device) -> Result<Self, Error> {
        let (sender, jobs) = mpsc::channel::<Job>();
        let work = move || {
            for Job { submission, result } in jobs {
                let status = device.poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: None });
                // Fails only if the receiver's future was dropped.
                let _ = result.send(status.map(|_| ()).map_err(|error| error.to_string()));
            }
        };
        let thread = thread::Builder::new().name("ropescope gpu".into()).spawn(work);
        let thread = thread.map_err(|error| Error::DeviceRefused { reason: error.to_string() })?;
        Ok(Self { jobs: Some(sender), thread: Some(thread) })
    }

    /// Waits until a submission is done and its buffers are mapped, but not for later submissions.
    pub async fn wait(&self, submission: wgpu::SubmissionIndex) -> Result<(), Error> {
        let (sender, result) = oneshot::channel();
        let no_thread = || Error::Internal { reason: "the thread that waits for the device has ended".into() };
        let jobs = self.jobs.as_ref().ok_or_else(no_thread)?;
        jobs.send(Job { submission, result: sender }).map_err(|_| no_thread())?;
        result.await.map_err(|_| no_thread())?.map_err(|reason| Error::Gpu { reason })
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // The panic hook has already reported a panic of the thread.
            let _ = thread.join();
        }
    }
}
