import { engineFailure, textOf } from './failure'
import type { Failure } from './protocol'

/** Called after each piece with the bytes so far, and at the end. */
export type OnProgress = (loaded: number, ended: boolean) => void

/** Bytes that are buffered ahead, so that they arrive while the engine starts. */
const readAhead = new ByteLengthQueuingStrategy({ highWaterMark: 16 << 20 })

/** A file's bytes as they arrive. Each is read once. All methods reject with a Failure. */
export class IncomingFile {
  /** Of the file, in bytes; 0: unknown. */
  readonly length: number
  readonly #name: string
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #signal: AbortSignal
  readonly #onProgress: OnProgress
  #loaded = 0
  /** The rest of a piece of which `take` needed the beginning. */
  #surplus: Uint8Array = new Uint8Array()

  constructor(
    stream: ReadableStream<Uint8Array>,
    { name, length, signal, onProgress }: { name: string; length: number; signal: AbortSignal; onProgress: OnProgress },
  ) {
    this.length = length
    this.#name = name
    this.#reader = stream
      .pipeThrough(new TransformStream<Uint8Array, Uint8Array>(undefined, undefined, readAhead))
      .getReader()
    this.#signal = signal
    this.#onProgress = onProgress
    if (signal.aborted) this.close()
    signal.addEventListener('abort', () => this.close())
  }

  /** The next bytes; fewer than `count` only at the end of the file. */
  async take(count: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = []
    let missing = count
    while (missing > 0) {
      const piece = await this.#next()
      if (!piece) break
      pieces.push(piece.subarray(0, missing))
      this.#surplus = piece.subarray(missing)
      missing -= Math.min(missing, piece.length)
    }
    return concatenate(pieces)
  }

  async *rest(): AsyncGenerator<Uint8Array, void, void> {
    for (let piece = await this.#next(); piece; piece = await this.#next()) yield piece
  }

  /** The rest as one piece. */
  async all(): Promise<Uint8Array> {
    const pieces: Uint8Array[] = []
    for await (const piece of this.rest()) pieces.push(piece)
    return concatenate(pieces)
  }

  close(): void {
    void this.#reader.cancel().catch(() => {})
  }

  async #next(): Promise<Uint8Array | undefined> {
    if (this.#surplus.length > 0) {
      const surplus = this.#surplus
      this.#surplus = new Uint8Array()
      return surplus
    }
    try {
      const { value } = await this.#reader.read()
      if (this.#signal.aborted) throw cancelFailure()
      this.#loaded += value?.length ?? 0
      this.#onProgress(this.#loaded, !value)
      return value
    } catch (error) {
      if (this.#signal.aborted) throw cancelFailure()
      throw engineFailure('read-failed', { name: this.#name, reason: textOf(error) }, true)
    }
  }
}

export function cancelFailure(): Failure {
  return engineFailure('cancelled', {}, true)
}

export function concatenate(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces
  if (pieces.length === 1 && first) return first
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
