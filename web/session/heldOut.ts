// held-out.json: rows of a text that the model has not seen, with masked tokens, as training/held_out.py writes them.
import { failure } from '../engine/protocol/failure'
import type { ModelInfo, ModelSource } from '../engine/protocol/protocol'
import { t } from './messages.en'

export const heldOutName = 'held-out.json'

/** Rows as a masked language model reads them. */
export interface HeldOut {
  /** The text's name. */
  book: string
  rows: number
  /** Tokens of a row, with those of the template. */
  length: number
  /** (rows, length) */
  ids: Uint32Array
  /** (rows, length): the token under each mask; −1: not masked. */
  labels: Int32Array
  /** The number of masked tokens. */
  masked: number
}

/** The script writes no more tokens, and no longer name of a book. */
const mostTokens = 1 << 20
const longestBook = 200

/** Whether a model comes with this file. */
export function hasHeldOut(source: ModelSource, name = heldOutName): source is Extract<ModelSource, { kind: 'url' }> {
  return source.kind === 'url' && source.files?.includes(name) === true
}

/** Reads the file's text, which may come from anywhere. @throws {Failure} */
export function readHeldOut(text: string, model: Pick<ModelInfo, 'vocab_size' | 'max_position_embeddings'>): HeldOut {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    throw unreadable(() => t().heldOut.noJson)
  }
  const [rows, length, bits] = ['rows', 'length', 'bits'].map((name) => integer(file, name))
  if (rows === undefined || length === undefined || rows < 1 || length < 3 || rows * length > mostTokens)
    throw unreadable(() => t().heldOut.noRows)
  if (length > model.max_position_embeddings)
    throw unreadable(() => t().heldOut.tooLong(length, model.max_position_embeddings))
  if (bits === undefined || bits < 1 || bits > 31) throw unreadable(() => t().heldOut.noBits)
  const room = length - 2
  const tokens = unpack(member(file, 'ids'), bits, rows * room)
  const picked = unpack(member(file, 'masked'), 1, rows * room)
  const special = member(file, 'special')
  const [first, last, mask] = ['first', 'last', 'mask'].map((name) => integer(special, name))
  if (!tokens || !picked) throw unreadable(() => t().heldOut.tooShort)
  if (first === undefined || last === undefined || mask === undefined) throw unreadable(() => t().heldOut.noSpecial)
  const ids = new Uint32Array(rows * length)
  const labels = new Int32Array(rows * length).fill(-1)
  let masked = 0
  for (let row = 0; row < rows; row++) {
    ids[row * length] = first
    ids[(row + 1) * length - 1] = last
    for (let at = 0; at < room; at++) {
      const [from, to] = [row * room + at, row * length + at + 1]
      const token = tokens[from] ?? 0
      const hidden = picked[from] === 1
      ids[to] = hidden ? mask : token
      if (!hidden) continue
      labels[to] = token
      masked++
    }
  }
  const known = (id: number) => id < model.vocab_size
  if (!ids.every(known) || !labels.every(known)) throw unreadable(() => t().heldOut.unknownTokens)
  if (masked === 0) throw unreadable(() => t().heldOut.noMasks)
  const book = member(file, 'book')
  return { book: typeof book === 'string' ? book.slice(0, longestBook) : '', rows, length, ids, labels, masked }
}

/** Some rows from `first` on. */
export function rowsOf({ length, ids, labels }: HeldOut, first: number, count: number) {
  const [from, to] = [first * length, (first + count) * length]
  return { ids: ids.slice(from, to), labels: labels.slice(from, to) }
}

const unreadable = (why: () => string) => failure('held-out', () => t().heldOut.unreadable(heldOutName, why()))

/** Numbers of a few bits each, the highest bit first, from base64; undefined where their count is another. */
function unpack(text: unknown, bits: number, count: number): Uint32Array | undefined {
  const bytes = Math.ceil((bits * count) / 8)
  if (typeof text !== 'string' || text.length !== 4 * Math.ceil(bytes / 3)) return undefined
  let packed: string
  try {
    packed = atob(text)
  } catch {
    return undefined
  }
  if (packed.length !== bytes) return undefined
  const numbers = new Uint32Array(count)
  for (let bit = 0; bit < bits * count; bit++) {
    const set = (packed.charCodeAt(bit >> 3) >> (7 - (bit & 7))) & 1
    const at = Math.floor(bit / bits)
    numbers[at] = (numbers[at] ?? 0) * 2 + set
  }
  return numbers
}

function integer(value: unknown, name: string): number | undefined {
  const found = member(value, name)
  return Number.isInteger(found) && (found as number) >= 0 ? (found as number) : undefined
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
