//! The file that a command writes: complete under its name, or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf, is_separator};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use tempfile::NamedTempFile;

use crate::error::Error;

/// An output file. It replaces an older one only when it is complete on disk.
#[derive(Debug)]
pub struct OutputFile {
    argument: PathBuf,
    /// The same path with links resolved.
    path: PathBuf,
    /// A device or a pipe, which is written directly.
    is_stream: bool,
}

impl OutputFile {
    /// Checks that the file can be written, before the command computes anything.
    pub fn new(argument: &Path) -> Result<OutputFile, Error> {
        let path = fs::canonicalize(argument).unwrap_or_else(|_| argument.into());
        let mut output = OutputFile { argument: argument.into(), path, is_stream: false };
        let is_folder = || output.failed("is a folder; name a file in it for the output");
        match fs::metadata(&output.path) {
            Ok(data) if data.is_dir() => return Err(is_folder()),
            Ok(data) if !data.is_file() => {
                output.is_stream = true;
                return Ok(output);
            }
            // Opens without truncation: only the permission is checked.
            Ok(_) => {
                let opened = OpenOptions::new().write(true).open(&output.path);
                opened.map_err(|error| output.failed(&format!("cannot be written: {error}")))?;
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if argument.as_os_str().as_encoded_bytes().last().is_some_and(|end| is_separator(char::from(*end))) {
                    return Err(is_folder());
                }
                output.path = end_of_links(argument);
            }
            Err(error) => return Err(output.failed(&format!("cannot be written: {error}"))),
        }
        // The temporary file is removed at once, so an interrupted computation leaves nothing.
        output.temporary()?;
        Ok(output)
    }

    /// Refuses to replace a file that the command reads, under any name or link.
    pub fn is_none_of(&self, inputs: &[PathBuf]) -> Result<(), Error> {
        let own = identity(&self.path).filter(|_| !self.is_stream);
        match inputs.iter().find(|input| own.is_some() && identity(input) == own) {
            Some(input) => {
                let input = input.display();
                Err(self.failed(&format!("is a file that this command reads ({input}); choose another output")))
            }
            None => Ok(()),
        }
    }

    /// Writes what `content` writes, and then replaces the older file. After an error or an interruption the older file remains.
    pub fn write(&self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
        let failed = |error: io::Error| self.failed(&format!("cannot be written: {error}"));
        if self.is_stream {
            let mut file = BufWriter::new(OpenOptions::new().write(true).open(&self.path).map_err(failed)?);
            return content(&mut file).and_then(|()| file.flush()).map_err(failed);
        }
        let interrupted = interruption().map_err(failed)?;
        let temporary = self.temporary()?;
        let mut file = BufWriter::new(Interruptible { file: temporary.as_file(), interrupted: &interrupted });
        content(&mut file).and_then(|()| file.flush()).map_err(failed)?;
        drop(file);
        temporary.as_file().sync_all().map_err(failed)?;
        check(&interrupted).map_err(failed)?;
        temporary.persist(&self.path).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// A temporary file in the same folder, with the permissions of the output. Dropping it removes it.
    fn temporary(&self) -> Result<NamedTempFile, Error> {
        let folder = match self.path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        if !folder.is_dir() {
            return Err(
                self.failed(&format!("the folder {} of this output is not there; make it first", folder.display()))
            );
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".ropescope-").suffix(".part");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary_file = builder.tempfile_in(folder).and_then(|temporary| {
            if let Ok(older) = fs::metadata(&self.path) {
                temporary.as_file().set_permissions(older.permissions())?;
            }
            Ok(temporary)
        });
        temporary_file
            .map_err(|error| self.failed(&format!("no output can be written in {}: {error}", folder.display())))
    }

    fn failed(&self, reason: &str) -> Error {
        Error::Io { path: self.argument.display().to_string(), reason: reason.into() }
    }
}

/// The target of a chain of links to a file that does not exist yet.
fn end_of_links(argument: &Path) -> PathBuf {
    let mut path = argument.to_path_buf();
    while let Ok(target) = fs::read_link(&path) {
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    path
}

/// Identifies a file under any of its names; `None` without a file.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|data| (data.dev(), data.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// A flag that Ctrl-C sets from now on. A second Ctrl-C ends the program.
fn interruption() -> io::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&interrupted))?;
        flag::register(signal, Arc::clone(&interrupted))?;
    }
    Ok(interrupted)
}

