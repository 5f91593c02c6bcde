// Which angles a longer text brings: those that the context had shown, and those that are new to the model.
import { contextExtensions } from '../../engine/protocol/mathematics'
import { arc, sector } from '../../charts/arc'
import type { Mark, Scene } from '../../charts/marks'
import type { ReadWords } from '../../i18n/en/read'
import { shownPairs } from '../speeds/model'
import type { Stretched } from './model'

const turn = 2 * Math.PI

export interface Reach {
  pair: number
  /** In radians, at most a turn: within the context as trained, and over the longer text. */
  seen: number
  reached: number
}

/** How far each pair turns; `way`: what is done to it, undefined as trained. The limit to distances is a quarter of the context. */
export function reachesOf(
  theta: Float64Array,
  way: Stretched | undefined,
  { context, factor }: { context: number; factor: number },
): Reach[] {
  const length = way && contextExtensions[way.way] === 'clamp' ? context / 4 : context * factor
  return Array.from(theta.slice(0, -1), (speed, pair) => ({
    pair,
    seen: Math.min(turn, speed * context),
    reached: Math.min(turn, speed * (way?.ratio[pair] ?? 1) * length),
  }))
}

/** Pairs that come to angles that they had not shown. */
export const newAngles = (reaches: readonly Reach[]): number =>
  reaches.filter(({ seen, reached }) => reached > seen * (1 + 1e-9)).length

export function drawDials(
  all: readonly { name: string; reaches: readonly Reach[] }[],
  { width, height }: { width: number; height: number },
  said: ReadWords['figures']['stretch'],
): Scene {
  const band = height / Math.max(all.length, 1)
  const marks: Mark[] = all.flatMap(({ name, reaches }, row): Mark[] => {
    const top = row * band
    const title = said.dials(name, newAngles(reaches))
    const pairs = shownPairs(reaches.length, width < 480 ? 16 : 32)
    const room = Math.max(20, band - 22)
    const most = 56
    /** As large as they can be. */
    const sizeWith = (columns: number) => Math.min(most, width / columns, room / Math.ceil(pairs.length / columns))
    const columns = pairs.reduce((best, _, index) => (sizeWith(index + 1) > sizeWith(best) ? index + 1 : best), 1)
    const size = sizeWith(columns)
    const radius = size / 2 - 4
    const drawn = pairs.flatMap((pair, index): Mark[] => {
      const { seen, reached } = reaches[pair] ?? { seen: 0, reached: 0 }
      const x = (index % columns) * size + size / 2
      const y = top + 22 + Math.floor(index / columns) * size + size / 2
      const whole = turn - 1e-6
      const ring = (from: number, to: number, stroke: 'ink' | 'negative', weight: number): Mark[] => {
        if (to - from < 1e-4) return []
        if (to - from >= whole) return [{ kind: 'circle', x, y, r: radius, stroke, weight }]
        return [{ kind: 'path', d: arc(x, y, radius, from, to), stroke, weight }]
      }
      return [
        { kind: 'circle', x, y, r: radius, stroke: 'rule', weight: 1 },
        seen >= whole
          ? { kind: 'circle', x, y, r: radius - 2, fill: 'token' }
          : { kind: 'path', d: sector(x, y, radius - 2, 0, seen), fill: 'token' },
        ...ring(0, Math.min(seen, reached), 'ink', 1.8),
        ...ring(seen, reached, 'negative', 3),
      ]
    })
    return [{ kind: 'text', x: 0, y: top + 14, text: title, size: 10.5, tone: 'ink', room: width }, ...drawn]
  })
  return { width, height, marks }
}
