// The digest of a file, computed while its bytes arrive, because files of gigabytes do not fit into memory.
import { sha1 } from '@noble/hashes/legacy'
import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils'
import type { HubFile } from './listing'

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
