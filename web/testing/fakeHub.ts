// A hub and a disk for tests: the hub answers as huggingface.co does, with ranges, refusals and connections that break.
import { createHash } from 'node:crypto'
import type { Fetch } from '../services/hub/client'
import type { Directory } from '../services/hub/store'

const commit = '0123456789abcdef0123456789abcdef01234567'

/** A fault of the next response for a file. */
type Fault =
  | { endsAt: number }
  | { status: number; headers?: Record<string, string> }
  | 'unreachable'
  | 'no-range'
  /** The file as it is sent is shorter, or longer, than the hub lists. */
  | { length: number }
  /** One byte of the file is sent as another one. */
  | { wrongAt: number }

export class FakeHub {
  readonly commit = commit
  /** Requests so far: path and where they began. */
  readonly requests: { path: string; from: number }[] = []
  readonly faults = new Map<string, Fault[]>()
  info: Record<string, unknown> = {}

  constructor(readonly files: Record<string, Uint8Array<ArrayBuffer>>) {}

  fetch: Fetch = (url, { headers, signal }) => {
    if (signal?.aborted) return Promise.reject(new DOMException('aborted', 'AbortError'))
    const { origin, pathname } = new URL(url)
    if (origin !== 'https://huggingface.co') throw new Error(`asked ${origin}`)
    const range = new Headers(headers).get('range')
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
    const path = decodeURIComponent(pathname)
    this.requests.push({ path, from })
    const file = path.startsWith('/api/') ? 'api' : (path.split('/').at(-1) ?? '')
    const fault = this.faults.get(file)?.shift()
    if (fault === 'unreachable') return Promise.reject(new TypeError('Failed to fetch'))
    if (typeof fault === 'object' && 'status' in fault) return Promise.resolve(new Response('', fault))
    if (file === 'api') return Promise.resolve(Response.json(this.listing()))
    const bytes = this.files[file]
    if (!bytes) return Promise.resolve(new Response('', { status: 404 }))
    return Promise.resolve(answer(bytes, from, fault, signal ?? undefined))
  }

  listing(): Record<string, unknown> {
    const siblings = Object.entries(this.files).map(([rfilename, bytes]) => ({
      rfilename,
      size: bytes.length,
      ...digestsOf(rfilename, bytes),
    }))
    return { sha: commit, gated: false, cardData: { license: 'mit' }, siblings, ...this.info }
  }
}

/** As the hub lists them: weights are large files, all others lie in the git repository. */
export function digestsOf(path: string, bytes: Uint8Array): object {
  const hex = (algorithm: string, ...parts: (string | Uint8Array)[]) => {
    const hash = createHash(algorithm)
    for (const part of parts) hash.update(part)
    return hash.digest('hex')
  }
  const blobId = hex('sha1', `blob ${bytes.length}\0`, bytes)
  if (!path.endsWith('.safetensors')) return { blobId }
  return { blobId: hex('sha1', 'a pointer'), lfs: { sha256: hex('sha256', bytes), size: bytes.length } }
}

function answer(
  bytes: Uint8Array<ArrayBuffer>,
  from: number,
  fault: Fault | undefined,
  signal?: AbortSignal,
): Response {
  const length = typeof fault === 'object' && 'length' in fault ? fault.length : bytes.length
  const sent = new Uint8Array(length).map((_, index) => bytes[index] ?? 0)
  if (typeof fault === 'object' && 'wrongAt' in fault) sent[fault.wrongAt] = 1 ^ (sent[fault.wrongAt] ?? 0)
  const part = from > 0 && fault !== 'no-range'
  if (part && from >= length) return new Response('', { status: 416 })
  const body = part ? sent.subarray(from) : sent
  const end = typeof fault === 'object' && 'endsAt' in fault ? fault.endsAt - (part ? from : 0) : undefined
  let at = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(to) {
      if (signal?.aborted) return to.error(new DOMException('aborted', 'AbortError'))
      if (end !== undefined && at >= end) return to.error(new TypeError('network error'))
      if (at >= body.length) return to.close()
      const piece = body.slice(at, Math.min(at + 4096, end ?? Infinity))
      at += piece.length
      to.enqueue(piece)
    },
  })
  if (!part) return new Response(stream)
  const range = `bytes ${from}-${length - 1}/${length}`
  return new Response(stream, { status: 206, headers: { 'content-range': range } })
}

/** All bytes differ from those of another seed. */
export function bytesOfSeed(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  return new Uint8Array(length).map((_, index) => (index * 31 + (index >> 8) * 7 + seed) & 255)
}

/** A directory of the browser's private file system. */
export class FakeDirectory {
  readonly kind = 'directory'
  readonly entries = new Map<string, FakeDirectory | Blob>()
  /** Free bytes of the disk. */
  readonly disk: { room: number }

  constructor(
    readonly name = '',
    disk: { room: number } = { room: Infinity },
  ) {
    this.disk = disk
  }

  get root(): () => Promise<Directory> {
    return () => Promise.resolve(this as unknown as Directory)
  }

  async getDirectoryHandle(name: string, { create = false } = {}): Promise<FakeDirectory> {
    const found = this.entries.get(name)
    if (found instanceof FakeDirectory) return found
    if (!create) throw new DOMException(name, 'NotFoundError')
    const directory = new FakeDirectory(name, this.disk)
    this.entries.set(name, directory)
    return directory
  }

  async getFileHandle(name: string, { create = false } = {}) {
    if (!this.entries.has(name)) {
      if (!create) throw new DOMException(name, 'NotFoundError')
      this.entries.set(name, new Blob())
    }
    return {
      getFile: async () => new File([this.entries.get(name) as Blob], name),
      createWritable: async () => {
        const pieces: BlobPart[] = []
        return {
          write: async (piece: BlobPart) => void pieces.push(piece),
          close: async () => {
            const written = new Blob(pieces)
            if (written.size > this.disk.room) throw new DOMException('full', 'QuotaExceededError')
            this.disk.room -= written.size
            this.entries.set(name, written)
          },
          abort: async () => {},
        }
      },
    }
  }

  async removeEntry(name: string): Promise<void> {
    if (!this.entries.delete(name)) throw new DOMException(name, 'NotFoundError')
  }

  async *values() {
    for (const [name, entry] of this.entries)
      yield { name, kind: entry instanceof FakeDirectory ? 'directory' : 'file' }
  }
}
