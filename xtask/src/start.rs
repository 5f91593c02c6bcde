//! `cargo xtask start`: builds the page and serves it on this machine.

use lexopt::{Arg::Long, ValueExt};

use crate::{build, npm, process, server, wasm};

pub struct Options {
    port: Option<u16>,
    /// Uses Vite's development server: changes in `web/` appear at once.
    watch: bool,
    /// Serves the existing `dist/`.
    no_build: bool,
}

impl Options {
    /// # Errors
    /// When an argument is unknown or a port is not a number.
    pub fn parse(mut arguments: lexopt::Parser) -> anyhow::Result<Options> {
        let mut options = Options { port: None, watch: false, no_build: false };
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("port") => options.port = Some(arguments.value()?.parse()?),
                Long("watch") => options.watch = true,
                Long("no-build") => options.no_build = true,
                other => return Err(other.unexpected().into()),
            }
        }
        Ok(options)
    }
}

/// Builds the page unless it is told not to, and serves it until the process ends.
///
/// # Errors
/// When the build fails or the port is taken.
pub fn run(options: Options) -> anyhow::Result<()> {
    if options.watch {
        npm::install()?;
        wasm::build()?;
        return process::run(&mut npm::development_server(options.port));
    }
    if options.no_build {
        let index = build::dist().join("index.html");
        anyhow::ensure!(index.exists(), "dist/ holds no page yet: leave out --no-build");
    } else {
        build::run()?;
    }
    let listening = server::listen(build::dist(), options.port)?;
    println!("\n  ropescope is at http://localhost:{}/   (Ctrl+C stops it)\n", listening.port);
    listening.serve()
}
