// How much of a head's attention each key receives.
import { drawBars, leastPitch, type BarRow } from '../../charts/bars'
import { sourceOf } from '../../engine/protocol/parts'
import type { HeadResult } from '../../engine/protocol/protocol'
import { percent, tokenName } from '../../i18n/numbers'
import { attentionOf } from '../../session/interventions'
import { resource } from '../../session/resource.svelte'
import { sliced } from '../../ui/slices.svelte'
import { namedTable } from '../../ui/table'
import { walkRow } from '../../ui/walk'
import type { ParamsOf } from '../../viewstate/fields'
import type { Inputs } from '../module'
import { runCommand } from '../command'
import { Output, type Target } from '../output'
import { column, partsOfMap, siteOfCell } from '../sites'
import type { params } from '.'
import { t } from './messages.en'

/** Longer bars are harder to read against their names. */
const widest = 480

type Params = ParamsOf<typeof params>

export { t as messages }

export function data({ bench }: Inputs<Params>) {
  const map = resource(bench.engine, 'head', () => {
    const { run, head } = bench
    return run && { params: { run: run.id, ...head }, run }
  })
  // Of cross-attention only the source's tokens are keys.
  return sliced(map, function* ({ request: { run }, value: map }) {
    return { map, received: yield* partsReceived(map, sourceOf(run.reading.pair) ?? map.length) }
  })
}

type Data = ReturnType<typeof data>

export function output(
  { cursor, params, width, height }: Inputs<Params>,
  { latest, stale, failure }: Data,
): Output<Params> {
  if (!latest) return Output.message(failure?.message ?? t().loading)
  const { request, value } = latest
  const { map, received } = value
  const { run } = request
  const { layer, head } = request.params
  if (attentionOf(run) !== 'softmax') return Output.message(t().linear)

  const names = run.reading.display
  const part = (key: number) => received[key] ?? 0
  const sorted = strongest(received)
  const listed = sorted.slice(0, Math.max(8, Math.floor(height / leastPitch) - 1))
  const first = sorted[0] ?? 0
  const left = sorted.slice(listed.length)
  if (params.order === 'text') listed.sort((one, other) => one - other)
  const rows = listed.map((key): BarRow => ({
    id: key,
    name: tokenName(names[key] ?? '', key),
    value: part(key),
    numbers: [percent(part(key))],
    weight: key === cursor.key ? 'strong' : undefined,
  }))
  const select = (row = -1): Target | undefined => {
    const key = listed[row]
    return key === undefined ? undefined : { cursor: { key }, say: t().moved(names[key] ?? '', part(key)) }
  }
  return Output.of(request.params, {
    scene: drawBars([{ title: '', rows }], Math.min(width, widest)),
    label: t().label(layer, head),
    stale,
    above: [
      [
        {
          kind: 'segmented',
          param: 'order',
          label: t().order,
          options: [
            { value: 'part', text: t().orders.part },
            { value: 'text', text: t().orders.text },
          ],
        },
      ],
    ],
    below: [
      [
        {
          kind: 'text',
          name: 'limits',
          text: t().limits(left.length, part(left[0] ?? 0), run.model.info.is_decoder && !run.reading.pair),
        },
      ],
    ],
    explains: siteOfCell('attentions.N', { ...cursor, layer, head }, run),
    published: {
      headline: {
        title: t().headline({ text: names[first] ?? '', position: first }, part(first)),
        line: t().line(received.length),
      },
      parts: partsOfMap(map, column(first, map.length), run),
      tables: [namedTable(t().table, t().columns, received, (part, key) => [names[key] ?? '', key, part])],
      command: runCommand(run, ['attentions']),
    },
    hit: (_, y) => select(Math.floor(y / leastPitch)),
    onAction: (action) => select(walkRow(listed.indexOf(cursor.key), action, listed.length - 1)),
  })
}

/** The column sums of the first `keys` columns of a map, as parts of their sum. Yields after each row: a long text has millions of cells. */
export function* partsReceived(
  { attention, length }: Pick<HeadResult, 'attention' | 'length'>,
  keys: number,
): Generator<void, Float64Array> {
  const sums = new Float64Array(keys)
  for (let row = 0; row < attention.length; row += length) {
    for (let key = 0; key < keys; key++) sums[key] = (sums[key] ?? 0) + (attention[row + key] ?? 0)
    yield
  }
  const all = sums.reduce((sum, one) => sum + one, 0)
  return sums.map((sum) => sum / all)
}

/** All keys, those with the largest parts first. */
export const strongest = (parts: Float64Array): number[] =>
  Array.from(parts.keys()).sort((one, other) => (parts[other] ?? 0) - (parts[one] ?? 0))
