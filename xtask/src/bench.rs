//! `cargo xtask bench`: the demo model and a seeded random one, natively and in the browser next to onnxruntime-web; with `peers` a random
//! model of SmolLM2-135M's shape in several weight formats, next to llama.cpp in WASM; with `gpu` the GPU backend by kernel, dispatch,
//! token, length and tap.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use lexopt::Arg::Long;

use crate::{browser, build, npm, process, server, system_packages};

const DEMO_MODEL: &str = "models/roformer-english";
const RANDOM_MODEL: &str = "target/bench/random-6x384";
/// The folder of models of growing sizes.
const GROWING: &str = "target/bench/growing";
/// The folder of the random decoder, 270 MB.
const DECODER: &str = "target/bench/random-135m";
/// The measurements of the GPU backend; `benches/pytorch.py` reads them.
const GPU_RESULTS: &str = "benches/results/gpu.json";
/// Tokens of a prompt, generated tokens, and repetitions.
const GENERATION: [&str; 3] = ["128", "32", "3"];
const FORMATS: [&str; 3] = ["f16", "int8", "int4"];
/// Tokens of a short sentence, and the length that the published comparison uses.
const LENGTHS: [&str; 2] = ["16", "128"];

pub struct Options {
    native: bool,
    browser: bool,
    /// Only time and memory by size, natively.
    growth: bool,
    /// Only the comparison with other runtimes.
    peers: bool,
    /// Only the GPU backend, natively.
    gpu: bool,
    /// Only serves the page of comparisons that `peers` has prepared.
    page: bool,
    /// The folder of an earlier build of the page, which is measured alternately.
    earlier: Option<PathBuf>,
}

impl Options {
    /// # Errors
    /// When an argument is unknown.
    pub fn parse(mut arguments: lexopt::Parser) -> anyhow::Result<Options> {
        let (mut native, mut browser, mut growth, mut peers, mut gpu, mut page, mut earlier) =
            (false, false, false, false, false, false, None);
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("native") => native = true,
                Long("browser") => browser = true,
                Long("growth") => growth = true,
                Long("peers") => peers = true,
                Long("gpu") => gpu = true,
                Long("page") => page = true,
                Long("earlier") => {
                    browser = true;
                    earlier = Some(PathBuf::from(arguments.value()?));
                }
                other => return Err(other.unexpected().into()),
            }
        }
        let all = ![native, browser, growth, peers, gpu, page].contains(&true);
        Ok(Options { native: native || all, browser: browser || all, growth, peers, gpu, page, earlier })
    }
}

/// Prints tables in Markdown. Benchmarks in the browser write series (benches/series.js); `gpu` writes a file that
/// becomes one.
///
/// # Errors
/// When something cannot be built, or measures nothing.
pub fn run(options: Options) -> anyhow::Result<()> {
    if options.page {
        let listening = server::listen(crate::root(), None)?;
        println!("http://localhost:{}/benches/race.html", listening.port);
        return listening.serve();
    }
    system_packages::install()?;
    process::run(native().args(["make-model", RANDOM_MODEL]))?;
    process::run(native().args(["make-decoder", DECODER]))?;
    if options.gpu {
        process::run(native().args(["gpu", DEMO_MODEL, RANDOM_MODEL, DECODER, GPU_RESULTS]))?;
    }
    if options.growth {
        for backend in backends() {
            println!("\nattention against the length, natively, {backend}\n");
            process::run(native().args(["attention", backend]))?;
            println!("\nruns against layers, heads and the batch, natively, {backend}\n");
            process::run(native().args(["growth", backend, GROWING]))?;
        }
    }
    if options.native {
        for model in [DEMO_MODEL, RANDOM_MODEL] {
            println!("\n{model}, natively\n");
            process::run(native().args(["run", model]).args(LENGTHS))?;
        }
        for backend in backends() {
            println!("\nattention against the length, natively, {backend}\n");
            process::run(native().args(["attention", backend]))?;
            println!("\n{DECODER}, natively, {backend}: tokens of a prompt, behind it, and turns: {GENERATION:?}\n");
            process::run(native().args(["formats", DECODER, backend]).args(GENERATION).args(FORMATS))?;
        }
    }
    if options.browser || options.peers {
        build::run()?;
        npm::install_in(&crate::root().join("benches"))?;
    }
    if options.browser {
        in_browser(options.earlier, false)?;
    }
    if options.peers {
        in_browser(None, true)?;
        process::run(npm::node().arg("benches/pictures.js"))?;
    }
    if options.browser || options.peers {
        process::run(npm::node().arg("benches/results.js"))?;
    }
    Ok(())
}

/// llvmpipe takes many minutes: the GPU is measured only where the browser's is real too.
fn backends() -> &'static [&'static str] {
    if std::env::var_os("BENCH_HARDWARE").is_some() { &["cpu", "gpu"] } else { &["cpu"] }
}

fn native() -> std::process::Command {
    let mut command = process::cargo();
    command.args(["run", "--quiet", "--release", "--package", "ropescope-bench", "--"]);
    command
}

fn in_browser(earlier: Option<PathBuf>, peers: bool) -> anyhow::Result<()> {
    let chrome = browser::chrome().context("there is no Chrome or Chromium: CHROME=path names one")?;
    // One server for comparisons, one for the page as visitors get it.
    let repository = server::listen(crate::root(), Some(0))?;
    let page = server::listen(build::dist(), Some(0))?;
    let mut playwright = npm::playwright();
    playwright
        .args(["test", "--config", "benches/playwright.config.ts"])
        .env("CHROME", chrome)
        .env("BENCH_REPOSITORY", format!("http://localhost:{}", repository.port))
        .env("BENCH_PAGE", format!("http://localhost:{}", page.port))
        .env("BENCH_RANDOM_MODEL", RANDOM_MODEL)
        .env("BENCH_DECODER", DECODER);
    if peers {
        playwright.env("BENCH_PEERS", "1");
    }
    let mut servers = vec![repository, page];
    if let Some(folder) = earlier {
        ensure!(folder.join("index.html").exists(), "{} holds no built page", folder.display());
        let earlier = server::listen(folder, Some(0))?;
        playwright.env("BENCH_EARLIER", format!("http://localhost:{}", earlier.port));
        servers.push(earlier);
    }
    for listening in servers {
        std::thread::spawn(move || listening.serve());
    }
    process::run(&mut playwright)
}
