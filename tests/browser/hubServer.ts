import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { generate } from 'selfsigned'
import { digestsOf } from '../../web/testing/fakeHub'
import { chromium, withoutGpu } from './chromium'
import { expect, test as base } from './explorer'

/** A fault of the next answer for a file. */
type Mishap =
  | { status: number; headers?: Record<string, string> }
  /** The connection ends after this byte when the test says so; bytes under way may be lost. */
  | { endsAt: number }
  /** The rest is sent when the test says so. */
  | { holdAt: number }
  /** Only so many bytes are sent, and declared as all. */
  | { length: number }
  /** This byte is wrong. */
  | { wrongAt: number }
  /** The download is redirected to another host. */
  | { sentTo: string }

interface HubRequest {
  host: string
  method: string
  path: string
  range: string | undefined
}

const hub = 'huggingface.co'
const downloads = 'us.aws.cdn.hf.co'

/** A server that plays the hub and its host of downloads: the browser resolves both names to it. */
export class HubServer {
  readonly name = 'tests/tiny'
  readonly commit = 'ab'.repeat(20)
  readonly requests: HubRequest[] = []
  files = new Map<string, Buffer>()
  info: Record<string, unknown> = {}
  readonly mishaps = new Map<string, Mishap[]>()
  release: () => void = () => {}
  #server: Server | undefined
  port = 0

  async open(): Promise<void> {
    const { private: key, cert } = await generate([{ name: 'commonName', value: hub }])
    this.#server = createServer({ key, cert }, (request, response) => void this.#answer(request, response))
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the server has no port')
    this.port = address.port
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise((resolve) => this.#server?.close(resolve))
  }

  /** Resets the server before a test. */
  reset(files: Map<string, Buffer>): void {
    this.files = files
    this.info = {}
    this.requests.length = 0
    this.mishaps.clear()
    this.release()
  }

  /** Queues faults for a file, or for the description (`info`), one an answer. */
  spoil(file: string, ...mishaps: Mishap[]): void {
    this.mishaps.set(file, mishaps)
  }

  /** The requested ranges at the host of downloads, in order. */
  get fetched(): (string | undefined)[] {
    return this.requests.filter(({ host }) => host === downloads).map(({ range }) => range)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host = '', range } = request.headers
    const method = request.method ?? ''
    const url = new URL(request.url ?? '', `https://${host}`)
    const path = decodeURIComponent(url.pathname)
    this.requests.push({ host, method, path, range })
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-expose-headers', 'X-Error-Code,Retry-After,Content-Range,ETag')
    // As the hosts of downloads do: preflight requests are refused.
    if (method !== 'GET') return void response.writeHead(403).end()
    const file = path.startsWith('/api/') ? 'info' : (path.split('/').at(-1) ?? '')
    const mishap = this.mishaps.get(file)?.[0]
    // A redirected request gets its fault at the other host.
    const isSentOn = host === hub && file === 'model.safetensors'
    if (!isSentOn || (mishap && ('status' in mishap || 'sentTo' in mishap))) this.mishaps.get(file)?.shift()
    else if (isSentOn) return void response.writeHead(302, { location: `https://${downloads}/xet/${file}?s=1` }).end()
    if (mishap && 'status' in mishap) return void response.writeHead(mishap.status, mishap.headers).end()
    if (mishap && 'sentTo' in mishap) return void response.writeHead(302, { location: mishap.sentTo }).end()
    if (file === 'info') return void response.end(JSON.stringify(this.#listing()))
    const bytes = this.files.get(file)
    if (!bytes) return void response.writeHead(404, { 'x-error-code': 'EntryNotFound' }).end()
    await this.#send(response, bytes, range, mishap)
  }

  #listing(): object {
    const siblings = [...this.files].map(([rfilename, bytes]) => ({
      rfilename,
      size: bytes.length,
      ...digestsOf(rfilename, bytes),
    }))
    return { sha: this.commit, gated: false, cardData: { license: 'mit' }, siblings, ...this.info }
  }

  async #send(response: ServerResponse, file: Buffer, range: string | undefined, mishap?: Mishap): Promise<void> {
    const bytes = mishap && 'length' in mishap ? file.subarray(0, mishap.length) : Buffer.from(file)
    if (mishap && 'wrongAt' in mishap) bytes.writeUInt8(1 ^ bytes.readUInt8(mishap.wrongAt), mishap.wrongAt)
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
    if (range !== undefined && from >= bytes.length) return void response.writeHead(416).end()
    response.writeHead(range === undefined ? 200 : 206, {
      'content-length': bytes.length - from,
      etag: `"${createHash('sha256').update(file).digest('hex')}"`,
      ...(range === undefined ? {} : { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    })
    const end = mishap && ('endsAt' in mishap ? mishap.endsAt : 'holdAt' in mishap ? mishap.holdAt : undefined)
    if (mishap && end !== undefined) {
      const released = new Promise<void>((resolve) => (this.release = resolve))
      response.write(bytes.subarray(from, end))
      await released
      if ('endsAt' in mishap) response.socket?.destroy()
      else response.end(bytes.subarray(end))
      return
    }
    response.end(bytes.subarray(from))
  }
}

/** Tests in a browser that resolves every name but the page's own to this server. */
export const test = base.extend<{ hubOfTest: HubServer }, { hubServer: HubServer }>({
  hubServer: [
    async ({}, use) => {
      const server = new HubServer()
      await server.open()
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    async ({ hubServer }, use) => {
      const rules = `MAP * 127.0.0.1:${hubServer.port},EXCLUDE localhost`
      await use(chromium([...withoutGpu, `--host-resolver-rules=${rules}`]))
    },
    { scope: 'worker' },
  ],
  // The server signs its own certificate.
  ignoreHTTPSErrors: true,
  hubOfTest: async ({ hubServer, explorer }, use) => {
    for (const host of [hub, downloads]) explorer.others.add(`https://${host}`)
    await use(hubServer)
    hubServer.release()
  },
})

export { expect }
