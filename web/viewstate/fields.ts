import { readNumber, writeNumber, type NumberIntervention } from '../engine/protocol/numberIntervention'
import type { NeuronPlace } from '../engine/protocol/protocol'
import { clamp } from '../engine/protocol/range'
import type { HeadPlace, MutedPairs } from './choice'

/** A value of the state in the link. `read` takes any text: links come from strangers. */
export interface Field<T> {
  /** Its name in the link. */
  name: string
  default: T
  /** All that it can be, where they are few. */
  values?: readonly T[]
  write(value: T): string
  /** The nearest value that is allowed; undefined where there is none. */
  read(written: string): T | undefined
}

/** The fields of a view, by name. */
export type Fields = Readonly<Record<string, Field<unknown>>>

/** The params of any view. */
export type AnyParams = Readonly<Record<string, unknown>>

/** The values of these fields. */
export type ParamsOf<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] extends Field<infer T> ? T : never }

export function text(name: string, fallback: string, longest: number): Field<string> {
  return { name, default: fallback, write: (value) => value, read: (written) => written.slice(0, longest) }
}

/** Yes or no, written as 1 or 0. */
export function flag(name: string, fallback: boolean): Field<boolean> {
  return {
    name,
    default: fallback,
    write: (value) => (value ? '1' : '0'),
    read: (written) => (written === '1' ? true : written === '0' ? false : undefined),
  }
}

/** @param named what the link calls a value that has another name there */
export function oneOf<T extends string>(
  name: string,
  fallback: T,
  values: readonly T[],
  named: Partial<Record<T, string>> = {},
): Field<T> {
  const write = (value: T) => named[value] ?? value
  return { name, default: fallback, values, write, read: (written) => values.find((value) => write(value) === written) }
}

/** Integers from `least` to `most` in steps of `step`. */
export function integer(name: string, fallback: number, least: number, most: number, step = 1): Field<number> {
  return {
    name,
    default: fallback,
    write: String,
    read(written) {
      if (!/^[+-]?\d{1,15}$/.test(written)) return undefined
      const clamped = clamp(Number(written), least, most)
      return least + Math.round((clamped - least) / step) * step
    },
  }
}

export function real(name: string, fallback: number, least: number, most: number): Field<number> {
  return {
    name,
    default: fallback,
    write: String,
    read(written) {
      const value = written.trim() === '' ? Number.NaN : Number(written)
      return Number.isNaN(value) ? undefined : clamp(value, least, most)
    },
  }
}

/** A field that may hold nothing, written as `none`. */
export function optional<T>(field: Field<T>, fallback: T | null): Field<T | null> {
  return {
    name: field.name,
    default: fallback,
    ...(field.values ? { values: [...field.values, null] } : {}),
    write: (value) => (value === null ? 'none' : field.write(value)),
    read: (written) => (written === 'none' ? null : field.read(written)),
  }
}

/** Names from an open list, written with commas; at most `most`, each once. */
export function names(name: string, fallback: readonly string[], most: number): Field<readonly string[]> {
  const pattern = /^[a-z][a-zA-Z-]{0,31}$/
  return {
    name,
    default: fallback,
    write: (value) => value.join(','),
    read: (written) => [...new Set(written.split(',').filter((one) => pattern.test(one)))].slice(0, most),
  }
}

const place = /^(\d{1,4})\.(\d{1,4})$/

/** A head, written as `layer.head`. */
export function headPlace(name: string): Field<HeadPlace> {
  return {
    name,
    default: { layer: 0, head: 0 },
    write: ({ layer, head }) => `${layer}.${head}`,
    read(written) {
      const [, layer, head] = place.exec(written) ?? []
      return layer === undefined || head === undefined ? undefined : { layer: Number(layer), head: Number(head) }
    },
  }
}

