//! `ropescope tune`: which form of each product, and of attention by few queries, is quickest on this adapter, as a file for `--forms`.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::output_file::OutputFile;
use super::{ModelArguments, print};
use crate::backend::Unhurried;
use crate::error::Error;
use crate::session::{Gain, TriedText};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    /// The file to write. With --forms, too, only what that file does not know is tried.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

impl Arguments {
    /// Prints the header tokens,past,before_ms,after_ms,changed and a row for each text that was tried: tokens of a run and those before
    /// them, the run with the usual forms and with those that were found, and how many classes of work take another form.
    ///
    /// # Errors
    /// No GPU; a device that is lost; a file that cannot be written.
    pub fn execute(self) -> Result<(), Error> {
        let file = OutputFile::new(&self.output)?;
        let folder = self.model.open()?;
        // The file of --forms may be brought up to date: what it holds is a part of what is written.
        file.is_none_of(&folder.files())?;
        pollster::block_on(async {
            let mut session = folder.load(self.model.backend.into()).await?;
            if session.gpu().is_none() {
                let reason = "forms are of a GPU's work, and this is the CPU: choose --backend gpu";
                return Err(Error::InvalidInput { reason: reason.into() });
            }
            let (mut tuning, start) = (session.tuning(), Instant::now());
            let now = || start.elapsed().as_secs_f64() * 1e3;
            while session.tune(&mut tuning, &now, &Unhurried).await? {}
            let mut csv = "tokens,past,before_ms,after_ms,changed\n".to_string();
            for Gain { text: TriedText { tokens, past }, before, after, changed } in tuning.gains() {
                let _ = writeln!(csv, "{tokens},{past},{before:.4},{after:.4},{changed}"); // a String takes every write
            }
            let text = format!("{}\n", tuning.forms());
            file.write(|file| file.write_all(text.as_bytes()))?;
            print(&csv)
        })
    }
}
