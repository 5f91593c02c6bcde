// The chosen place of the head shown, as it is spoken.
import { weight } from '../i18n/format'
import type { Cursor } from '../viewstate/clamp'
import type { Shown } from '../session/runs.svelte'
import { forbids, headMap, rowOf, valueAt } from '../charts/attention-map/model'
import { rank } from '../charts/attention-map/row'
import type { Words } from '../i18n/words'

/** Empty while another head is shown than the chosen one: its numbers are on their way. */
export function placeSaid({ head, reading, model }: Shown, seen: Cursor, { map: words }: Words): string {
  if (head.layer !== seen.layer || head.head !== seen.head) return ''
  const { query, key } = seen
  const [asking = '', asked = ''] = [reading.shown[query], reading.shown[key]]
  const subject = { mean: 'head', layer: head.layer, head: head.head, count: 1 } as const
  const place = { subject, asking, m: query, asked, n: key }
  const map = headMap({ values: head.attention, names: reading.shown, causal: model.info.is_decoder })
  if (forbids(map, seen)) return words.spoken(place, words.forbidden)
  const row = rowOf(map, query)
  return words.spoken(place, `${weight(valueAt(map, seen))}, ${words.rank(rank(row, key), row.length)}`)
}
