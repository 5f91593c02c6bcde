// One score: three of its pairs as dials, the parts of all, and the same query and key at every other distance, or the same query with other keys.
import { encode } from '../../viewstate/codec'
import type { Choice } from '../../viewstate/choice'
import { distanceAt, endsOf } from '../../charts/sweep/draw'
import { scoreAt } from '../../charts/sweep/model'
import type { Sentence } from '../../i18n/rich'
import type { Action } from '../../ui/keys'
import { namedTable, type NamedTable } from '../../ui/table'
import { slide } from '../../ui/walk'
import type { Inputs } from '../module'
import { runCommand } from '../command'
import { Output, type Picture, type SceneSlider, type Target } from '../output'
import { siteOfCell } from '../sites'
import type { ParamsOf } from '../../viewstate/fields'
import type { params } from '.'
import { movePair, type Explained, type Waterfall } from './parts'
import { formulaOf, kindOf } from './formula'
import { explain, presentCell, withDrawnCell, type ScoreData } from './data'
import { t } from './messages.en'
import {
  canMove,
  captionOf,
  ceilingOf,
  drawScore,
  factsOf,
  isCurved,
  isOfSource,
  pairAt,
  planScore,
  rowCaptionOf,
  summedAt,
  type ScorePlan,
  type Walking,
} from './picture'
import { stepAt } from './waterfall'

type Params = ParamsOf<typeof params>

export { t as messages }

export const data = (inputs: Inputs<Params>) => ({ own: explain(inputs), drawn: explain(withDrawnCell(inputs)) })

type Data = ReturnType<typeof data>

/** The curve of long-term decay in Read; all else stays as the visitor has it. */
const linkToDecay = (choice: Choice) =>
  `#${encode({ ...choice, page: 'read', chapter: '6', viewParams: { ...choice.viewParams, 'near.curve': 'bound' } })}`

export function output(inputs: Inputs<Params>, { own, drawn: data }: Data): Output<Params> {
  const { cursor, width, height, pointer, bench } = inputs
  const { explained, failure } = data
  if (!explained || !own.explained) return failure ? Output.message(failure.message) : Output.empty()
  // The picture may be of the cell below the pointer, and is pale then. Headline and files are of the selected one.
  const present = presentCell(inputs)
  const stale = data.stale || explained.query !== present.query || explained.key !== present.key
  const facts = factsOf(explained)
  const kind = kindOf(explained)
  const ownFacts = factsOf(own.explained)
  const walking = stale ? undefined : walkingOf(inputs, data)
  const chooser = walking ? own.explained : explained
  const plan = planScore(explained, { width, height, selected: cursor.pair, chooser })
  const rotates = explained.hands.length > 0 && !explained.row
  const pointed = pointer && {
    pair: pairAt(plan, explained, pointer.x, pointer.y),
    distance:
      isCurved(explained) && isOnCurve(plan, pointer.x, pointer.y) ? distanceAt(pointer.x, plan.sweep) : undefined,
  }
  const ceiling = ceilingOf(explained, walking?.position)
  const caption = walking && captionText(own.explained, explained, walking)
  return Output.of([own.explained.run, explained.run], {
    scene: drawScore(explained, plan, { selected: cursor.pair, pointed: pointed ?? {}, walking }),
    label: t().label(facts, explained.check.state, explained.check.by),
    help: explained.row ? t().row.help : rotates ? undefined : t().unrotatedHelp,
    formula: formulaOf(kind),
    source: t().sourceOf(kind),
    anchors: anchorsOf(plan),
    stale,
    failure: failure?.message,
    sliders: [
      pairs(plan, summedAt(explained, walking), cursor.pair, rotates),
      ...(canMove(explained) ? [handle(plan, own.explained, walking)] : []),
    ],
    below: [
      [
        {
          kind: 'text',
          name: 'peak',
          text: ceiling ? t().ceiling(Math.ceil(ceiling.here), linkToDecay(bench.choice)) : t().highest(facts),
        },
        rotates && {
          kind: 'button',
          label: t().bound,
          help: t().boundHelp,
          pressed: inputs.params.bound === 'on',
          to: { params: { bound: inputs.params.bound === 'on' ? 'off' : 'on' } },
        },
        // Without it a pale picture would stay without a word.
        failure && { kind: 'text', role: 'status', text: failure.message },
      ],
    ],
    explains: ownFacts.sites.score,
    published: {
      headline: t().headline(ownFacts),
      why: t().why(ownFacts),
      caption,
      tables: tablesOf(own.explained),
      command: runCommand(own.explained.run, ['query_rotated', 'key_rotated', 'attentions']),
    },
  })
}

function walkingOf({ bench }: Inputs<Params>, { moved }: ScoreData): Walking | undefined {
  const { position } = bench.walk
  return position === undefined ? undefined : { position, moved }
}

function captionText(own: Explained, present: Explained, walking: Walking): Sentence | undefined {
  if (present.row) return t().row.caption(rowCaptionOf(own, present))
  const caption = captionOf(present, walking)
  return caption && t().caption(caption)
}

