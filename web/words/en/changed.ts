// What is changed in the model, in words that fit into a sentence.
import { integer, plural } from '../numbers'

interface Head {
  layer: number
  head: number
}

interface Muted {
  layer: number | null
  head: number | null
  pairs: readonly number[]
}

export const headName = ({ layer, head }: Head) => `${layer}.${head}`

/** "a", "a and b", "a, b and c". */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}

/** So many heads are named; more are counted. */
const mostNamed = 3

/** "head 2.6", "layer 2", "heads 2.6 and 1.1", "7 heads". `heads`: how many a layer has. */
export function headsNamed(off: readonly Head[], heads: number): string {
  const [first] = off
  if (first && heads > 1 && off.length === heads && off.every(({ layer }) => layer === first.layer)) {
    return `layer ${first.layer}`
  }
  if (off.length > mostNamed) return `${integer(off.length)} heads`
  return `${plural(off.length, 'head', 'heads')} ${listed(off.map(headName))}`
}

function pairsNamed(muted: readonly Muted[]): string {
  const [only] = muted
  const where = ({ layer, head }: Muted) =>
    layer === null ? 'all heads' : head === null ? `layer ${layer}` : `head ${layer}.${head}`
  if (!only || muted.length > 1) return 'pairs of several heads'
  return only.pairs.length > mostNamed
    ? `${integer(only.pairs.length)} pairs of ${where(only)}`
    : `${plural(only.pairs.length, 'pair', 'pairs')} ${listed(only.pairs.map(String))} of ${where(only)}`
}

interface Change {
  offset: number
  stop: readonly Muted[]
  cut: readonly Muted[]
  off: readonly Head[]
}

/** "without head 2.6, shifted by 10,000 positions"; empty where nothing is changed. */
export function changed({ offset, stop, cut, off }: Change, heads: number): string {
  return [
    ...(off.length > 0 ? [`without ${headsNamed(off, heads)}`] : []),
    ...(stop.length > 0 ? [`with ${pairsNamed(stop)} stopped`] : []),
    ...(cut.length > 0 ? [`with ${pairsNamed(cut)} cut out`] : []),
    ...(offset > 0 ? [`shifted by ${integer(offset)} ${plural(offset, 'position', 'positions')}`] : []),
  ].join(', ')
}

/** With a capital at its beginning. */
export const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

export const change = { of: changed, heads: headsNamed, head: headName }