/** Heads, as the command line writes them: `2.6,1.1`. */
export function heads(name: string): Field<readonly HeadPlace[]> {
  const one = headPlace(name)
  return {
    name,
    default: [],
    write: (value) => value.map(one.write).join(','),
    read: (written) =>
      written
        .split(',')
        .slice(0, 4096)
        .flatMap((head) => one.read(head) ?? []),
  }
}

/** Neurons, as the command line writes them: `2.17,1` are neuron 17 of layer 2, and all of layer 1. */
export function neurons(name: string): Field<readonly NeuronPlace[]> {
  return {
    name,
    default: [],
    write: (value) => value.map(neuronWritten).join(','),
    read: (written) =>
      written.split(',', 4096).flatMap((entry) => {
        const [, layer, neuron] = /^(\d{1,4})(?:\.(\d{1,6}))?$/.exec(entry) ?? []
        return layer === undefined ? [] : { layer: Number(layer), neuron: neuron === undefined ? null : Number(neuron) }
      }),
  }
}

/** A neuron, or all of a layer: `2.17`, `1`. */
export const neuronWritten = ({ layer, neuron }: NeuronPlace): string =>
  neuron === null ? `${layer}` : `${layer}.${neuron}`

/** Numbers that a link puts in tensors at most. */
const mostNumbers = 256

/** Numbers in tensors, with semicolons between: `hidden_states.2[4,17]=-0.5;ffn.0[*,3]=1`. */
export function numbers(name: string): Field<readonly NumberIntervention[]> {
  return {
    name,
    default: [],
    write: (value) => value.join(';'),
    read: (written) =>
      written.split(';', mostNumbers).flatMap((entry) => {
        const read = readNumber(entry)
        return read ? writeNumber(read) : []
      }),
  }
}

/** More pairs than a head has. */
const mostPairs = 1024
/** Limits of entries in a link, and of pairs in all of them. */
const mostEntries = 1024
const mostMuted = 65_536

/** Frequency pairs of heads, as the command line writes them: `2.6:0-3,7;1.*:4;*.*:15`. */
export function mutedPairs(name: string): Field<readonly MutedPairs[]> {
  const star = (index: number | null) => (index === null ? '*' : String(index))
  return {
    name,
    default: [],
    write: (value) => value.map(({ layer, head, pairs }) => `${star(layer)}.${star(head)}:${spans(pairs)}`).join(';'),
    read(written) {
      const index = (text: string | undefined) => (text === '*' || text === undefined ? null : Number(text))
      const found: MutedPairs[] = []
      let left = mostMuted
      for (const entry of written.split(';', mostEntries)) {
        const [, layer, head, list] = /^(\d{1,4}|\*)\.(\d{1,4}|\*):([\d,-]{1,4000})$/.exec(entry) ?? []
        const { pairs, read } = readSpans(list ?? '', left)
        left -= read
        if (pairs.length > 0) found.push({ layer: index(layer), head: index(head), pairs })
      }
      return found
    },
  }
}

/** 0, 1, 2, 5 as [0, 2], [5, 5]. */
export function spansOf(pairs: readonly number[]): [first: number, last: number][] {
  const spans: [number, number][] = []
  for (const pair of pairs) {
    const last = spans.at(-1)
    if (last && last[1] + 1 === pair) last[1] = pair
    else spans.push([pair, pair])
  }
  return spans
}

/** 0, 1, 2, 5 as `0-2,5`. */
const spans = (pairs: readonly number[]): string =>
  spansOf(pairs)
    .map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
    .join(',')

/** Pairs, ascending, and the number that was read with repetitions, at most `most`. */
function readSpans(written: string, most: number): { pairs: number[]; read: number } {
  const found = new Set<number>()
  let read = 0
  for (const span of written.split(',')) {
    const [, first, last] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(span) ?? []
    if (first === undefined) continue
    const end = Math.min(Number(last ?? first), mostPairs - 1)
    for (let pair = Number(first); pair <= end && read < most; pair++, read++) found.add(pair)
  }
  return { pairs: [...found].sort((one, other) => one - other), read }
}
