// The selection in words, for screen readers.
import { weight } from '../i18n/format'
import { sourceOf } from '../engine/protocol/parts'
import type { Cursor } from '../viewstate/cursor'
import type { Run } from '../session/runs.svelte'
import { cellOf, forbids, headMap, rank, rowOf, valueAt } from '../charts/attention-map/model'
import { t } from '../charts/attention-map/messages.en'

/** Empty while the selected head is loading. */
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
  if (forbids(map, cell)) return t().spoken(place, t().forbidden)
  const row = rowOf(map, cell.query)
  return t().spoken(place, `${weight(valueAt(map, cell))}, ${t().rank(rank(row, cell.key), row.length)}`)
}
