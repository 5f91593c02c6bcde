// Two vectors, turned by their positions: the score depends on the distance alone.
import { readWords } from '../../i18n/edition.svelte'
import { key, query, sentence, type Sentence } from '../../i18n/rich'
import { lastPosition } from '../../session/ruler.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import type { Action } from '../../ui/keys'
import { slide } from '../../ui/walk'
import type { Inputs } from '../../views/module'
import { Output, type PanelRow, type SceneSlider, type Target } from '../../views/output'
import type { TurnParams } from '.'
import model from '../head.json'
import {
  arrowsOf,
  example,
  modelSubject,
  positionsOf,
  subjectOf,
  turnData,
  type PairBeforeRotation,
} from './data.svelte'
import { t } from './messages.en'
import { drawCurve, drawMoves, drawNumbers, drawPairing, leadOf } from './numbers'
import {
  angleOf,
  degrees,
  drawDial,
  drawRuler,
  handlesOf,
  lengthOf,
  moveVector,
  planTurn,
  positionAt,
  spanOf,
  steps,
  vectorAt,
  wrapAngle,
  type Arrows,
  type TurnPlan,
  type Vector,
} from './picture'

type Who = 'query' | 'key'
const nameOf = (who: Who) => readWords().page.ruler[who]

export { t as messages, turnData as data }

type Data = ReturnType<typeof turnData>

export function output(
  { bench, params, width, height }: Inputs<TurnParams>,
  { rotation, walk }: Data,
): Output<TurnParams> {
  const { latest, stale, failure } = rotation
  const arrows = arrowsOf(rotation)
  const subject = subjectOf(params)
  const positions = positionsOf(params, bench.choice)
  const lower = params.lower ?? (params.pairs === 'halves' ? 'pairs' : 'moves')
  const above = [stepsOf(positions, walk)]
  const below: PanelRow<TurnParams>[] = [
    [{ kind: 'text', name: 'value', text: arrows ? scoreOf(arrows) : '' }],
    [...subjectRow(params, subject), ...lowerRow(params, lower)],
  ]
  if (!latest || !arrows) return Output.ofNoRun({ message: failure?.message, above, below })
  // Where the arrows are dragged to, before the engine has turned them.
  const drawn = {
    ...arrows,
    query: { ...arrows.query, before: subject.query },
    key: { ...arrows.key, before: subject.key },
  }
  const plan = planTurn(width, height, Math.max(1, lengthOf(subject.query), lengthOf(subject.key)))
  const names =
    subject.pair === undefined ? { query: 'q', key: 'k' } : { query: model.query.token, key: model.key.token }
  const strip = { moves: drawMoves, curve: drawCurve, pairs: () => drawPairing(plan, params.pairs === 'halves') }[lower]
  return Output.ofNoRun({
    scene: {
      width,
      height: plan.height,
      marks: [
        ...drawDial(plan, drawn, names),
        ...drawNumbers(plan, drawn),
        ...drawRuler(plan, drawn),
        ...strip(plan, drawn),
      ],
    },
    help: subject.pair === undefined ? t().help : t().ofModel(subject.pair, model),
    stale,
    above,
    below,
    sliders: [
      tip('key', subject, plan),
      tip('query', subject, plan),
      handle('key', positions, plan, drawn),
      handle('query', positions, plan, drawn),
    ],
    published: {
      tables: [tableOf(latest.value.sweep)],
      subject: subject.pair === undefined ? `${params.angle ?? example.angle}` : `pair-${subject.pair}`,
    },
  })
}

type Positions = ReturnType<typeof positionsOf>

const within511 = (position: number) => Math.max(0, Math.min(lastPosition, position))

/** Both positions, moved by so much. */
const stepped = ({ m, n }: Positions, query: number, key: number): Target<TurnParams> => ({
  params: { m: within511(m + query), n: within511(n + key) },
})

function stepsOf(positions: Positions, walk: { at: number | undefined; toggle: () => void }): PanelRow<TurnParams> {
  const button = (label: string, query: number, key: number) => ({ label, to: stepped(positions, query, key) })
  const { query, key, both, back, on } = readWords().page.ruler
  return [
    {
      kind: 'button',
      label: walk.at === undefined ? t().walk : t().stop,
      pressed: walk.at !== undefined,
      to: { act: walk.toggle },
    },
    ...(
      [
        [query, 1, 0],
        [key, 0, 1],
        [both, 1, 1],
      ] as const
    ).map(([who, m, n]) => ({
      kind: 'buttons' as const,
      label: who,
      buttons: [
        { ...button(`− ${who}`, -m, -n), help: back(who) },
        { ...button(`${who} +`, m, n), help: on(who) },
      ],
    })),
  ]
}

