// What the view tells besides its picture.
import { decimal } from '../../i18n/numbers'
import type { Headline } from '../sheet.svelte'
import type { NamedTable } from '../../ui/table'
import type { Axes, PointsWords } from './draw'
import { rankOf, statisticOf, type MeasuredHead, type StatisticId } from '../../session/headStatistics'

export const nameOf = ({ layer, head }: { layer: number; head: number }) => `${layer}.${head}`

/** `over`: what it was measured on, in words. */
export function headlineOf(
  heads: readonly MeasuredHead[],
  head: MeasuredHead,
  { x, y }: Axes,
  over: string,
  words: PointsWords,
): Headline {
  const apart = [x, y].some((id) => heads.some(({ numbers }) => numbers[id] !== head.numbers[id]))
  if (!apart) return words.headlineAlike(heads.length, over)
  const standing = (statistic: StatisticId) => ({
    statistic,
    value: head.numbers[statistic] ?? 0,
    unit: statisticOf(statistic).unit,
    ...rankOf(heads, statistic, head),
  })
  return words.headline(nameOf(head), heads.length, standing(y), standing(x), over)
}

export function tableOf(heads: readonly MeasuredHead[], known: readonly StatisticId[], words: PointsWords): NamedTable {
  return {
    name: words.table,
    table: {
      header: [words.head, ...known.map((id) => words.axis(id, statisticOf(id).unit))],
      length: heads.length,
      row: (index) => {
        const head = heads[index]
        return head ? [nameOf(head), ...known.map((id) => head.numbers[id] ?? '')] : []
      },
    },
  }
}

/** A number in a narrow column: its unit stands above. */
export function brief(value: number, id: StatisticId): string {
  const { unit } = statisticOf(id)
  return unit === 'weight' || unit === 'share'
    ? decimal(value, 2)
        .replace('-', '−')
        .replace(/^(−?)0\./, '$1.')
    : decimal(value, 1)
}
