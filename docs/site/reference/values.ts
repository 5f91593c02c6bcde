// What a field of the link takes, found by reading texts with it.
import type { Field } from '../../../web/viewstate/fields'
import { code } from './markdown'

const huge = '9'.repeat(15)
/** Longer than any text that a field takes. */
const long = 'x'.repeat(100_000)

/** In words and Markdown: the values, or the range. */
export function valuesOf(field: Field<unknown>): string {
  const none = field.read('none') === null ? ', or `none`' : ''
  if (field.values) {
    const written = field.values.filter((value) => value !== null).map((value) => field.write(value))
    return `${written.map((value) => code(value) || 'empty').join(', ')}${none}`
  }
  const least = field.read(`-${huge}`)
  if (typeof least === 'number') return `${range(field, least)}${none}`
  const read = field.read(long)
  if (typeof read === 'string') return `a text of at most ${read.length} characters`
  if (field.read('1') === true) return '`1` (yes) or `0` (no)'
  if (Array.isArray(field.read('a'))) return listOf(field)
  if (field.read('2.6') !== undefined) return `a head, as ${code('2.6')}${none}`
  throw new Error(`${field.name}: a kind of field that the page of links does not know`)
}

function range(field: Field<unknown>, least: number): string {
  const most = field.read(huge)
  if (field.read('0.5') !== undefined) return `a number from ${least} to ${String(most)}`
  let step = 1
  while (field.read(String(least + step)) !== least + step) step++
  const steps = step === 1 ? '' : ` in steps of ${step}`
  return `a whole number from ${least} to ${String(most)}${steps}`
}

/** Lists, by an example of two entries that no list before it takes. */
const lists = [
  ['2.6:0-3,7;1.*:4', 'pairs of heads'],
  ['hidden_states.2[4,17]=-0.5;ffn.0[*,3]=1', 'numbers by their sites'],
  ['2.17,1', 'neurons, and layers'],
  ['2.6,1.1', 'heads'],
] as const

function listOf(field: Field<unknown>): string {
  for (const [example, of] of lists) {
    const read = field.read(example)
    if (Array.isArray(read) && read.length === 2 && field.write(read) === example) return `${of}, as ${code(example)}`
  }
  const all = field.read(Array.from({ length: 26 }, (_, at) => String.fromCharCode(97 + at)).join(','))
  return `names with commas between them, at most ${Array.isArray(all) ? all.length : 0}`
}

/** A longer default is not written out. */
const longest = 40

/** The default as the link writes it. */
export function defaultOf(field: Field<unknown>): string {
  if (field.default === null) return '`none`'
  const written = field.write(field.default)
  return written.length > longest ? 'an example' : code(written) || 'empty'
}
