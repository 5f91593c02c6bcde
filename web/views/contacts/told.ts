// What the view tells besides its picture.
import { contacts as said } from '../../i18n/en/views/contacts'
import type { Headline } from '../sheet.svelte'
import type { NamedTable } from '../../ui/table'
import { nameOf, type Touching } from './draw'
import { pairsOf } from './model'

export function headlineOf(touching: Touching): Headline {
  const pairs = pairsOf(touching.contacts)
  const [first] = pairs
  if (!first) return { title: said.alone, line: '' }
  const { one, other, probability } = first
  const title = said.headline(nameOf(touching, one), nameOf(touching, other), probability, other - one)
  return { title, line: said.line(pairs.filter((pair) => pair.probability > 0.5).length) }
}

export function tablesOf(touching: Touching): NamedTable[] {
  const { count, numbers } = touching.contacts
  const all = Array.from({ length: count }, (_, residue) => nameOf(touching, residue))
  const pairs = pairsOf(touching.contacts)
  return [
    {
      name: said.tables.contacts,
      table: {
        header: [said.corner, ...all],
        length: count,
        row: (one) => [all[one] ?? '', ...numbers.subarray(one * count, (one + 1) * count)],
      },
    },
    {
      name: said.tables.pairs,
      table: {
        header: said.pairColumns,
        length: pairs.length,
        row: (index) => {
          const pair = pairs[index]
          return pair ? [all[pair.one] ?? '', all[pair.other] ?? '', pair.other - pair.one, pair.probability] : []
        },
      },
    },
  ]
}