/** All numbers of the arrows, so that a link holds them. */
const own = ({ query: [qx, qy], key: [kx, ky], theta }: PairBeforeRotation): Partial<TurnParams> => ({
  qx,
  qy,
  kx,
  ky,
  angle: Math.round(degrees(theta)),
})
const nobody = { qx: null, qy: null, kx: null, ky: null, angle: null }

/** The tip of an arrow, which is dragged, or turned and made longer by keys. */
function tip(who: Who, subject: PairBeforeRotation, plan: TurnPlan): SceneSlider<TurnParams> {
  const vector = subject[who]
  const put = (vector: Vector) => ({ params: own({ ...subject, [who]: vector }) })
  const changes: Partial<Record<Action, Parameters<typeof moveVector>[1]>> = {
    left: { turn: 5 },
    right: { turn: -5 },
    up: { longer: 0.05 },
    down: { longer: -0.05 },
  }
  const [x, y] = vector
  const angle = Math.round(degrees(angleOf(vector)))
  return {
    label: nameOf(who),
    min: -180,
    max: 180,
    now: angle,
    text: t().drawn(nameOf(who), lengthOf(vector), angle),
    follows: 'drag',
    box: { x: plan.x + plan.unit * x - 14, y: plan.y - plan.unit * y - 14, width: 28, height: 28 },
    round: true,
    hit: (x, y) => put(vectorAt(plan, x, y)),
    onAction(action) {
      const by = changes[action]
      return by && put(moveVector(vector, by, plan.radius / plan.unit))
    },
  }
}

/** A mark of the line of positions. */
function handle(who: Who, { m, n }: Positions, plan: TurnPlan, arrows: Arrows): SceneSlider<TurnParams> {
  const now = who === 'query' ? m : n
  const put = (to: number): Target<TurnParams> => ({ params: who === 'query' ? { m: to, n } : { m, n: to } })
  return {
    label: t().positionOf(nameOf(who)),
    max: lastPosition,
    now,
    text: `${t().at(nameOf(who), now)}, ${readWords().page.ruler.distance(m - n)}`,
    follows: 'drag',
    box: { x: handlesOf(plan, arrows)[who] - 14, y: plan.ruler.y - 14, width: 28, height: 28 },
    round: true,
    hit: (x) => put(positionAt(plan.ruler, spanOf(m, n), x)),
    onAction(action) {
      const to = slide(now, action, lastPosition)
      return to === undefined ? undefined : put(to)
    },
  }
}

/** Whose arrows, and θ. */
function subjectRow({ angle }: TurnParams, subject: PairBeforeRotation): PanelRow<TurnParams> {
  const isOwn = subject.pair === undefined
  return [
    {
      kind: 'select',
      label: t().arrows,
      value: isOwn ? 'own' : String(subject.pair),
      options: [
        ...model.theta.map((theta, pair) => ({ value: String(pair), text: t().pair(pair, degrees(theta)) })),
        { value: 'own', text: t().own },
      ],
      to: (value) => ({
        params: value === 'own' ? example : { ...nobody, pair: modelSubject(Number(value)).pair ?? 0 },
      }),
    },
    isOwn && {
      kind: 'slider',
      label: t().theta,
      value: angle ?? example.angle,
      stops: [1, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180],
      format: t().integerDegrees,
      to: (angle) => ({ params: { ...own(subject), angle } }),
    },
  ]
}

function lowerRow({ pairs }: TurnParams, lower: 'moves' | 'curve' | 'pairs'): PanelRow<TurnParams> {
  return [
    {
      kind: 'segmented',
      label: t().lower,
      value: lower,
      options: (['moves', 'curve', 'pairs'] as const).map((value) => ({ value, text: t().lowers[value] })),
      to: (value) => ({ params: { lower: value as typeof lower } }),
    },
    lower === 'pairs' && {
      kind: 'segmented',
      label: t().pairing,
      labelled: true,
      value: pairs,
      options: (['neighbours', 'halves'] as const).map((value) => ({ value, text: t().pairings[value] })),
      to: (value) => ({ params: { pairs: value as typeof pairs, lower: 'pairs' } }),
    },
  ]
}

function scoreOf(arrows: Arrows): Sentence {
  const { m, n, score, theta } = arrows
  const lengths = t().norms(lengthOf(arrows.query.after), lengthOf(arrows.key.after))
  const angle = t().between(degrees(Math.abs(wrapAngle((m - n) * theta + leadOf(arrows)))))
  return sentence`${query(t().queryAt(m))}, ${key(t().keyAt(n))}: ${angle}, ${t().score(score)}; ${lengths}`
}

/** The score at each distance. */
export function tableOf(sweep: Float64Array): NamedTable {
  const reach = (sweep.length - 1) / 2 / steps
  return namedTable(t().table, t().columns, { length: 2 * reach + 1 }, (_, index) => [
    index - reach,
    sweep[index * steps] ?? NaN,
  ])
}
