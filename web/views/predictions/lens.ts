// What the output head would say at every layer (the logit lens): rows of bars, a sentence and a table.
import { predictions } from '../../i18n/en/views/predictions'
import type { BarGroup } from '../../charts/bars'
import { percent } from '../../i18n/format'
import type { LensResult } from '../../engine/protocol/protocol'
import type { NamedTable } from '../../ui/table'

const said = predictions.lens

/** So many fills of a layer are asked for. */
export const lensFills = 3

/** The best fills of one layer's hidden states, best first. */
export type LensLayer = readonly { id: number; token: string; probability: number }[]

/** The layers of a lens on one row, the embeddings first. */
export function lensLayers(
  { layers, topIds, topProbabilities }: LensResult,
  token: (id: number) => string,
): LensLayer[] {
  const count = topIds.length / (layers + 1)
  return Array.from({ length: layers + 1 }, (_, layer) =>
    Array.from(topIds.subarray(layer * count, (layer + 1) * count), (id, rank) => ({
      id,
      token: token(id),
      probability: topProbabilities[layer * count + rank] ?? 0,
    })),
  )
}

/** From which of the hidden states on the best fill is that of the last. */
export function settled(layers: readonly LensLayer[]): number {
  const last = layers.at(-1)?.[0]?.id
  return layers.findLastIndex(([best]) => best?.id !== last) + 1
}

/** The mask or next token that the lens looks at: the chosen one, if it is one, else the first. */
export function lensPosition(rows: Uint32Array, chosen: number): number | undefined {
  return rows.includes(chosen) ? chosen : rows[0]
}

/** `place`: "[MASK] 7". */
export function tellLens(
  layers: readonly LensLayer[],
  place: string,
): { group: BarGroup; line: string; table: NamedTable } {
  const last = layers.at(-1)?.[0]
  const since = settled(layers)
  const rows = layers.flatMap(([best, second], layer) => {
    if (!best) return []
    const weight = best.id === last?.id ? { weight: 'strong' as const } : {}
    const numbers = [short(best.token), percent(best.probability), short(second?.token ?? '')]
    return [{ id: layer, name: said.layer(layer), value: best.probability, numbers, ...weight }]
  })
  const before = layers[since - 1]?.[0]
  const line = last ? said.line(place, last.token, since, before?.token) : ''
  const fills = layers.flatMap((fills, layer) => fills.map((fill) => ({ layer, ...fill })))
  const table = {
    header: said.columns,
    length: fills.length,
    row: (index: number) => {
      const fill = fills[index]
      return fill ? [said.layer(fill.layer), fill.token, fill.probability] : []
    },
  }
  return { group: { title: said.title(place), rows }, line, table: { name: said.table, table } }
}

/** Longer tokens take the room of the bars. */
const longest = 12

function short(token: string): string {
  const letters = [...token]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : token
}
