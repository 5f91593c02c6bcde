import type { BackendChoice } from '../engine/protocol'
import type { Choice, Room } from './choice'
import { examples } from './examples'
import { integer, oneOf, optional, real, text, type Field } from './fields'

const [first] = examples

/** Texts up to this length fit into a link. */
export const longestLinkedText = 12_000

export const ranges = {
  headSize: { least: 2, most: 512, step: 2 },
  base: { least: 1.0001, most: 1e8 },
  maxDistance: { least: 8, most: 8192 },
  temperature: { least: 0, most: 2 },
  topK: { least: 1, most: 64 },
  topP: { least: 0.05, most: 1 },
  minP: { least: 0, most: 0.5 },
  repetitionPenalty: { least: 1, most: 2 },
  seed: { least: 0, most: 999_999 },
  maxNewTokens: { least: 1, most: 512 },
} as const

/** Every value of the state: its name in the link, its default and its range. A model may be smaller: see `clampChoice`. */
export const fields: { readonly [Key in keyof Choice]: Field<Choice[Key]> } = {
  room: oneOf<Room>('room', 'explorer', ['explorer', 'laboratory', 'models', 'about']),
  text: text('text', first.text, longestLinkedText),
  layer: integer('layer', first.layer, 0, 9999),
  head: integer('head', first.head, 0, 9999),
  query: integer('query', first.query, 0, 1_000_000),
  key: integer('key', first.key, 0, 1_000_000),
  pair: optional(integer('pair', 0, 0, 100_000), null),
  backend: oneOf<BackendChoice>('backend', 'auto', ['auto', 'gpu', 'cpu']),
  headSize: integer('headSize', 64, ranges.headSize.least, ranges.headSize.most, ranges.headSize.step),
  base: real('base', 10_000, ranges.base.least, ranges.base.most),
  maxDistance: integer('maxDistance', 256, ranges.maxDistance.least, ranges.maxDistance.most),
  temperature: real('temperature', 0.8, ranges.temperature.least, ranges.temperature.most),
  topK: integer('topK', 40, ranges.topK.least, ranges.topK.most),
  topP: real('topP', 0.95, ranges.topP.least, ranges.topP.most),
  minP: real('minP', 0, ranges.minP.least, ranges.minP.most),
  repetitionPenalty: real('repetitionPenalty', 1, ranges.repetitionPenalty.least, ranges.repetitionPenalty.most),
  seed: integer('seed', 0, ranges.seed.least, ranges.seed.most),
  maxNewTokens: integer('maxNewTokens', 48, ranges.maxNewTokens.least, ranges.maxNewTokens.most),
}

const keys = Object.keys(fields) as (keyof Choice)[]

/** The state as a fragment, without its '#'. What is as by default is left out, and so is a text too long for a link. */
export function encode(choice: Choice): string {
  const written = new URLSearchParams()
  for (const key of keys) {
    if (key !== 'text' || choice.text.length <= longestLinkedText) writeField(key, choice, written)
  }
  return written.toString()
}

/**
 * The state of a fragment, with or without its '#'. What is missing or makes no sense is as by default; numbers out of range are moved
 * into it.
 */
export function decode(fragment: string): Choice {
  const written = new URLSearchParams(fragment.replace(/^#/, ''))
  return Object.fromEntries(keys.map((key) => [key, readField(key, written)])) as unknown as Choice
}

/** Whether a fragment stands for a state: it is empty (everything as by default), or names one of its values. */
export function isState(fragment: string): boolean {
  const written = new URLSearchParams(fragment.replace(/^#/, ''))
  return written.size === 0 || keys.some((key) => written.has(fields[key].name))
}

export const defaults: Readonly<Choice> = decode('')

function writeField<Key extends keyof Choice>(key: Key, choice: Choice, into: URLSearchParams): void {
  const field = fields[key]
  if (choice[key] !== field.default) into.set(field.name, field.write(choice[key]))
}

function readField<Key extends keyof Choice>(key: Key, from: URLSearchParams): Choice[Key] {
  const field = fields[key]
  const written = from.get(field.name)
  const value = written === null ? undefined : field.read(written)
  return value === undefined ? field.default : value
}
