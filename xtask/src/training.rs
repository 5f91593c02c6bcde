//! The training code's tests, in a virtual environment of their own.

use std::path::PathBuf;

use crate::process;

/// Makes `.venv` where it is missing, installs `training/requirements.txt` and runs pytest.
///
/// # Errors
/// When Python is missing, a package cannot be fetched, or a test fails.
pub fn test() -> anyhow::Result<()> {
    let environment = crate::root().join(".venv");
    if !environment.exists() {
        process::run(process::command("python3").args(["-m", "venv", ".venv"]))?;
    }
    let python: PathBuf = environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    process::run(process::command(&python).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--requirement",
        "training/requirements.txt",
    ]))?;
    process::run(process::command(&python).args(["-m", "pytest", "training"]))
}