fn check(interrupted: &AtomicBool) -> io::Result<()> {
    // ErrorKind::Interrupted would make the caller try again.
    if interrupted.load(Ordering::Relaxed) { Err(io::Error::other("the program was interrupted")) } else { Ok(()) }
}

struct Interruptible<'a> {
    file: &'a File,
    interrupted: &'a AtomicBool,
}

impl Write for Interruptible<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check(self.interrupted)?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use super::*;

    /// An interruption is of the whole process: one test at a time.
    static ALONE: Mutex<()> = Mutex::new(());

    /// A folder with the file `out`, which holds "old".
    fn folder() -> (MutexGuard<'static, ()>, tempfile::TempDir, PathBuf) {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        fs::write(&path, "old").unwrap();
        (alone, folder, path)
    }

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// A write that says these words leaves the older file and nothing else.
    fn fails(content: impl FnOnce(&mut dyn Write) -> io::Result<()>, words: &str) {
        let (_alone, folder, path) = folder();
        let error = OutputFile::new(&path).unwrap().write(content).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"old".to_vec(), vec!["out".to_string()]));
    }

    #[test]
    fn a_write_that_fails_leaves_the_older_file_and_nothing_else() {
        let full = |file: &mut dyn Write| {
            file.write_all(&vec![0; 1 << 20])?;
            Err(io::Error::other("the disk is full"))
        };
        fails(full, "the disk is full");
    }

    #[test]
    fn an_interrupted_write_leaves_the_older_file_and_nothing_else() {
        let interrupted = |file: &mut dyn Write| {
            file.write_all(&vec![0; 1 << 20])?;
            signal_hook::low_level::raise(SIGINT)?;
            file.write_all(&vec![0; 1 << 20])
        };
        fails(interrupted, "interrupted");
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let (_alone, folder, path) = folder();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let link = folder.path().join("link");
        symlink(&path, &link).unwrap();
        OutputFile::new(&link).unwrap().write(|file| file.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(link.is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_nothing_leads_to_the_output_and_a_loop_of_links_is_refused() {
        use std::os::unix::fs::symlink;
        let (_alone, folder, _) = folder();
        let [link, next, end, circle] = ["link", "next", "end", "circle"].map(|name| folder.path().join(name));
        symlink("next", &link).unwrap();
        symlink(&end, &next).unwrap();
        OutputFile::new(&link).unwrap().write(|file| file.write_all(b"new")).unwrap();
        assert!(link.is_symlink() && next.is_symlink());
        assert_eq!(fs::read(&end).unwrap(), b"new");
        symlink("circle", &circle).unwrap();
        assert!(OutputFile::new(&circle).unwrap_err().to_string().contains("cannot be written"));
        assert!(circle.is_symlink());
    }

    #[test]
    fn a_name_that_no_file_can_have_is_refused_before_anything_is_computed() {
        let (_alone, folder, _) = folder();
        let says = |name: &str, words: &str| {
            let error = OutputFile::new(&folder.path().join(name)).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        };
        says("missing/", "is a folder; name a file in it");
        says(&"a".repeat(300), "cannot be written");
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_written_to_and_stay() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let device = Path::new("/dev/null");
        let output = OutputFile::new(device).unwrap();
        output.is_none_of(&[device.into()]).unwrap();
        output.write(|file| file.write_all(b"new")).unwrap();
        assert!(!fs::metadata(device).unwrap().is_file());
    }
}
