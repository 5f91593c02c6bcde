// The built page under a deep path of a server of its own.
import { cp, readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'
import { root } from './explorer'

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
}

/** The built page, with a way to publish another build over it. */
export class Site {
  readonly below = '/some/deep path/'
  #server: Server | undefined
  origin = ''

  /** headers: sent with every file, besides its type. */
  constructor(
    readonly folder: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  async open(): Promise<void> {
    await cp(join(root, 'dist'), this.folder, { recursive: true })
    this.#server = createServer(async (request, response) => {
      const path = decodeURI(new URL(request.url ?? '', 'http://localhost').pathname)
      const file = path.slice(this.below.length) || 'index.html'
      const body = path.startsWith(this.below) ? await readFile(join(this.folder, file)).catch(() => null) : null
      const type = types[extname(file)] ?? 'application/octet-stream'
      response.writeHead(body ? 200 : 404, { ...this.headers, 'content-type': type })
      response.end(body)
    })
    await new Promise<void>((resolve) => this.#server?.listen(0, 'localhost', resolve))
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the server has no port')
    this.origin = `http://localhost:${address.port}`
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise((resolve) => this.#server?.close(resolve))
  }

  get url(): string {
    return new URL(this.below, this.origin).href
  }

  read(file: string): Promise<string> {
    return readFile(join(this.folder, file), 'utf8')
  }

  write(file: string, text: string): Promise<void> {
    return writeFile(join(this.folder, file), text)
  }
}
