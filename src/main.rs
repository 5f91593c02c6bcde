//! The command line `ropescope`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ropescope::cli::main()
}
