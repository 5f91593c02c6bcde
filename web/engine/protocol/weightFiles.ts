// Weights in several files, or in PyTorch's format, as one safetensors file: a header and slices of the files, without a copy.
// The WebAssembly module is large: import this file only for such weights.

import init, { WeightFiles, weightsAmong } from '../../wasm/ropescope_weights.js'
import { engineFailure, isFailure, textOf } from './failure'

/**
 * The weights among these files, by name, as one safetensors file. Reads only the bytes that describe tensors.
 * @throws {Failure}
 */
export async function gatherWeights(files: ReadonlyMap<string, Blob>): Promise<Blob> {
  try {
    await init()
  } catch (error) {
    throw engineFailure('fetch-failed', { reason: textOf(error) }, true)
  }
  const names = [...files.keys()]
  const main = weightsAmong(names)
  if (main === undefined) throw engineFailure('missing-weights', {})
  try {
    return await gather(main, names, [...files.values()])
  } catch (error) {
    if (isFailure(error)) throw error
    throw engineFailure('read-failed', { name: main, reason: textOf(error) }, true)
  }
}

async function gather(main: string, names: string[], blobs: readonly Blob[]): Promise<Blob> {
  const slice = ({ file, start, end }: Span): Blob => blobs[file]?.slice(start, end) ?? new Blob()
  const reader = new WeightFiles(
    main,
    names,
    Float64Array.from(blobs, ({ size }) => size),
  )
  try {
    for (;;) {
      const missing = spans(reader.step())
      if (missing.length === 0) break
      const read = await Promise.all(missing.map((span) => slice(span).arrayBuffer()))
      for (const [index, bytes] of read.entries()) reader.give(index, new Uint8Array(bytes))
    }
    return new Blob([new Uint8Array(reader.header()), ...spans(reader.pieces()).map(slice)])
  } finally {
    reader.free()
  }
}

/** Bytes [start, end) of one of the files. */
interface Span {
  file: number
  start: number
  end: number
}

/** From three numbers a span. */
function spans(flat: Float64Array): Span[] {
  return Array.from({ length: flat.length / 3 }, (_, index) => {
    const [file = 0, start = 0, end = 0] = flat.subarray(3 * index, 3 * index + 3)
    return { file, start, end }
  })
}
