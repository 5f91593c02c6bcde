// One dial per frequency pair: where the query's and the key's hands point, and what is said of a pair.
import { degrees, turns, wavelength } from '../../elements/format'
import type { Action } from '../../elements/keys'
import { words } from '../../words/words'

export interface Dial {
  pair: number
  wavelength: number
  /** mθ_i and nθ_i in radians, counter-clockwise from the right, not reduced to one turn: a hand turns the way it went. */
  query: number
  key: number
  /** Whether the pair completes a turn within the context. */
  completes: boolean
}

export function dials(
  theta: ArrayLike<number>,
  wavelengths: ArrayLike<number>,
  query: number,
  key: number,
  context: number,
): Dial[] {
  return Array.from(theta, (angle, pair) => {
    const length = wavelengths[pair] ?? Infinity
    return { pair, wavelength: length, query: query * angle, key: key * angle, completes: length <= context }
  })
}

/** An SVG path of the arc from the key's hand to the query's, `radius` from the centre; only the part of a turn that is left of it. */
export function arc({ query, key }: Dial, radius: number): string {
  const between = (query - key) % (2 * Math.PI)
  if (Math.abs(between) < 1e-3) return ''
  const at = (angle: number) => `${round(radius * Math.cos(angle))} ${round(-radius * Math.sin(angle))}`
  const large = Math.abs(between) > Math.PI ? 1 : 0
  const sweep = between > 0 ? 0 : 1
  return `M${at(key)}A${radius} ${radius} 0 ${large} ${sweep} ${at(key + between)}`
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

/** The pair in words. */
export function dialWords({ pair, wavelength: length, query, key }: Dial): string {
  return words.rotation.dial({
    pair,
    wavelength: wavelength(length),
    query: turns(query),
    key: turns(key),
    between: degrees(query - key),
  })
}

/** Where a key press moves the chosen pair, with `columns` dials a row; undefined: not such a key; null: none is chosen any more. */
export function movePair(
  pair: number | null,
  action: Action | undefined,
  pairs: number,
  columns: number,
): number | null | undefined {
  const from = pair ?? 0
  const within = (to: number) => (to < 0 || to >= pairs ? from : to)
  const moved: Partial<Record<Action, number | null>> = {
    left: within(from - 1),
    right: within(from + 1),
    up: within(from - columns),
    down: within(from + columns),
    first: 0,
    last: pairs - 1,
    leave: null,
  }
  return action && moved[action]
}

/** How many dials stand in a row of `width` px: as many as fit, then as few as the same number of rows needs, so that no row is left nearly empty. */
export function dialColumns(pairs: number, width: number): number {
  const least = pairs > 48 ? 46 : 56
  const most = Math.max(1, Math.floor(width / least))
  const rows = Math.ceil(pairs / most)
  return Math.max(1, Math.ceil(pairs / Math.max(rows, 1)))
}
