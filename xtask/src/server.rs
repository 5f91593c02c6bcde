//! A static file server for this machine alone: no build tool is needed to look at `dist/`.

use std::fs::File;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use tiny_http::{Header, Method, Request, Response, Server};

/// Ports tried, from the first on, when none was asked for.
const TRIES: u16 = 20;

/// A server that listens but does not answer yet.
pub struct Listening {
    server: Server,
    folder: PathBuf,
    pub port: u16,
}

/// Listens on `port`, or on the first free one from 8080 on.
///
/// # Errors
/// When the port is taken, or none is free.
pub fn listen(folder: PathBuf, port: Option<u16>) -> anyhow::Result<Listening> {
    let first = port.unwrap_or(8080);
    let last = if port.is_some() { first } else { first + TRIES };
    for port in first..=last {
        if let Ok(server) = Server::http((Ipv4Addr::LOCALHOST, port)) {
            let port = server.server_addr().to_ip().map_or(port, |address| address.port());
            return Ok(Listening { server, folder: folder.canonicalize()?, port });
        }
    }
    match port {
        Some(port) => {
            bail!("port {port} is taken: stop what uses it, or choose another one by --port")
        }
        None => bail!("ports {first} to {last} are all taken: choose another one by --port"),
    }
}

impl Listening {
    /// Answers until the process ends.
    ///
    /// # Errors
    /// When the socket breaks.
    pub fn serve(self) -> anyhow::Result<()> {
        std::thread::scope(|threads| {
            // Browsers hold several connections open: a slow download must not hold back the rest.
            let answering: Vec<_> = (0..4).map(|_| threads.spawn(|| self.answer())).collect();
            answering.into_iter().try_for_each(|thread| thread.join().map_err(|_| anyhow!("the server broke"))?)
        })
    }

    fn answer(&self) -> anyhow::Result<()> {
        loop {
            let request = self.server.recv()?;
            // A browser that went away in mid-answer is no fault of the server's.
            let _ = respond(&self.folder, request);
        }
    }
}

fn respond(folder: &Path, request: Request) -> std::io::Result<()> {
    if !matches!(request.method(), Method::Get | Method::Head) {
        return request.respond(Response::from_string("only GET and HEAD").with_status_code(405));
    }
    let found = file(folder, request.url()).and_then(|path| Some((File::open(&path).ok()?, content_type(&path))));
    match found {
        Some((file, content_type)) => {
            // Its length, and not chunks: pages show progress by it.
            let response = Response::from_file(file).with_chunked_threshold(usize::MAX);
            request.respond(
                response
                    .with_header(header("Content-Type", content_type))
                    .with_header(header("Cache-Control", "no-cache")),
            )
        }
        None => request.respond(Response::from_string("not found").with_status_code(404)),
    }
}

/// The file that a URL means, if it lies in the folder.
fn file(folder: &Path, url: &str) -> Option<PathBuf> {
    let path = decoded(url.split(['?', '#']).next()?)?;
    let mut file = folder.to_path_buf();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." || part.contains(['\\', ':', '\0']) {
            return None;
        }
        file.push(part);
    }
    if file.is_dir() {
        file.push("index.html");
    }
    // A symbolic link may lead out of the folder.
    file.canonicalize().ok().filter(|file| file.starts_with(folder) && file.is_file())
}

/// A URL's path without its percent signs.
fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        bytes.push(match byte {
            b'%' => u8::try_from(digit(rest.next())? * 16 + digit(rest.next())?).ok()?,
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

fn content_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("webmanifest") => "application/manifest+json",
        Some("txt" | "md") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn header(name: &str, value: &str) -> Header {
    Header::from_bytes(name, value).expect("both are ASCII")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::path::PathBuf;

    use super::{Listening, decoded, file, listen};

    /// A folder with a page and a WASM file, and a secret beside it.
    fn site(name: &str) -> PathBuf {
        let outer = std::env::temp_dir().join(format!("ropescope-server-{}-{name}", std::process::id()));
        let folder = outer.join("dist");
        fs::create_dir_all(folder.join("assets")).unwrap();
        fs::write(folder.join("index.html"), "<p>page</p>").unwrap();
        fs::write(folder.join("assets/engine one.wasm"), "\0asm").unwrap();
        fs::write(outer.join("secret.txt"), "secret").unwrap();
        folder.canonicalize().unwrap()
    }

    fn get(port: u16, path: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn serving(folder: PathBuf) -> u16 {
        let listening: Listening = listen(folder, Some(0)).unwrap();
        let port = listening.port;
        std::thread::spawn(|| listening.serve());
        port
    }

    #[test]
    fn files_come_with_their_type() {
        let port = serving(site("types"));
        let page = get(port, "/?a=b");
        assert!(page.starts_with("HTTP/1.1 200"), "{page}");
        assert!(page.contains("Content-Type: text/html; charset=utf-8") && page.ends_with("<p>page</p>"), "{page}");
        let engine = get(port, "/assets/engine%20one.wasm");
        assert!(engine.contains("Content-Type: application/wasm"), "{engine}");
        assert!(get(port, "/missing.js").starts_with("HTTP/1.1 404"));
    }

    #[test]
    fn nothing_outside_the_folder_is_served() {
        let folder = site("traversal");
        let port = serving(folder.clone());
        for path in [
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/assets/%2e%2e%2f../../secret.txt",
            "/..%5csecret.txt",
            "//../secret.txt",
        ] {
            let answer = get(port, path);
            assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
        }
        #[cfg(unix)]
        {
            let link = folder.join("link.txt");
            let _ = fs::remove_file(&link);
            std::os::unix::fs::symlink(folder.parent().unwrap().join("secret.txt"), link).unwrap();
            assert_eq!(file(&folder, "/link.txt"), None);
        }
    }

    #[test]
    fn a_taken_port_is_named_or_passed_over() {
        let folder = site("ports");
        let first = listen(folder.clone(), None).unwrap();
        let second = listen(folder.clone(), None).unwrap();
        assert!(second.port > first.port);
        let error = listen(folder, Some(first.port)).err().unwrap().to_string();
        assert!(error.contains(&first.port.to_string()) && error.contains("--port"), "{error}");
    }

    #[test]
    fn broken_percent_signs_are_refused() {
        assert_eq!(decoded("/a%20b").as_deref(), Some("/a b"));
        assert_eq!(decoded("/%zz"), None);
        assert_eq!(decoded("/%4"), None);
        assert_eq!(decoded("/%ff"), None);
    }
}
