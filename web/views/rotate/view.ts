// How far rotation turns the key away from the query in every pair, and what each pair adds to the score.
import { angleAt, drawDials, planDials, rotationText, type Dial, type DialsPlan } from '../../charts/dials/dials'
import { explainRequest, reachFor, scoreAt, sweepOfPair, thetaOf } from '../../charts/sweep/model'
import type { ScoreParts } from '../../engine/protocol/mathematics'
import { headName, tokenName } from '../../i18n/format'
import { resource } from '../../session/resource.svelte'
import { namedTable } from '../../ui/table'
import { walkRow } from '../../ui/walk'
import { viewBody } from '../body'
import { runCommand } from '../command'
import { OfRun, type Row, type Target } from '../output'
import type { ParamsOf } from '../view'
import { params } from '.'
import { t, type Facts } from './messages.en'

type Params = ParamsOf<typeof params>

/** Keys this far from the query can be chosen without a link. */
const farthest = 32

export default viewBody(params, {
  messages: t,
  data: (inputs) =>
    resource(inputs.bench.engine, 'explain', () => {
      const { run, cursor, params } = inputs
      const reach = reachFor(Math.max(Math.abs(cursor.query - cursor.key), Math.abs(params.distance ?? 0)))
      const request = run && explainRequest(run, cursor, reach)
      return run && request && { ...request, run, query: cursor.query, key: cursor.key }
    }),
  output({ cursor, params, width, height }, { latest, stale, failure }) {
    if (!latest) return { note: failure?.message ?? t().loading }
    const { run, query, key } = latest.key
    const { is_decoder: causal } = run.model.info
    const own = query - key
    // A causal model has no key ahead of its query.
    const distance = causal ? Math.max(0, params.distance ?? own) : (params.distance ?? own)
    const dials = dialsOf(latest.value, thetaOf(run), cursor.pair)
    if (dials.length === 0) return { note: t().nothing }

    const parts = partsAt(latest.value, distance)
    const partOf = (pair: number) => parts[pair] ?? 0
    const plan = planDials({ x: 0, y: 0, width, height }, dials.length)
    const name = (position: number) => tokenName(run.reading.display[position] ?? '', position)
    const facts = { query: name(query), key: name(key) }
    const select = (index = -1): Target<Params> | undefined => {
      const dial = dials[index]
      return (
        dial && { cursor: { pair: dial.pair }, say: t().pair(dial.pair, angleText(dial, distance), partOf(dial.pair)) }
      )
    }
    const selected = dials.findIndex(({ pair }) => pair === cursor.pair)
    return {
      scene: {
        width,
        height: plan.height,
        marks: [...frame(plan, selected), ...drawDials(plan, { dials, longest: longestOf(dials), distance, partOf })],
      },
      label: t().label(facts.query, facts.key),
      stale,
      above: [controls(distance, own, params.distance !== null, causal)],
      published: OfRun.from(latest.key, {
        headline: t().headline({
          ...facts,
          head: headName(run.head),
          distance,
          isMoved: params.distance !== null && distance !== own,
          pairs: parts.length,
          total: parts.reduce((sum, part) => sum + part, 0),
          main: mainOf(dials, parts, distance),
        }),
        tables: [
          namedTable(t().table, t().columns, dials, (dial) => [
            dial.pair,
            (2 * Math.PI) / dial.theta,
            dial.query,
            dial.key,
            dial.angle,
            distance * dial.theta,
            angleAt(dial, distance),
            partOf(dial.pair),
          ]),
        ],
        command: runCommand(run, ['query_rotated', 'key_rotated']),
      }),
      hit: (x, y) => select(plan.at(x, y)),
      keys(action) {
        if (action === 'leave') return cursor.pair === null ? undefined : { cursor: { pair: null }, say: t().none }
        return select(walkRow(selected, action, dials.length - 1))
      },
    }
  },
})

/** All pairs that rotate, the fastest first. */
export function dialsOf({ hands }: ScoreParts, theta: ArrayLike<number>, selected: number | null): Dial[] {
  return hands
    .map((pair, index): Dial => ({
      ...pair,
      pair: index,
      theta: theta[index] ?? 0,
      selected: index === selected,
    }))
    .filter((dial) => dial.theta > 0)
    .sort((one, other) => other.theta - one.theta)
}

/** The part of each pair with the key at this distance. */
export const partsAt = (explained: ScoreParts, distance: number): number[] =>
  Array.from(explained.parts, (_, pair) => scoreAt(sweepOfPair(explained, pair), distance))

const longestOf = (dials: readonly Dial[]) => Math.max(...dials.flatMap(({ query, key }) => [query, key]))

const angleText = ({ theta }: Dial, distance: number) => rotationText(distance * theta)

/** The pair that rotates and has the largest part; undefined where all parts are 0. */
function mainOf(dials: readonly Dial[], parts: readonly number[], distance: number): Facts['main'] {
  const size = ({ pair }: Dial) => Math.abs(parts[pair] ?? 0)
  const most = dials.reduce((best, dial) => (size(dial) > size(best) ? dial : best))
  return size(most) > 0
    ? { pair: most.pair, rotation: angleText(most, distance), part: parts[most.pair] ?? 0 }
    : undefined
}

/** A frame around the selected dial. */
const frame = ({ middle, radius, width }: DialsPlan, selected: number) => {
  if (selected < 0) return []
  const { x, y } = middle(selected)
  const half = Math.min(width / 2, radius + 12)
  return [
    {
      kind: 'rect',
      x: x - half,
      y: y - radius - 3,
      width: 2 * half,
      height: 2 * radius + 6,
      fill: 'token',
      round: 4,
    } as const,
  ]
}

function controls(distance: number, own: number, isMoved: boolean, causal: boolean): Row<Params> {
  // Keys behind the query stand on the left, as one reads.
  const stops = Array.from({ length: 2 * farthest + 1 }, (_, index) => index - farthest).filter(
    (stop) => !causal || stop <= 0,
  )
  return [
    {
      kind: 'slider',
      label: t().distance,
      value: -distance,
      // A key that is farther away is a stop of its own.
      stops: [...new Set([...stops, -own, -distance])].sort((one, other) => one - other),
      format: (value) => t().at(-value),
      to: (value) => ({ params: { distance: -value === own ? null : -value } }),
    },
    isMoved && { kind: 'button', label: t().putBack, to: { params: { distance: null } } },
  ]
}
