// held-out.json: rows of a text that the model has not seen, with masked tokens, as training/held_out.py writes them;
// and losses of several changes over the same rows, measured a few rows at a time.
import { failure } from '../engine/protocol/failure'
import type { ModelInfo, ModelSource, Loss } from '../engine/protocol/protocol'
import { member, parseJson } from '../engine/protocol/json'
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
  const file = parseJson(text)
  if (file === undefined) throw unreadable(() => t().heldOut.noJson)
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

/** Losses of consecutive steps, which read the same rows for every change. */
export type Steps = readonly Loss[]

/** The mean over the first `count` steps, weighted by their labels; undefined without labels. */
export function meanOf(steps: Steps, count = steps.length): Loss | undefined {
  const used = steps.slice(0, count)
  const labels = used.reduce((sum, step) => sum + step.labels, 0)
  return labels === 0
    ? undefined
    : { mean: used.reduce((sum, { mean, labels }) => sum + (labels === 0 ? 0 : mean * labels), 0) / labels, labels }
}

/** What a change adds to the loss of the baseline, over the rows that both were measured on. */
export interface AddedLoss {
  /** The baseline's loss on these. */
  before: number
  added: number
  /** The standard error of `added`, from the scatter of the steps; undefined of few steps. */
  error: number | undefined
  labels: number
}

export function addedBy(baseline: Steps, changed: Steps): AddedLoss | undefined {
  const count = Math.min(baseline.length, changed.length)
  const [before, after] = [meanOf(baseline, count), meanOf(changed, count)]
  if (!before || !after) return undefined
  const added = after.mean - before.mean
  return { before: before.mean, added, error: errorOf(baseline, changed, added), labels: after.labels }
}

/** Fewer steps say too little of their scatter. */
const leastSteps = 10

/** The standard error of a ratio of sums: of losses to labels, over paired steps. */
function errorOf(baseline: Steps, changed: Steps, added: number): number | undefined {
  const steps = changed.flatMap(({ mean, labels }, step) => {
    const before = baseline[step]
    return before && labels > 0 ? [{ off: mean - before.mean - added, labels }] : []
  })
  const count = steps.length
  if (count < leastSteps) return undefined
  const labels = steps.reduce((sum, step) => sum + step.labels, 0)
  const squares = steps.reduce((sum, step) => sum + (step.labels * step.off) ** 2, 0)
  return Math.sqrt((squares * count) / (count - 1)) / labels
}

/** Steps up to which each change is measured before any goes further. */
const rounds = [2, 10, Infinity]

/**
 * The change that is measured next, and its step; undefined: all are measured.
 *
 * @param limits the number of steps by name of the change, in their order
 */
export function nextStep(
  limits: ReadonlyMap<string, number>,
  measured: (name: string) => number,
): { name: string; step: number } | undefined {
  for (const round of rounds) {
    for (const [name, steps] of limits) {
      const step = measured(name)
      if (step < Math.min(steps, round)) return { name, step }
    }
  }
  return undefined
}

/** Steps of the first round. */
export const firstRound = rounds[0] ?? 0
