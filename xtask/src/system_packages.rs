//! System packages of the tests: a Vulkan driver, Chromium, Firefox, WebKit with a virtual screen, Python for the notebook's example, and an
//! emulator of AArch64 with a linker for it.
//! Installed where no password is needed.

use std::fs;
use std::path::Path;

use anyhow::bail;

use crate::{aarch64, browser, process};

/// Mesa's llvmpipe: a Vulkan driver that runs on the CPU.
const VULKAN: &str = "mesa-vulkan-drivers";
const FIREFOX: &str = "firefox-esr";
/// WebKitGTK's MiniBrowser and its WebDriver.
const WEBKIT: &str = "webkit2gtk-driver";
/// A virtual screen, which MiniBrowser needs.
const SCREEN: &str = "xvfb";
const PYTHON: &str = "python3";

/// Installs the packages that are missing, and prints their names.
///
/// # Errors
/// With the line to run, where it cannot be installed from here.
pub fn install() -> anyhow::Result<()> {
    let (distribution, administrator) = (distribution(), administrator());
    let mut missing = Vec::new();
    if cfg!(target_os = "linux") && !has_vulkan_driver() {
        missing.push(VULKAN);
    }
    if browser::chrome().is_none() {
        missing.push(browser::HEADLESS_SHELL);
    }
    if browser::firefox().is_none() {
        missing.push(FIREFOX);
    }
    if !browser::has_webkit() {
        missing.push(WEBKIT);
    }
    if !browser::is_on_path("Xvfb") {
        missing.push(SCREEN);
    }
    if !process::succeeds(process::command(PYTHON).arg("--version")) {
        missing.push(PYTHON);
    }
    if aarch64::can_emulate() {
        missing.extend(aarch64::missing_packages());
    }
    if !missing.is_empty() {
        let list = missing.join(" ");
        if !distribution.has_packages(&missing) {
            bail!(
                "this system has no packages of these names, or not all: {list}. Install a Vulkan driver, Python 3, Chrome or Chromium, \
                 Firefox, WebKitGTK's MiniBrowser with WebKitWebDriver, Xvfb, and on x86-64 qemu-aarch64 and GCC for aarch64-linux-gnu \
                 (CHROME=path, FIREFOX=path and WEBKIT=path name browsers in unusual places)"
            );
        }
        let Some(administrator) = administrator else {
            bail!(
                "the tests need {list}; run: sudo apt-get update && sudo apt-get install --yes --no-install-recommends {list}"
            );
        };
        apt_get_install(administrator, &missing)?;
    }
    if let (Distribution::Debian, Some(administrator)) = (distribution, administrator)
        && !browser::has_preferred_chrome()
        && let Err(error) = apt_get_install(administrator, &[browser::HEADLESS_SHELL])
    {
        println!("The tests run in Chrome, which takes them twice the time: {error}");
    }
    Ok(())
}

fn apt_get_install(administrator: &[&str], packages: &[&str]) -> anyhow::Result<()> {
    println!("The tests need {}: installing by apt-get.", packages.join(" "));
    let apt_get = |arguments: &[&str]| {
        let words = [administrator, &["apt-get"], arguments].concat();
        process::run(process::command(words[0]).args(&words[1..]).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    apt_get(&["update", "--quiet"])?;
    apt_get(&[&["install", "--yes", "--quiet", "--no-install-recommends"], packages].concat())
}

/// Whether a Vulkan loader would find a driver, by the manifests that drivers leave or the environment names.
fn has_vulkan_driver() -> bool {
    let named = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].iter().any(|name| std::env::var_os(name).is_some());
    let folders = ["/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"];
    named || folders.iter().any(|folder| fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()))
}

enum Distribution {
    Debian,
    /// Ubuntu has no `chromium-headless-shell` and no `firefox-esr`; its other packages are Debian's.
    Ubuntu,
    Other,
}

impl Distribution {
    fn has_packages(&self, packages: &[&str]) -> bool {
        match self {
            Distribution::Debian => true,
            Distribution::Ubuntu => !packages.contains(&browser::HEADLESS_SHELL) && !packages.contains(&FIREFOX),
            Distribution::Other => false,
        }
    }
}

fn distribution() -> Distribution {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    match release.lines().find_map(|line| line.strip_prefix("ID=")).map(|id| id.trim_matches('"')) {
        Some("debian") => Distribution::Debian,
        Some("ubuntu") => Distribution::Ubuntu,
        _ => Distribution::Other,
    }
}

/// The prefix of a command that only root may run: nothing for root, else sudo if it needs no password.
fn administrator() -> Option<&'static [&'static str]> {
    let user = process::output(process::command("id").arg("-u")).ok()?;
    if user.trim() == "0" {
        Some(&[])
    } else if Path::new("/usr/bin/sudo").exists() && process::succeeds(process::command("sudo").args(["-n", "true"])) {
        Some(&["sudo", "-n"])
    } else {
        None
    }
}
