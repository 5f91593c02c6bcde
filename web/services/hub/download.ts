// Downloads a file from the hub into the store, and resumes where a connection or a former visit ended. Its digest is
// computed while its bytes arrive, because files of gigabytes do not fit into memory.
import { failure, isFailure } from '../../engine/protocol/failure'
import { t } from './messages.en'
import { cancelFailure, type HubClient } from './client'
import type { HubFile, Listing } from './listing'
import type { Store } from './store'
import { sha1 } from '@noble/hashes/legacy'
import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils'

/** Bytes of one write, which a crash of the tab can lose. */
export const partBytes = 8 << 20

/** In milliseconds. A part that arrives starts the list again; after the last one the download fails. */
const retryDelays: readonly number[] = [500, 1000, 2000, 4000]

export interface DownloadContext {
  hub: Pick<HubClient, 'file'>
  store: Store
  /** Called with the stored bytes of the file. */
  onBytes: (path: string, bytes: number) => void
  /** Rejects when the signal is aborted. */
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
}

/** Fetches the missing bytes. @throws {Failure} What has arrived stays, unless it is of another file. */
export async function download(listing: Listing, file: HubFile, at: DownloadContext): Promise<void> {
  let bytes = await at.store.size(listing, file.path)
  if (bytes > file.size) bytes = await discard(listing, file, at)
  at.onBytes(file.path, bytes)
  let tries = 0
  let since = bytes
  const digest = new FileDigest(file)
  while (bytes < file.size) {
    await digest
      .continueAt(bytes, () => at.store.open(listing, file.path), at.signal)
      .catch((error: unknown) => {
        throw at.signal.aborted ? cancelFailure() : error
      })
    const { ended, why } = await attempt(listing, file, bytes, digest, at)
    bytes = ended
    if (at.signal.aborted) throw cancelFailure()
    if (why !== undefined && !(isFailure(why) && temporaryCodes.has(why.code))) {
      // The stored bytes are not of the listed file.
      if (isFailure(why) && wrongFileCodes.has(why.code)) await discard(listing, file, at)
      throw why
    }
    if (bytes >= file.size) return
    if (bytes - since >= partBytes) {
      tries = 0
      since = bytes
    }
    const pause = retryDelays[tries++]
    if (pause === undefined)
      throw why ?? failure('hub-interruption', () => t().failures.interruption(file.path, bytes, file.size), true)
    await at.wait(pause, at.signal).catch(() => {
      throw cancelFailure()
    })
  }
}

/** Another try may succeed. */
const temporaryCodes = new Set(['hub-unreachable', 'hub-failed', 'hub-interruption'])
/** The bytes are not of the listed file. */
const wrongFileCodes = new Set(['hub-length', 'hub-digest'])

async function discard(listing: Listing, file: HubFile, { store, onBytes }: DownloadContext): Promise<number> {
  await store.drop(listing, file.path)
  onBytes(file.path, 0)
  return 0
}

/** One request: the stored bytes afterwards, and why it ended early. */
async function attempt(
  listing: Listing,
  file: HubFile,
  from: number,
  digest: FileDigest,
  at: DownloadContext,
): Promise<{ ended: number; why?: unknown }> {
  const pending = new PartWriter(from, (start, bytes) => at.store.append(listing, file.path, start, bytes))
  try {
    const response = await at.hub.file(listing, file.path, from, at.signal)
    let skip = startOf(response, file, from)
    const reader = response.body?.getReader()
    if (!reader) throw failure('hub-interruption', () => t().failures.interruption(file.path, from, file.size), true)
    try {
      for (;;) {
        const { done, value } = await reader.read().catch(() => {
          const { end } = pending
          throw failure('hub-interruption', () => t().failures.interruption(file.path, end, file.size), true)
        })
        if (done) break
        const piece = value.subarray(Math.min(skip, value.length))
        skip -= value.length - piece.length
        if (pending.end + piece.length > file.size) throw wrongLength(file)
        digest.add(piece)
        // Checked before the last write, so that a complete file is a checked one.
        if (pending.end + piece.length === file.size && !digest.matches()) {
          throw failure('hub-digest', () => t().failures.otherDigest(file.path), true)
        }
        await pending.add(piece)
        at.onBytes(file.path, pending.end)
      }
    } finally {
      await reader.cancel().catch(() => {})
    }
    await pending.flush()
    return { ended: pending.end }
  } catch (why) {
    // What has arrived is stored; a failure of that comes first.
    if (!(isFailure(why) && (why.code === 'hub-full' || wrongFileCodes.has(why.code)))) {
      try {
        await pending.flush()
      } catch (full) {
        return { ended: pending.written, why: full }
      }
    }
    return { ended: pending.written, why }
  }
}

