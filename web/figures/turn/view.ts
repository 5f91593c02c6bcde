// Two vectors, turned by their positions: the score depends on the distance alone.
import { readWords } from '../../i18n/edition.svelte'
import { key, query, sentence, type Sentence } from '../../i18n/rich'
import { namedTable, type NamedTable } from '../../ui/table'
import type { Action } from '../../ui/keys'
import { viewBody } from '../../views/body'
import { Publication, type PanelRow, type SceneSlider } from '../../views/output'
import { params, type TurnParams } from '.'
import { arrowsOf, turnData, vectorsOf } from './data'
import { t } from './messages.en'
import { drawTurn, moved, planTurn, steps, vectorAt, type Arrows, type TurnPlan, type Vector } from './picture'

export default viewBody(params, {
  messages: t,
  data: turnData,
  output({ params, width, height }, rotated) {
    const { latest, stale, failure } = rotated
    const arrows = arrowsOf(rotated, params.pairs === 'halves')
    const below = rowsBelow(params, arrows)
    if (!latest || !arrows) return { note: failure?.message, below }
    // Where the arrows are dragged to, before the engine has turned them.
    const { query, key } = vectorsOf(params)
    const drawn = { ...arrows, query: { ...arrows.query, before: query }, key: { ...arrows.key, before: key } }
    const plan = planTurn(width, height)
    return {
      scene: drawTurn(plan, drawn),
      stale,
      below,
      sliders: [tip('key', key, plan), tip('query', query, plan)],
      published: Publication.none({ tables: [tableOf(latest.value.sweep)], file: `${params.angle}` }),
    }
  },
})

const norm = ([x, y]: Vector) => Math.hypot(x, y)
const degrees = ([x, y]: Vector) => Math.round((Math.atan2(y, x) * 180) / Math.PI)

/** The tip of an arrow, which is dragged, or turned and made longer by keys. */
function tip(who: 'query' | 'key', vector: Vector, plan: TurnPlan): SceneSlider<TurnParams> {
  const put = ([x, y]: Vector) => ({ params: who === 'query' ? { qx: x, qy: y } : { kx: x, ky: y } })
  const changes: Partial<Record<Action, Parameters<typeof moved>[1]>> = {
    left: { turn: 5 },
    right: { turn: -5 },
    up: { longer: 0.05 },
    down: { longer: -0.05 },
  }
  const [x, y] = vector
  return {
    label: readWords().page.ruler[who],
    min: -180,
    max: 180,
    now: degrees(vector),
    text: t().drawn(readWords().page.ruler[who], norm(vector), degrees(vector)),
    follows: 'drag',
    box: { x: plan.x + plan.unit * x - 14, y: plan.y - plan.unit * y - 14, width: 28, height: 28 },
    round: true,
    hit: (x, y) => put(vectorAt(plan, x, y)),
    keys(action) {
      const by = changes[action]
      return by && put(moved(vector, by))
    },
  }
}

/** The score of the arrows, and controls of θ and of the pairing. */
function rowsBelow({ angle }: TurnParams, arrows: Arrows | undefined): PanelRow<TurnParams>[] {
  return [
    [{ kind: 'text', name: 'told', text: arrows ? scoreOf(arrows) : '' }],
    [
      {
        kind: 'slider',
        label: t().angle,
        value: angle,
        stops: [1, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180],
        format: t().degrees,
        to: (angle) => ({ params: { angle } }),
      },
      {
        kind: 'segmented',
        param: 'pairs',
        label: t().pairing,
        labelled: true,
        options: (['neighbours', 'halves'] as const).map((value) => ({ value, text: t().pairings[value] })),
      },
    ],
  ]
}

function scoreOf(arrows: Arrows): Sentence {
  const { m, n, score } = arrows
  const lengths = t().norms(norm(arrows.query.after), norm(arrows.key.after))
  return sentence`${query(t().queryAt(m))}, ${key(t().keyAt(n))}: ${t().score(score)}, ${lengths}`
}

/** The score at each distance. */
export function tableOf(sweep: Float64Array): NamedTable {
  const reach = (sweep.length - 1) / 2 / steps
  return namedTable(t().table, t().columns, { length: 2 * reach + 1 }, (_, index) => [
    index - reach,
    sweep[index * steps] ?? NaN,
  ])
}
