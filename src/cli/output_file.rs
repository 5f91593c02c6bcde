//! The file that a command writes: complete under its name, or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use tempfile::NamedTempFile;

use crate::error::Error;

/// A file to write, which replaces an older one only once all of it is on the disk.
#[derive(Debug)]
pub struct OutputFile {
    /// As it was given.
    given: PathBuf,
    /// Where links lead to.
    path: PathBuf,
    /// A device or a pipe, which is written to as it is.
    is_stream: bool,
}

impl OutputFile {
    /// Looks, before anything is computed, whether the file can be written.
    ///
    /// # Errors
    /// Its folder is missing, or no file can be made there; it is a folder, or must not be written.
    pub fn new(given: &Path) -> Result<OutputFile, Error> {
        let path = fs::canonicalize(given).unwrap_or_else(|_| given.into());
        let mut output = OutputFile { given: given.into(), path, is_stream: false };
        match fs::metadata(&output.path) {
            Ok(data) if data.is_dir() => return Err(output.failed("is a folder; name a file in it for the output")),
            Ok(data) if !data.is_file() => {
                output.is_stream = true;
                return Ok(output);
            }
            // Opened, but neither emptied nor written.
            Ok(_) => {
                let opened = OpenOptions::new().write(true).open(&output.path);
                opened.map_err(|error| output.failed(&format!("cannot be written: {error}")))?;
            }
            Err(_) => {}
        }
        // Removed at once: nothing is left where the computation is interrupted.
        output.temporary()?;
        Ok(output)
    }

    /// Refuses to replace one of the files that the command reads, whatever name or link leads to it.
    ///
    /// # Errors
    /// The output is one of `inputs`.
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

    /// Writes what `content` writes. Until all of it is there the older file stays; where something fails, or the program is
    /// interrupted, it stays for good.
    ///
    /// # Errors
    /// The disk is full, the program was interrupted, or what else keeps a file from being written.
    pub fn write(&self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
        let failed = |error: io::Error| self.failed(&format!("cannot be written: {error}"));
        if self.is_stream {
            let mut file = BufWriter::new(OpenOptions::new().write(true).open(&self.path).map_err(failed)?);
            return content(&mut file).and_then(|()| file.flush()).map_err(failed);
        }
        let temporary = self.temporary()?;
        let interrupted = interruption().map_err(failed)?;
        let mut file = BufWriter::new(Interruptible { file: temporary.as_file(), interrupted: &interrupted });
        content(&mut file).and_then(|()| file.flush()).map_err(failed)?;
        drop(file);
        temporary.as_file().sync_all().map_err(failed)?;
        check(&interrupted).map_err(failed)?;
        temporary.persist(&self.path).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// A file beside the output with the permissions that the output is to have. It is removed when it is dropped.
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
        let made = builder.tempfile_in(folder).and_then(|temporary| {
            if let Ok(older) = fs::metadata(&self.path) {
                temporary.as_file().set_permissions(older.permissions())?;
            }
            Ok(temporary)
        });
        made.map_err(|error| self.failed(&format!("no output can be written in {}: {error}", folder.display())))
    }

    fn failed(&self, reason: &str) -> Error {
        Error::Io { path: self.given.display().to_string(), reason: reason.into() }
    }
}

/// What tells a file from all others, whatever it is called; `None` where there is none.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|data| (data.dev(), data.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// A flag that Ctrl-C raises from now on instead of ending the program. Pressed twice, it ends the program.
fn interruption() -> io::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&interrupted))?;
        flag::register(signal, Arc::clone(&interrupted))?;
    }
    Ok(interrupted)
}

fn check(interrupted: &AtomicBool) -> io::Result<()> {
    // Not ErrorKind::Interrupted, which says that the call is to be made again.
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

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let (_alone, folder, path) = folder();
        let output = OutputFile::new(&path).unwrap();
        output.write(|file| file.write_all(b"new")).unwrap();
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"new".to_vec(), vec!["out".to_string()]));
    }

    #[test]
    fn a_write_that_fails_leaves_the_older_file_and_nothing_else() {
        let (_alone, folder, path) = folder();
        let output = OutputFile::new(&path).unwrap();
        let error = output.write(|file| {
            file.write_all(&vec![0; 1 << 20])?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(error.unwrap_err().to_string().contains("the disk is full"));
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"old".to_vec(), vec!["out".to_string()]));
    }

    #[test]
    fn an_interrupted_write_leaves_the_older_file_and_nothing_else() {
        let (_alone, folder, path) = folder();
        let output = OutputFile::new(&path).unwrap();
        let error = output.write(|file| {
            file.write_all(&vec![0; 1 << 20])?;
            signal_hook::low_level::raise(SIGINT)?;
            file.write_all(&vec![0; 1 << 20])
        });
        assert!(error.unwrap_err().to_string().contains("interrupted"));
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"old".to_vec(), vec!["out".to_string()]));
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
    fn devices_are_written_to_and_stay() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let device = Path::new("/dev/null");
        let output = OutputFile::new(device).unwrap();
        output.is_none_of(&[device.into()]).unwrap();
        output.write(|file| file.write_all(b"new")).unwrap();
        assert!(!fs::metadata(device).unwrap().is_file());
    }
}