function isOnCurve({ sweep: { left, right, top, bottom } }: ScorePlan, x: number, y: number): boolean {
  return x >= left - 4 && x <= right + 4 && y >= top - 12 && y <= bottom + 30
}

function anchorsOf({ width, dials, dialsPlan, sweep }: ScorePlan): Picture['anchors'] {
  const { left, right, top, bottom } = sweep
  // With the numbers at its ends.
  const curve = { x: left - 14, y: top, width: right - left + 28, height: bottom - top + 34 }
  return dials.length === 0 ? { curve } : { dials: { x: 0, y: 0, width, height: dialsPlan.height }, curve }
}

/** Walks the pairs from fast to slow, and selects one. */
function pairs(
  { waterfall: plan }: ScorePlan,
  summed: Waterfall,
  selected: number | null,
  turns: boolean,
): SceneSlider<Params> {
  const { steps } = summed
  const step = steps.find(({ pair }) => pair === selected)
  const select = (pair: number | null): Target<Params> => ({ cursor: { pair } })
  return {
    label: turns ? t().barsLabel : t().unrotatedBars,
    max: Math.max(steps.length - 1, 0),
    now: step ? steps.indexOf(step) : 0,
    text: step ? t().pairValue(step.pair, step.wavelength, step.part, step.to) : t().noPair,
    follows: 'click',
    box: { x: plan.left, y: plan.top - 12, width: plan.right - plan.left, height: plan.bottom - plan.top + 28 },
    hit(x) {
      const pair = stepAt(x, plan, summed)?.pair
      return pair === undefined ? undefined : select(pair === selected ? null : pair)
    },
    onAction(action) {
      const order = steps.map(({ pair }) => pair)
      const to = movePair(selected, action, order)
      return to === undefined ? undefined : select(to)
    },
  }
}

/** Moves the selected key along the curve, or goes from key to key, whatever cell is below the pointer. */
function handle(
  { sweep: plan, curves }: ScorePlan,
  explained: Explained,
  walking: Walking | undefined,
): SceneSlider<Params> {
  const { run, query, key, row } = explained
  const distance = Math.round(walking?.position ?? query - key)
  const [first, last] = endsOf(curves)
  const [least, most] = [-first, -last]
  const score = scoreAt(explained.sweep, distance)
  const at = query - distance
  const place = isOfSource(explained) ? undefined : distance
  const move = (distance: number): Target<Params> => ({ walk: distance })
  return {
    label: row ? t().row.label : t().sweepLabel,
    min: least,
    max: most,
    // From left to right, as it is drawn.
    now: -distance,
    text: row
      ? t().row.value({ text: run.reading.display[at] ?? '', position: at }, place, score)
      : t().sweepValue(distance, score),
    follows: 'drag',
    box: {
      x: plan.left - 10,
      y: plan.top - 12,
      width: plan.right - plan.left + 20,
      height: plan.bottom - plan.top + 46,
    },
    hit: (x) => move(distanceAt(x, plan)),
    onAction: (action) => walkBy(action, distance, { least, most, move }),
  }
}

function walkBy(
  action: Action,
  distance: number,
  { least, most, move }: { least: number; most: number; move: (distance: number) => Target<Params> },
): Target<Params> | undefined {
  if (action === 'leave') return { walk: null }
  const to = slide(-distance - least, action, most - least)
  return to === undefined ? undefined : move(-(to + least))
}

type Numbers = Pick<Explained, 'run' | 'query' | 'key' | 'waterfall' | 'sweep' | 'pair' | 'pairSweep' | 'bound' | 'row'>

export function tablesOf(explained: Numbers): NamedTable[] {
  const { run, query, key, row, sweep, pairSweep, bound, pair } = explained
  const { steps } = explained.waterfall
  const { layer, head } = run.head
  const siteAt = (key: number) => siteOfCell('layer.N.score', { layer, head, query, key }, run)
  if (row)
    return [
      namedTable(t().unrotatedTable, t().unrotatedHeader, steps, ({ pair, part, to }) => [pair, part, to]),
      namedTable(
        t().row.table,
        t().row.header,
        row.scores,
        (score, at) => [at, run.reading.display[at] ?? '', score],
        (_, column, key) => (column === 2 ? siteAt(key) : undefined),
      ),
    ]
  const none = { values: new Float64Array(), reach: 0 }
  const curves = [sweep, pairSweep ?? none, bound ?? none]
  return [
    namedTable(t().pairTable, t().pairHeader, steps, ({ pair, wavelength, part, to }) => [pair, wavelength, part, to]),
    namedTable(
      t().sweepTable,
      t().sweepHeader(pair),
      { length: 2 * sweep.reach + 1 },
      (_, index) => {
        const distance = index - sweep.reach
        const scores = curves.map((curve) => scoreAt(curve, distance))
        return [distance, ...scores.map((score) => (Number.isNaN(score) ? '' : score))]
      },
      // Elsewhere the key is moved.
      (_, column, index) => (column === 1 && index - sweep.reach === query - key ? siteAt(key) : undefined),
    ),
  ]
}
