//! Runs other programs. Each command line is printed before it runs, and is in the message when it fails.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

/// `program`, to be run in the repository's root.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(crate::root());
    command
}

/// The cargo that runs this xtask.
pub fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// The folder of cargo's builds: `target`, unless the environment names another.
pub fn target_directory() -> PathBuf {
    let configured = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    crate::root().join(configured.unwrap_or_else(|| "target".into()))
}

/// Runs a command to its end, with its output on the terminal.
///
/// # Errors
/// When it is not installed or ends with another status than 0.
pub fn run(command: &mut Command) -> anyhow::Result<()> {
    let text = text_of(command);
    eprintln!("$ {text}");
    let status = command.status().with_context(|| format!("`{text}` does not start: is it installed?"))?;
    if !status.success() {
        bail!("`{text}` failed ({status})");
    }
    Ok(())
}

/// The text that a command writes to its standard output.
///
/// # Errors
/// When it is not installed or ends with another status than 0.
pub fn output(command: &mut Command) -> anyhow::Result<String> {
    let text = text_of(command);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("`{text}` does not start: is it installed?"))?;
    if !output.status.success() {
        bail!("`{text}` failed ({})", output.status);
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Whether a command is installed and ends with status 0; its output is dropped.
pub fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// As typed in a shell, with the program's file name alone.
fn text_of(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program.file_name().unwrap_or(command.get_program());
    let words = std::iter::once(name).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}
