// What the view tells besides its picture.
import { words } from '../../i18n/words'
import type { Headline } from '../sheet.svelte'
import type { NamedTable } from '../../ui/table'
import { panesOf, type Masks } from './draw'

const said = words.masks

export function headlineOf({ masks }: Pick<Masks, 'masks'>): Headline {
  const seen = masks.decoder.reduce((sum, one) => sum + one, 0)
  return { title: said.headline(seen, masks.decoder.length), line: said.line(masks.source, masks.text) }
}

export const tablesOf = (told: Pick<Masks, 'masks' | 'tokens'>): NamedTable[] =>
  panesOf(told).map(({ name, mask, queries, keys }) => ({
    name,
    table: {
      header: [said.corner, ...keys],
      length: queries.length,
      row: (query) => [queries[query] ?? '', ...mask.subarray(query * keys.length, (query + 1) * keys.length)],
    },
  }))
