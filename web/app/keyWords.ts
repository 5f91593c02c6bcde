// What the page says of its keys: the keys of each open view, and the selection that a key changed, for screen readers.
import type { Language } from '../i18n/language'
import type { KeyWords } from '../ui/keys'
import type { ModelInfo } from '../engine/protocol/protocol'
import type { Choice, Cursor } from '../viewstate/choice'
import { viewOf, views } from '../views'
import { keyHelpOf, languageOf, servesModel, titleOf } from '../views/view'
import { t } from './messages.en'
import { openOf } from '../pages/explorer/arrangement'
import { weight } from '../i18n/numbers'
import { sourceOf } from '../engine/protocol/parts'
import type { Run } from '../session/runs.svelte'
import { cellOf, forbids, headMap, rank, rowOf, valueAt } from '../charts/attention-map/model'
import { t as mapMessages } from '../charts/attention-map/messages.en'

interface KeyPlace {
  name: string
  language: Language
  keys: KeyWords
}

/** `masks`: whether the model has a mask token. */
export function keyLists(
  { page, open }: Pick<Choice, 'page' | 'open'>,
  model: ModelInfo | undefined,
  masks: boolean,
): KeyPlace[] {
  const { keys } = t()
  const language = t.language()
  const everywhere = { name: keys.everywhere, language, keys: keys.page }
  if (page === 'read') return [everywhere, { name: keys.figures, language, keys: keys.figureKeys }]
  if (page !== 'explorer') return [everywhere]
  const all = views.map(({ id }) => id)
  const opened = openOf(open, all).flatMap((id) => {
    const view = viewOf(id)
    const served = view && (!model || servesModel(view, model))
    const keys = view && keyHelpOf(view)
    return served && keys ? [{ name: titleOf(view), language: languageOf(view), keys }] : []
  })
  return [
    everywhere,
    { name: keys.views, language, keys: keys.viewKeys },
    { name: keys.heads, language, keys: keys.headKeys },
    { name: keys.tokens, language, keys: keys.tokenKeys(masks) },
    { name: keys.grid, language, keys: keys.gridKeys },
    ...opened,
  ]
}

/** The selection in words; empty while the selected head is loading. */
export function announcementOf({ head, reading, model }: Run, cursor: Cursor): string {
  if (head.layer !== cursor.layer || head.head !== cursor.head) return ''
  const { query, key } = cursor
  const subject = { mean: 'head', layer: head.layer, head: head.head, count: 1 } as const
  const place = {
    subject,
    query: reading.display[query] ?? '',
    m: query,
    key: reading.display[key] ?? '',
    n: key,
  }
  const map = headMap({
    values: head.attention,
    names: reading.display,
    causal: model.info.is_decoder,
    source: sourceOf(reading.pair),
  })
  const cell = cellOf(map, cursor)
  if (!cell) return ''
  if (forbids(map, cell)) return mapMessages().spoken(place, mapMessages().forbidden)
  const row = rowOf(map, cell.query)
  return mapMessages().spoken(
    place,
    `${weight(valueAt(map, cell))}, ${mapMessages().rank(rank(row, cell.key), row.length)}`,
  )
}
