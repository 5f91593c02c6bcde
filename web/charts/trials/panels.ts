// What was measured, as panels and as a table: the time on each backend, and the bytes.
import type { TrialKind } from '../../engine/protocol/protocol'
import { backends, type Point, type Trials } from '../../session/trials.svelte'
import { words } from '../../i18n/words'
import type { NamedTable } from '../../ui/table'
import type { Line, Panel, Stroke } from './draw'

/** Of the heads of an attention that is measured. */
export const headSize = 64

const strokes: readonly Stroke[] = ['strong', 'plain', 'dashed']

/** Of the backends that are not missing, and of the bytes; `bytes`: what they are of. */
export function panelsOf(
  { points, missing }: Pick<Trials, 'points' | 'missing'>,
  kinds: readonly TrialKind[],
  bytes: string,
): Panel[] {
  const said = words.trials
  const lines = (of: readonly Point[], value: (point: Point) => number): Line[] =>
    kinds.flatMap((kind, at) => {
      const line = of.filter(({ what }) => what === kind).map((point) => [point.length, value(point)] as const)
      return line.length === 0 ? [] : [{ label: said.kinds[kind], stroke: strokes[at] ?? 'plain', points: line }]
    })
  const time = (backend: Point['backend']): Panel => ({
    title: said.backends[backend],
    name: said.milliseconds,
    lines: lines(
      points.filter((point) => point.backend === backend),
      ({ milliseconds }) => milliseconds,
    ),
    empty: said.nothing,
  })
  // Both backends hold about the same: the one that came further is drawn.
  const gpu = points.filter(({ backend }) => backend === 'gpu')
  const cpu = points.filter(({ backend }) => backend === 'cpu')
  const held = gpu.length > cpu.length ? gpu : cpu
  const memory = { title: said.memory, name: bytes, lines: lines(held, (point) => point.bytes), empty: said.nothing }
  return [...backends.filter((backend) => !missing.includes(backend)).map(time), memory]
}

export function tableOf(points: readonly Point[], bytes: string): NamedTable {
  const said = words.trials
  return {
    name: said.table,
    table: {
      header: [...said.columns, bytes],
      length: points.length,
      row: (at) => {
        const point = points[at]
        return point
          ? [
              said.backends[point.backend],
              said.kinds[point.what],
              point.length,
              point.headSize,
              point.milliseconds,
              point.bytes,
            ]
          : []
      },
    },
  }
}
