//! The commands of README.md and docs/ run as the pages print them, in a folder of their own.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::program::{empty_folder, repository};

/// The Markdown files of a folder and its folders, in order.
fn pages_in(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let mut pages = Vec::new();
    for path in entries {
        if path.is_dir() {
            pages.extend(pages_in(&path));
        } else if path.extension().is_some_and(|ending| ending == "md") {
            pages.push(path);
        }
    }
    pages
}

/// The lines of a page's `sh` blocks that start the program. A backslash at the end of a line continues it.
fn commands_of(page: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut in_block = false;
    for line in page.replace("\\\n", " ").lines().map(str::trim) {
        if line.starts_with("```") {
            in_block = line == "```sh";
        } else if in_block && line.starts_with("ropescope ") {
            commands.push(line.to_string());
        }
    }
    commands
}

/// A word of capitals alone, such as `DIR` or `FILE`, stands for what the reader puts there: such a line cannot run.
fn has_placeholder(command: &str) -> bool {
    command.split_whitespace().any(|word| word.len() > 1 && word.chars().all(|letter| letter.is_ascii_uppercase()))
}

/// `PATH` with the folder of the program first.
fn search_path() -> OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_ropescope"));
    let mut folders = vec![program.parent().unwrap().to_path_buf()];
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    std::env::join_paths(folders).unwrap()
}

#[test]
fn every_command_of_the_pages_runs() {
    let folder = empty_folder("docs");
    symlink(repository("models"), folder.join("models")).unwrap();
    fs::write(folder.join("book.txt"), "The old man opened the door and looked at the boy.\n".repeat(40)).unwrap();
    let path = search_path();
    let mut pages = vec![repository("README.md")];
    pages.extend(pages_in(&repository("docs")));
    let (mut count, mut failures) = (0, Vec::new());
    for page in pages {
        for command in commands_of(&fs::read_to_string(&page).unwrap()) {
            if has_placeholder(&command) {
                continue;
            }
            count += 1;
            let mut shell = Command::new("sh");
            shell.args(["-c", &command]).current_dir(&folder).env("PATH", &path).stdin(Stdio::null());
            let output = shell.output().unwrap();
            if !output.status.success() {
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                failures.push(format!("{}: {command}\n{said}", page.display()));
            }
        }
    }
    assert!(count > 20, "the pages have only {count} commands");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn commands_are_lines_of_shell_blocks() {
    let page = "ropescope a\n```sh\nropescope b \\\n  --c\ncargo d\n\n  ropescope e --model DIR\n```\n```rust\nropescope f\n```\n";
    let commands = commands_of(page);
    assert_eq!(commands, ["ropescope b    --c", "ropescope e --model DIR"]);
    assert_eq!(commands.iter().map(|command| has_placeholder(command)).collect::<Vec<_>>(), [false, true]);
    assert!(!has_placeholder("ropescope fill-mask --text \"A [MASK] sat.\" --taps L2"));
}
