// The output of the arrow: all hands on one dial, the arrow’s length at every distance, and three distances beside each other.
import { namedTable } from '../../ui/table'
import { slide } from '../../ui/walk'
import type { Inputs } from '../../views/body'
import { Publication, type Output, type PanelRow } from '../../views/output'
import model from '../head.json'
import type { NearParams } from '.'
import { controlsOf } from './controls'
import type { NearData } from './data.svelte'
import {
  alikeHands,
  arrowAt,
  countsAt,
  drawHands,
  farthest,
  handsOf,
  lengthAt,
  nearDegrees,
  planHands,
  smallDialAt,
  type Hands,
} from './hands'
import { t } from './messages.en'

const modelHands = handsOf(model.theta, model.query.row, model.key.row)

/** Distances of the table: each near one, and then a few of each power of ten. */
const listed = [0, 1, 2, 5].flatMap((first) => [1, 10, 100, 1000].map((power) => first * power)).concat(farthest)
const rows = [...new Set(listed)].sort((one, other) => one - other)

export function handsOutput(inputs: Inputs<NearParams>, { theta, ruled }: NearData): Output<NearParams> {
  const { params, width, height, bench } = inputs
  const ofModel = params.hands === 'model'
  const hands = ofModel ? modelHands : theta.current && alikeHands(theta.current)
  const above: PanelRow<NearParams>[] = [controlsOf(params, bench, ruled.head !== undefined)]
  if (!hands) return { note: theta.failure?.message, above }
  const plan = planHands(width, height)
  const { at, ...scene } = drawHands(plan, hands, params.at)
  const to = (distance: number) => ({ params: { at: Math.max(1, Math.min(farthest, Math.round(distance))) } })
  const value = valueOf(hands, params.at)
  return {
    scene,
    help: ofModel ? t().helpOfModel(model) : t().helpOfArrow,
    above,
    below: [[{ kind: 'text', name: 'told', text: value, lines: 2 }]],
    sliders: [
      {
        label: t().label,
        min: 1,
        max: farthest,
        now: params.at,
        text: value,
        follows: 'drag',
        box: { ...plan.chart, height: plan.band.y + plan.band.height },
        hit: (x) => to(at(x)),
        keys(action) {
          const next = slide(params.at, action, farthest, Math.max(10, Math.round(params.at / 2)))
          return next === undefined ? undefined : to(next)
        },
      },
      {
        label: t().three,
        min: 1,
        max: 200,
        now: params.at,
        text: value,
        follows: 'click',
        box: { x: 0, y: plan.strip.y, width, height: plan.strip.height },
        hit(x, y) {
          const distance = smallDialAt(plan, x, y)
          return distance === undefined ? undefined : to(distance)
        },
        keys: (action) => (action === 'first' ? to(1) : action === 'last' ? to(200) : undefined),
      },
    ],
    published: Publication.none({
      tables: [
        namedTable(t().table, [t().distance, t().arrowLength, t().near(nearDegrees)], rows, (distance) => [
          distance,
          lengthAt(hands, distance),
          countsAt(hands, distance).near,
        ]),
      ],
      subject: ofModel ? model.model : `${ruled.headSize}-${ruled.base}`,
    }),
  }
}

/** The arrow in words. */
function valueOf(hands: Hands, distance: number): string {
  const { near, round } = countsAt(hands, distance)
  const { along } = arrowAt(hands, distance)
  const length = lengthAt(hands, distance)
  return t().arrow({ distance, length, along, near, round, hands: hands.theta.length, angle: nearDegrees })
}
