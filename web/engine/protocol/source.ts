import { engineFailure, isFailure, textOf } from './failure'
import {
  chooseFiles,
  configName,
  generationName,
  headsName,
  specialTokensName,
  tokenizerConfigName,
  tokenizerName,
  vocabularyName,
  weightsName,
} from './folder'
import type { ModelSource, TokenizerFiles, Failure } from './protocol'

/** A model's files as they arrive. */
export interface IncomingModel {
  config: Promise<string>
  tokenizer: Promise<TokenizerFiles>
  weights: Promise<IncomingFile>
  /** generation_config.json; undefined where there is none. Never rejects. */
  generation: Promise<string | undefined>
  /** heads.json of training/describe_heads.py; undefined where there is none. Never rejects. */
  describedHeads: Promise<string | undefined>
}

/** `total` 0: unknown before the end. */
export type Progress = (file: string, loaded: number, total: number) => void

interface Folder {
  has(name: string): boolean
  open(name: string, progress: Progress): Promise<IncomingFile>
  /** The weights as one safetensors file; missing where they are one. */
  weights?(progress: Progress): Promise<IncomingFile>
}

/** Starts to read a model. The promises reject with a Failure. */
export function openSource(source: ModelSource, progress: Progress, signal: AbortSignal): IncomingModel {
  const incoming = begin(source, progress, signal)
  // A rejection that nobody awaits must not count as unhandled.
  for (const promise of Object.values(incoming)) (promise as Promise<unknown>).catch(() => {})
  return incoming
}

function begin(source: ModelSource, progress: Progress, signal: AbortSignal): IncomingModel {
  try {
    return readFolder(folderOf(source, signal), progress)
  } catch (error) {
    const rejected = Promise.reject(error)
    const none = Promise.resolve(undefined)
    return { config: rejected, tokenizer: rejected, weights: rejected, generation: none, describedHeads: none }
  }
}

function folderOf(source: ModelSource, signal: AbortSignal): Folder {
  if (source.kind === 'url') return publishedFolder(source, signal)
  if (source.kind === 'hub') return localFolder(source.files, signal)
  return localFolder(
    source.files.map((file) => ({ path: file.webkitRelativePath || file.name, file })),
    signal,
  )
}

function readFolder(folder: Folder, progress: Progress): IncomingModel {
  const text = async (name: string, onProgress = progress) =>
    new TextDecoder().decode(await (await folder.open(name, onProgress)).all())
  const optionalText = async (name: string) =>
    folder.has(name) ? text(name, () => {}).catch(() => undefined) : Promise.resolve(undefined)
  const tokenizer = async (): Promise<TokenizerFiles> => {
    const vocabulary = async () => ({ vocabulary: await text(vocabularyName) })
    const [files, config, specialTokens] = await Promise.all([
      folder.has(tokenizerName)
        ? text(tokenizerName).then(
            (found) => ({ tokenizer: found }),
            // Without a list of the files, vocab.txt is tried; where both are missing, the first failure counts.
            (reason: unknown) =>
              isMissing(reason) ? vocabulary().catch(() => Promise.reject(reason)) : Promise.reject(reason),
          )
        : vocabulary(),
      optionalText(tokenizerConfigName),
      optionalText(specialTokensName),
    ])
    return { ...files, config, specialTokens }
  }
  return {
    config: text(configName),
    tokenizer: tokenizer(),
    weights: folder.weights?.(progress) ?? folder.open(weightsName, progress),
    generation: optionalText(generationName),
    describedHeads: optionalText(headsName),
  }
}

const isMissing = (reason: unknown) => isFailure(reason) && reason.code === 'missing-file'

/** The text of a file of a published model. @throws {Failure} */
export async function readPublished(
  { base }: Extract<ModelSource, { kind: 'url' }>,
  name: string,
  signal: AbortSignal,
): Promise<string> {
  const file = await fetchFile(base, name, () => {}, signal)
  return new TextDecoder().decode(await file.all())
}

function publishedFolder({ base, files }: Extract<ModelSource, { kind: 'url' }>, signal: AbortSignal): Folder {
  return {
    has: (name) => files?.includes(name) ?? true,
    open: (name, progress) => fetchFile(base, name, progress, signal),
  }
}

async function fetchFile(base: string, name: string, progress: Progress, signal: AbortSignal): Promise<IncomingFile> {
  const url = new URL(name, base)
  let response: Response
  try {
    response = await fetch(url, { signal })
  } catch (error) {
    if (signal.aborted) throw cancelFailure()
    throw engineFailure('fetch-failed', { name, reason: textOf(error) }, true)
  }
  // Some servers answer with a page where a file is missing.
  if (response.status === 404 || response.headers.get('content-type')?.startsWith('text/html')) {
    throw engineFailure('missing-file', { name, path: url.pathname }, true)
  }
  if (!response.ok || !response.body) {
    throw engineFailure('fetch-failed', { name, status: response.status }, response.status >= 500)
  }
  // The length of a compressed response is not that of the file.
  const total = response.headers.get('content-encoding') ? 0 : Number(response.headers.get('content-length') ?? 0)
  return incomingFile(response.body, name, total, progress, signal)
}

/** Files of the visitor, or stored ones. @throws {Failure} */
function localFolder(files: readonly { path: string; file: Blob }[], signal: AbortSignal): Folder {
  const byName = chooseFiles(files)
  const open = async (name: string, progress: Progress) => {
    const file = byName.get(name)?.file
    if (!file) throw engineFailure('missing-file', { name })
    return incomingFile(file.stream(), name, file.size, progress, signal)
  }
  return {
    has: (name) => byName.has(name),
    open,
    async weights(progress) {
      if (byName.has(weightsName)) return open(weightsName, progress)
      const { gatherWeights } = await import('./weightFiles')
      const weights = await gatherWeights(new Map(Array.from(byName, ([name, { file }]) => [name, file])))
      return incomingFile(weights.stream(), weightsName, weights.size, progress, signal)
    },
  }
}

/** `length` 0: unknown. */
function incomingFile(
  stream: ReadableStream<Uint8Array>,
  name: string,
  length: number,
  progress: Progress,
  signal: AbortSignal,
): IncomingFile {
  const onProgress = (loaded: number, ended: boolean) => {
    const total = length > 0 ? Math.max(length, loaded) : 0
    progress(name, loaded, ended ? loaded : total)
  }
  return new IncomingFile(stream, { name, length, signal, onProgress })
}

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
