//! A static file server for this machine alone, so that `dist/` needs no build tool.

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};

use anyhow::bail;
use axum::Router;
use axum::http::{HeaderName, HeaderValue};
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

/// The number of ports that are tried when the command line names none.
const TRIES: u16 = 20;

/// A server that listens but does not answer yet.
pub struct Listening {
    listener: TcpListener,
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
        if let Ok(listener) = TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            listener.set_nonblocking(true)?;
            let port = listener.local_addr()?.port();
            return Ok(Listening { listener, folder, port });
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
        tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            Ok(axum::serve(listener, files(&self.folder)).await?)
        })
    }
}

/// The files of a folder, `index.html` for the folder itself. Browsers must revalidate them, because builds change them. The two other
/// headers make the page cross-origin isolated, which threads need.
fn files(folder: &Path) -> Router {
    let with = |name: &'static str, value| {
        SetResponseHeaderLayer::overriding(HeaderName::from_static(name), HeaderValue::from_static(value))
    };
    Router::new()
        .fallback_service(ServeDir::new(folder))
        .layer(with("cache-control", "no-cache"))
        .layer(with("cross-origin-opener-policy", "same-origin"))
        .layer(with("cross-origin-embedder-policy", "require-corp"))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::path::PathBuf;

    use super::{Listening, listen};

    /// A folder with a page and a WASM file, and a secret file next to it.
    fn site(name: &str) -> PathBuf {
        let outer = std::env::temp_dir().join(format!("ropescope-server-{}-{name}", std::process::id()));
        let folder = outer.join("dist");
        fs::create_dir_all(folder.join("assets")).unwrap();
        fs::write(folder.join("index.html"), "<p>page</p>").unwrap();
        fs::write(folder.join("assets/engine one.wasm"), "\0asm").unwrap();
        fs::write(folder.join("sw.js"), "self").unwrap();
        fs::write(folder.join("manifest.webmanifest"), "{}").unwrap();
        fs::write(outer.join("secret.txt"), "secret").unwrap();
        folder
    }

    fn get(port: u16, path: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.to_lowercase()
    }

    fn serving(folder: PathBuf) -> u16 {
        let listening: Listening = listen(folder, Some(0)).unwrap();
        let port = listening.port;
        std::thread::spawn(|| listening.serve());
        port
    }

    #[test]
    fn files_come_with_their_type_and_length() {
        let port = serving(site("types"));
        let page = get(port, "/?a=b");
        assert!(page.starts_with("http/1.1 200"), "{page}");
        assert!(page.contains("content-type: text/html") && page.ends_with("<p>page</p>"), "{page}");
        assert!(page.contains("cache-control: no-cache"), "{page}");
        // Both isolate the page; workers need the second one too.
        assert!(page.contains("cross-origin-opener-policy: same-origin"), "{page}");
        assert!(page.contains("cross-origin-embedder-policy: require-corp"), "{page}");
        let engine = get(port, "/assets/engine%20one.wasm");
        // Pages show progress by content-length.
        assert!(engine.contains("content-type: application/wasm"), "{engine}");
        assert!(engine.contains("content-length: 4"), "{engine}");
        // Browsers accept a service worker only as a script, and always revalidate it.
        let worker = get(port, "/sw.js");
        assert!(worker.contains("content-type: text/javascript"), "{worker}");
        assert!(worker.contains("cache-control: no-cache"), "{worker}");
        let manifest = get(port, "/manifest.webmanifest");
        assert!(manifest.contains("content-type: application/manifest+json"), "{manifest}");
        assert!(get(port, "/missing.js").starts_with("http/1.1 404"));
    }

    #[test]
    fn connections_that_stay_open_hold_nothing_back() {
        let port = serving(site("connections"));
        // Browsers keep several connections open.
        let mut open: Vec<_> = (0..32).map(|_| TcpStream::connect(("127.0.0.1", port)).unwrap()).collect();
        for stream in &mut open {
            stream.set_read_timeout(Some(std::time::Duration::from_secs(20))).unwrap();
            write!(stream, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        }
        for stream in &mut open {
            let mut start = [0; 12];
            stream.read_exact(&mut start).unwrap();
            assert_eq!(&start, b"HTTP/1.1 200");
        }
    }

    #[test]
    fn nothing_outside_the_folder_is_served() {
        let port = serving(site("traversal"));
        for path in [
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/assets/%2e%2e%2f../../secret.txt",
            "/..%5csecret.txt",
            "//../secret.txt",
        ] {
            let answer = get(port, path);
            assert!(answer.starts_with("http/1.1 40") && !answer.contains("secret"), "{path}: {answer}");
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
}
