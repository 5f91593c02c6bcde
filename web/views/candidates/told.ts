// The candidates as rows of bars, a headline and a table.
import type { BarRow } from '../../charts/bars'
import { percent } from '../../i18n/format'
import { candidates as said } from '../../i18n/en/views/candidates'
import type { Headline } from '../sheet.svelte'
import type { NamedTable } from '../../ui/table'
import { holding, kept, sums, type Option } from './model'

/** `drawn`: the one that was taken. */
export function rowsOf(options: readonly Option[], drawn: number | undefined): BarRow[] {
  return options.map(({ id, token, before, after }, rank): BarRow => {
    const row = { id, name: token }
    if (after === undefined) {
      const weight = rank === 0 ? { weight: 'strong' as const } : {}
      return { ...row, value: before, numbers: [percent(before)], ...weight }
    }
    const weight = after === 0 ? { weight: 'faint' as const } : id === drawn ? { weight: 'strong' as const } : {}
    return { ...row, value: after, before, numbers: [percent(before), percent(after)], ...weight }
  })
}

/** `place`: "[MASK] 7"; undefined: the next token. */
export function headlineOf(options: readonly Option[], place: string | undefined): Headline | undefined {
  const [best] = options
  if (!best) return undefined
  const remaining = kept(options)
  const mass = sums(options, ({ before }) => before).at(-1) ?? 0
  const half = said.headline.half(holding(options, 0.5), options.length, mass)
  if (place !== undefined || !remaining) {
    return { title: said.headline.gap(place ?? said.next, best.token, best.before), line: half }
  }
  return {
    title: said.headline.next(best.token, best.after ?? 0, remaining.count),
    line: `${half} ${said.headline.kept(remaining.mass)}`,
  }
}

export function tableOf(options: readonly Option[]): NamedTable {
  const before = sums(options, (option) => option.before)
  const drawn = kept(options) !== undefined
  const table = {
    header: drawn ? [...said.columns, said.afterColumn] : said.columns,
    length: options.length,
    row: (index: number) => {
      const option = options[index]
      if (!option) return []
      const row = [index + 1, option.token, option.id, option.before, before[index] ?? 0]
      return drawn ? [...row, option.after ?? 0] : row
    },
  }
  return { name: said.table, table }
}
