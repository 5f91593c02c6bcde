//! Tests of the kernels for AArch64, on an x86-64 machine with Linux: qemu runs them.

use std::path::Path;

use crate::{browser, process, toolchain};

const TARGET: &str = "aarch64-unknown-linux-gnu";
const EMULATOR: &str = "qemu-aarch64";
const LINKER: &str = "aarch64-linux-gnu-gcc";
/// Where Debian and Ubuntu have the libraries of that system.
const LIBRARIES: &str = "/usr/aarch64-linux-gnu";

/// Whether this machine can emulate AArch64. An AArch64 machine has no need to: there `cargo test` runs these kernels.
pub fn can_emulate() -> bool {
    cfg!(all(target_os = "linux", target_arch = "x86_64"))
}

/// Packages of Debian and Ubuntu that [`check`] needs and this machine lacks.
pub fn missing_packages() -> Vec<&'static str> {
    let packages = [
        (browser::is_on_path(EMULATOR), "qemu-user"),
        (browser::is_on_path(LINKER), "gcc-aarch64-linux-gnu"),
        (Path::new(LIBRARIES).join("lib/crt1.o").exists(), "libc6-dev-arm64-cross"),
    ];
    packages.into_iter().filter(|(is_here, _)| !is_here).map(|(_, package)| package).collect()
}

/// Checks the kernels with clippy, and runs their tests on an emulated processor that has every instruction which kernels look for.
///
/// # Errors
/// When the target cannot be installed, clippy warns, or a test fails.
pub fn check() -> anyhow::Result<()> {
    toolchain::install_target(TARGET)?;
    let variable = |name: &str| format!("CARGO_TARGET_{}_{name}", TARGET.to_uppercase().replace('-', "_"));
    let kernels = ["--package", "ropescope-kernels", "--target", TARGET];
    process::run(process::cargo().arg("clippy").args(kernels).args(["--all-targets", "--", "--deny", "warnings"]))?;
    process::run(
        process::cargo()
            .arg("test")
            .args(kernels)
            .arg("--no-fail-fast")
            .env(variable("LINKER"), LINKER)
            .env(variable("RUNNER"), format!("{EMULATOR} -cpu max -L {LIBRARIES}"))
            .env("EXPECTED_PROCESSOR", "DotProduct")
            // They may be for this machine's processor.
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS"),
    )
}
