// Below the maps, where there is room: the cells in which A and B differ most.
import type { Mark } from '../../charts/marks'
import type { Place } from '../../charts/attention-map/model'
import type { Layout } from './layout'
import { across } from './maps'
import { t } from './messages.en'
import { weightAt, type ComparePicture } from './picture'

/** The height of a row, and how many are worth reading. */
const pitch = 19
const [least, most] = [2, 12]
/** Px from the top of the reading to the first row: the selected cell's numbers and the title are between. */
const listTop = 78

/** The cells found before, by the values of A − B. */
const cellsOf = new WeakMap<Float32Array, readonly Place[]>()

/** The cells with the largest differences, the largest first. */
export function mostDifferent(values: Float32Array, length: number): readonly Place[] {
  const before = cellsOf.get(values)
  if (before) return before
  const size = (at: number) => Math.abs(values[at] ?? 0)
  const found: number[] = []
  for (let at = 0; at < values.length; at++) {
    // NaN is no difference: one of the two has no such token.
    if (!(size(at) > 0) || (found.length === most && size(at) <= size(found[most - 1] ?? 0))) continue
    const rank = found.findIndex((other) => size(other) < size(at))
    found.splice(rank < 0 ? found.length : rank, 0, at)
    found.length = Math.min(found.length, most)
  }
  const cells = found.map((at) => ({ query: Math.floor(at / length), key: at % length }))
  cellsOf.set(values, cells)
  return cells
}

/** The cells that are listed, and the top of the first. */
function listed(
  { reading, height }: Layout,
  { maps, alignment }: ComparePicture,
): { cells: readonly Place[]; top: number } {
  const top = reading.y + listTop
  const rows = Math.min(most, Math.floor((height - top) / pitch))
  const hasRoom = reading.column !== undefined && alignment.compared !== 'none' && rows >= least
  return { cells: hasRoom ? mostDifferent(maps[2].values, maps[2].length).slice(0, rows) : [], top }
}

export function drawDifferences(layout: Layout, picture: ComparePicture): Mark[] {
  const { cells, top } = listed(layout, picture)
  const { x, column = 0 } = layout.reading
  const { maps, tokens, alignment } = picture
  if (cells.length === 0) return []
  const number = { kind: 'text', face: 'mono', size: 12, tone: 'ink' } as const
  const name = (position: number) => t().token(tokens[0][position] ?? '', position)
  return [
    { kind: 'text', x, y: top - 12, text: t().mostDifferent, tone: 'ink', face: 'serif', bold: true, size: 13 },
    ...cells.flatMap((cell, row): Mark[] => {
      const y = top + (row + 0.5) * pitch + 4
      const [a, b] = [weightAt(maps[0], cell), weightAt(maps[1], across(cell, alignment.toB))]
      const difference = weightAt(maps[2], cell) ?? 0
      const tone = difference < 0 ? 'negative' : 'positive'
      const room = column - 14
      return [
        { ...number, x, y, text: t().weight(a ?? 0) },
        { ...number, x: x + 48, y, text: `${name(cell.query)} → ${name(cell.key)}`, tone: 'quiet', room: room - 48 },
        { ...number, x: x + column, y, text: t().weight(b ?? 0) },
        { ...number, x: x + 2 * column, y, text: t().signed(difference), bold: true, tone },
        {
          kind: 'rect',
          x: x + 2 * column + 56,
          y: y - 8,
          // Weights of linear attention have no bound.
          width: Math.min(1, Math.abs(difference)) * (room - 56),
          height: 8,
          fill: tone,
        },
      ]
    }),
  ]
}

/** The listed cell at a place of the picture. */
export function differenceAt(x: number, y: number, layout: Layout, picture: ComparePicture): Place | undefined {
  const { cells, top } = listed(layout, picture)
  return x >= layout.reading.x && y >= top ? cells[Math.floor((y - top) / pitch)] : undefined
}
