// How far rotation turns the key away from the query in every pair, and what each pair adds to the score.
import {
  angleAt,
  drawDials,
  handsOf,
  longestHand,
  planDials,
  rotationText,
  type Dial,
  type DialsPlan,
} from '../../charts/dials/dials'
import { explainRequest, movedRequest, thetaOf } from '../../charts/sweep/model'
import { headName, tokenName } from '../../i18n/numbers'
import type { Token } from '../../i18n/rich'
import { newest, resource } from '../../session/resource.svelte'
import { namedTable } from '../../ui/table'
import { walkRow } from '../../ui/walk'
import type { Inputs } from '../module'
import { runCommand } from '../command'
import { Output, type PanelRow, type Target } from '../output'
import { siteOfCell } from '../sites'
import type { ParamsOf } from '../../viewstate/fields'
import type { params } from '.'
import { t, type Facts } from './messages.en'

type Params = ParamsOf<typeof params>

/** Keys this far from the query can be chosen without a link. */
const farthest = 32

export { t as messages }

export function data(inputs: Inputs<Params>) {
  const { engine } = inputs.bench
  const explained = resource(engine, 'explain', () => {
    const { run, cursor } = inputs
    const request = run && explainRequest(run, cursor, 0)
    return run && request && { ...request, run, query: cursor.query, key: cursor.key }
  })
  const moved = resource(engine, 'movedParts', () => {
    const { run, cursor, params, bench } = inputs
    if (!run) return undefined
    const distance = bench.walk.distance ?? distanceOf(params, cursor.query - cursor.key, run.model.info.is_decoder)
    const request = movedRequest(run, cursor, distance)
    return request && { ...request, distance }
  })
  const dials = newest(() => {
    const [{ current, latest }, parts] = [explained, moved.latest]
    if (!current || !latest || !moved.current || !parts) return undefined
    return { ...latest.request, hands: current.hands, parts: moved.current, distance: parts.request.distance }
  })
  return {
    get value() {
      return dials.value
    },
    get stale() {
      return dials.stale
    },
    get failure() {
      return explained.failure ?? moved.failure
    },
  }
}

type Data = ReturnType<typeof data>

export function output(
  { bench, cursor, width, height }: Inputs<Params>,
  { value, stale, failure }: Data,
): Output<Params> {
  if (!value) return Output.message(failure?.message ?? t().loading)
  const { run, query, key, parts, distance } = value
  const own = query - key
  const { layer, head } = run.head
  const site = siteOfCell('layer.N.score', { layer, head, query, key }, run)
  const dials = handsOf(value.hands, thetaOf(run)).map((hands): Dial =>
    hands.pair === cursor.pair ? { ...hands, role: 'selected' } : hands,
  )
  if (dials.length === 0) return Output.message(t().nothing)

  const partOf = (pair: number) => parts[pair] ?? 0
  /** Between two tokens, while the key walks from one to the next. */
  const position = bench.walk.position ?? distance
  const plan = planDials({ x: 0, y: 0, width, height }, dials.length)
  const name = (position: number) => tokenName(run.reading.display[position] ?? '', position)
  const token = (position: number): Token => ({ text: run.reading.display[position] ?? '', position })
  const select = (index = -1): Target<Params> | undefined => {
    const dial = dials[index]
    return (
      dial && { cursor: { pair: dial.pair }, say: t().pair(dial.pair, angleText(dial, distance), partOf(dial.pair)) }
    )
  }
  const selected = dials.findIndex(({ pair }) => pair === cursor.pair)
  return Output.of(value.run, {
    scene: {
      width,
      height: plan.height,
      marks: [
        ...frame(plan, selected),
        ...drawDials(plan, { dials, longest: longestHand(dials), distance: position, partOf }),
      ],
    },
    label: t().label(name(query), name(key)),
    stale,
    failure: failure?.message,
    above: [controls(distance, own, run.model.info.is_decoder)],
    // Without it a pale picture would stay without a word.
    below: [[failure && { kind: 'text', role: 'status', text: failure.message }]],
    explains: site,
    published: {
      headline: t().headline({
        query: token(query),
        key: token(key),
        head: headName(run.head),
        distance,
        isMoved: distance !== own,
        pairs: parts.length,
        site: distance === own ? site : undefined,
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
    },
    hit: (x, y) => select(plan.at(x, y)),
    onAction(action) {
      if (action === 'leave') return cursor.pair === null ? undefined : { cursor: { pair: null }, say: t().none }
      return select(walkRow(selected, action, dials.length - 1))
    },
  })
}

/** Where the key is moved, or stands. A causal model has no key ahead of its query. */
function distanceOf({ distance }: Params, own: number, causal: boolean): number {
  const to = distance ?? own
  return causal ? Math.max(0, to) : to
}

const angleText = ({ theta }: Dial, distance: number) => rotationText(distance * theta)

/** The pair that rotates and has the largest part; undefined where all parts are 0. */
function mainOf(dials: readonly Dial[], parts: ArrayLike<number>, distance: number): Facts['main'] {
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

function controls(distance: number, own: number, causal: boolean): PanelRow<Params> {
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
      // The link's distance is where the key begins; from then on it walks.
      to: (value) => ({ params: { distance: null }, walk: -value === own ? null : -value }),
    },
    distance !== own && { kind: 'button', label: t().putBack, to: { params: { distance: null }, walk: null } },
  ]
}
