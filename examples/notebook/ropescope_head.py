"""A head's attention map under a notebook's cell, by the npm package ropescope. Python's own library is enough."""

import html
import threading
import urllib.parse
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'">
<title>Attention</title>
<script type="module" src="/ropescope/element.js"></script>
<body><rope-attention model="/models/{model}/" {attributes}></rope-attention>
"""


class Head:
    """Layer `layer`, head `head` (counted from 0) of a model's folder, over a text; a notebook shows what this is.

    `package`: the folder of the npm package. Its page is served from this machine, to this machine alone, as long as Python runs.
    """

    def __init__(self, model, text, layer=0, head=0, package="node_modules/ropescope", height=560):
        folder = Path(model).resolve()
        if not (folder / "config.json").is_file():
            raise FileNotFoundError(f"{folder} holds no config.json: give the folder of a model")
        self.height = height
        self.address = _serving(Path(package)).add(folder, {"text": text, "layer": layer, "head": head})

    def _repr_html_(self):
        style = f"width: 100%; height: {int(self.height)}px; border: 0"
        return f'<iframe src="{html.escape(self.address)}" title="Attention" style="{style}"></iframe>'


class _Server(ThreadingHTTPServer):
    """Pages of heads, the package, and the models that were asked for; nothing else of this machine."""

    daemon_threads = True

    def __init__(self, package):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.package, self.models, self.pages = package, [], []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def add(self, folder, attributes):
        if folder not in self.models:
            self.models.append(folder)
        written = " ".join(f'{name}="{html.escape(str(value))}"' for name, value in attributes.items())
        # Its own name is the last part of a model's address.
        model = f"{self.models.index(folder)}/{html.escape(urllib.parse.quote(folder.name))}"
        self.pages.append(PAGE.format(model=model, attributes=written))
        return f"http://127.0.0.1:{self.server_port}/heads/{len(self.pages) - 1}"


class _Handler(SimpleHTTPRequestHandler):
    # Some systems know other types for these.
    extensions_map = {".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json", "": "application/octet-stream"}

    def do_GET(self):
        kind, _, rest = urllib.parse.urlsplit(self.path).path.lstrip("/").partition("/")
        if kind != "heads":
            return super().do_GET()
        if not (rest.isdecimal() and int(rest) < len(self.server.pages)):
            return self.send_error(404)
        page = self.server.pages[int(rest)].encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def translate_path(self, path):
        """The file of an address: of the package or of a model, by its name alone."""
        *folder, name = urllib.parse.unquote(urllib.parse.urlsplit(path).path).strip("/").split("/")
        named = name == Path(name).name != ".."
        if named and folder == ["ropescope"]:
            return str(self.server.package / name)
        if named and folder[:1] == ["models"] and len(folder) == 3 and folder[1].isdecimal():
            model = self.server.models[int(folder[1])] if int(folder[1]) < len(self.server.models) else None
            if model and model.name == folder[2]:
                return str(model / name)
        return str(self.server.package / "no such file")

    def list_directory(self, path):
        self.send_error(404)

    def log_message(self, *_):
        pass


_servers = {}


def _serving(package):
    package = package.resolve()
    if not (package / "element.js").is_file():
        raise FileNotFoundError(f"{package} holds no element.js: install the npm package there, or say where it is (package=…)")
    if package not in _servers:
        _servers[package] = _Server(package)
    return _servers[package]
