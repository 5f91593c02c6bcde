// heads.json: what each head does on average over held-out text, as training/describe_heads.py measures it.
import type { ModelInfo } from '../engine/protocol/protocol'
import { member, parseJson } from '../engine/protocol/json'
import { t } from './messages.en'

/** What a head can look at, in the page's order; the names are those of heads.json. */
const attentionTargets = ['previous', 'next', 'same', 'repeated', 'special'] as const
type AttentionTarget = (typeof attentionTargets)[number]

/** Means of one head over the query tokens that are not special: attention weights, 0 … 1. */
export type DescribedHead = { layer: number; head: number } & Record<AttentionTarget, number> & Spread

/** Further numbers of a head, which older files lack. */
interface Spread {
  /** In nats. */
  entropy?: number
  /** The mean distance to the keys, in tokens. */
  distance?: number
  /** The weight of the first token, of tokens behind an earlier occurrence of the query's token, and the largest weight. */
  first?: number
  induction?: number
  largest?: number
  /** R and r̄: how similar the queries are before rotation, and how well mean query and mean key predict the scores. */
  concentration?: number
  correlation?: number
}

/** The range of each number. */
const ranges: Readonly<Record<keyof Spread, readonly [least: number, most: number]>> = {
  entropy: [0, Number.MAX_VALUE],
  distance: [0, Number.MAX_VALUE],
  first: [0, 1],
  induction: [0, 1],
  largest: [0, 1],
  concentration: [0, 1],
  correlation: [-1, 1],
}

export interface DescribedHeads {
  /** The text that was read. */
  book: string
  /** One for each head of the model. */
  heads: readonly DescribedHead[]
}

const longestBook = 200

/** Reads the file's text, which may come from anywhere; the problem is a sentence in the language of the page. */
export function readDescribedHeads(
  text: string,
  { num_hidden_layers: layers, num_attention_heads: heads }: ModelInfo,
): DescribedHeads | { problem: () => string } {
  const file = parseJson(text)
  if (file === undefined) return { problem: () => t().describedHeads.noJson }
  const listed = member(file, 'heads')
  const read = Array.isArray(listed) ? listed.slice(0, layers * heads + 1).map(readHead) : []
  const found = read.filter((head) => head !== undefined && head.layer < layers && head.head < heads) as DescribedHead[]
  const different = new Set(found.map(({ layer, head }) => layer * heads + head))
  if (read.length !== layers * heads || different.size !== read.length) {
    return { problem: () => t().describedHeads.others(layers, heads) }
  }
  const book = member(member(file, 'protocol'), 'book')
  return { book: typeof book === 'string' ? book.slice(0, longestBook) : t().describedHeads.book, heads: found }
}

function readHead(entry: unknown): DescribedHead | undefined {
  const layer = member(entry, 'layer')
  const head = member(entry, 'head')
  if (!isPlace(layer) || !isPlace(head)) return undefined
  const weights = attentionTargets.map((kind) => [kind, member(entry, kind)] as const)
  if (!weights.every(([, weight]) => typeof weight === 'number' && weight >= 0 && weight <= 1)) return undefined
  return { layer, head, ...(Object.fromEntries(weights) as Record<AttentionTarget, number>), ...readSpread(entry) }
}

function readSpread(entry: unknown): Spread {
  const known = Object.entries(ranges).flatMap(([name, [least, most]]) => {
    const value = member(entry, name)
    return typeof value === 'number' && value >= least && value <= most ? [[name, value] as const] : []
  })
  return Object.fromEntries(known)
}

function isPlace(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0
}