/** How many bytes of the response are stored already: none of a partial response, `from` of a full one. */
function startOf(response: Response, file: HubFile, from: number): number {
  if (response.status !== 206) return from
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '')
  // Where the page may not read it, the length shows a wrong file.
  if (!range) return 0
  const [, start, total] = range
  if (Number(start) !== from || (total !== '*' && Number(total) !== file.size)) throw wrongLength(file)
  return 0
}

const wrongLength = ({ path }: HubFile) => failure('hub-length', () => t().failures.otherLength(path), true)

/** Collects bytes, and writes them in parts. */
class PartWriter {
  /** Stored bytes of the file. */
  written: number
  readonly #write: (start: number, bytes: Uint8Array<ArrayBuffer>[]) => Promise<void>
  #pieces: Uint8Array<ArrayBuffer>[] = []
  #bytes = 0

  constructor(from: number, write: (start: number, bytes: Uint8Array<ArrayBuffer>[]) => Promise<void>) {
    this.written = from
    this.#write = write
  }

  /** Bytes of the file that have arrived. */
  get end(): number {
    return this.written + this.#bytes
  }

  async add(piece: Uint8Array<ArrayBuffer>): Promise<void> {
    if (piece.length === 0) return
    this.#pieces.push(piece)
    this.#bytes += piece.length
    if (this.#bytes >= partBytes) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.#bytes === 0) return
    const pieces = this.#pieces
    const bytes = this.#bytes
    this.#pieces = []
    this.#bytes = 0
    await this.#write(this.written, pieces)
    this.written += bytes
  }
}

/** Waits. Rejects when the signal is aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

type Hash = ReturnType<typeof sha256.create | typeof sha1.create>

export class FileDigest {
  readonly #file: HubFile
  /** Undefined where the hub lists no digest. */
  #hash: Hash | undefined
  #bytes = 0

  constructor(file: HubFile) {
    this.#file = file
    this.#hash = hashOf(file)
  }

  add(piece: Uint8Array): void {
    this.#hash?.update(piece)
    this.#bytes += piece.length
  }

  /** Makes this the digest of the file's first `end` bytes; reads them from `stored` unless they were added. */
  async continueAt(end: number, stored: () => Promise<Blob>, signal: AbortSignal): Promise<void> {
    if (!this.#hash || this.#bytes === end) return
    this.#hash = hashOf(this.#file)
    this.#bytes = 0
    const reader = (await stored()).slice(0, end).stream().getReader()
    try {
      for (;;) {
        signal.throwIfAborted()
        const { done, value } = await reader.read()
        if (done) return
        this.add(value)
      }
    } finally {
      await reader.cancel().catch(() => {})
    }
  }

  /** Whether the digest is that of the listing; true where that has none. */
  matches(): boolean {
    const { sha256, blobId } = this.#file
    return !this.#hash || bytesToHex(this.#hash.clone().digest()) === (sha256 ?? blobId)
  }
}

/** SHA-256 of a large file; of a small one git's blob id, the SHA-1 of its length and bytes. */
function hashOf({ sha256: large, blobId, size }: HubFile): Hash | undefined {
  if (large !== undefined) return sha256.create()
  return blobId === undefined ? undefined : sha1.create().update(utf8ToBytes(['blob', `${size}\0`].join(' ')))
}
