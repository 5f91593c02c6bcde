//! The command line `ropescope`.

use std::process::ExitCode;

fn main() -> ExitCode {
    quieten_driver();
    ropescope::cli::main()
}

/// Without a desktop session, Mesa's layer that asks the desktop for its GPU would complain on stderr.
#[cfg(target_os = "linux")]
fn quieten_driver() {
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: nothing else of the program has run yet: it has no other thread that could read the environment.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
}

#[cfg(not(target_os = "linux"))]
fn quieten_driver() {}
