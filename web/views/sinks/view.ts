// How much of a head's attention each key receives.
import { drawBars, leastPitch, type BarRow } from '../../charts/bars'
import { percent, tokenName } from '../../i18n/format'
import type { HeadResult } from '../../engine/protocol/protocol'
import { resource } from '../../session/resource.svelte'
import { namedTable } from '../../ui/table'
import { walkRow } from '../../ui/walk'
import { viewBody } from '../body'
import { runCommand } from '../command'
import { OfRun, type Target } from '../output'
import { t } from './messages.en'

export default viewBody(
  {},
  {
    messages: t,
    data: (inputs) =>
      resource(inputs.bench.engine, 'head', () => {
        const { run, cursor } = inputs
        return run && { params: { run: run.result.run, layer: cursor.layer, head: cursor.head }, run }
      }),
    output({ cursor, width, height }, head) {
      const { latest } = head
      if (!latest) return { note: head.failure?.message ?? t().loading }
      const { run, params } = latest.key
      const { display: names, pair } = run.reading
      // Of cross-attention only the source's tokens are keys.
      const keys = pair?.part === 'cross' ? pair.source.length : latest.value.length
      const received = partsReceived(latest.value, keys)
      const most = strongest(received, Math.max(8, Math.floor(height / leastPitch)))
      const rows = most.map((key): BarRow => ({
        id: key,
        name: tokenName(names[key] ?? '', key),
        value: received[key] ?? 0,
        numbers: [percent(received[key] ?? 0)],
        weight: key === cursor.key ? 'strong' : undefined,
      }))
      const select = (row: number | undefined): Target | undefined => {
        const key = most[row ?? -1]
        return key === undefined ? undefined : { cursor: { key }, say: t().moved(names[key] ?? '', received[key] ?? 0) }
      }
      const first = most[0] ?? 0
      return {
        scene: drawBars([{ title: '', rows }], width),
        label: t().label(params.layer, params.head),
        stale: head.stale,
        published: new OfRun(params.run, {
          headline: {
            title: t().headline(names[first] ?? '', received[first] ?? 0),
            line: t().line(received.length, 1 / received.length),
          },
          tables: [namedTable(t().table, t().columns, received, (part, key) => [names[key] ?? '', key, part])],
          command: runCommand(run, ['attentions']),
        }),
        hit: (_, y) => select(Math.floor(y / leastPitch)),
        keys: (action) => select(walkRow(most.indexOf(cursor.key), action, most.length - 1)),
      }
    },
  },
)

/** The column sums of the first `keys` columns of a map, as parts of their sum. */
export function partsReceived(
  { attention, length }: Pick<HeadResult, 'attention' | 'length'>,
  keys: number,
): Float64Array {
  const sums = new Float64Array(keys)
  for (let row = 0; row < attention.length; row += length)
    for (let key = 0; key < keys; key++) sums[key] = (sums[key] ?? 0) + (attention[row + key] ?? 0)
  const all = sums.reduce((sum, one) => sum + one, 0)
  return sums.map((sum) => sum / all)
}

/** The keys with the largest parts, the largest first. */
export const strongest = (parts: Float64Array, count: number): number[] =>
  Array.from(parts.keys())
    .sort((one, other) => (parts[other] ?? 0) - (parts[one] ?? 0))
    .slice(0, count)
