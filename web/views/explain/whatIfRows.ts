// The rows of the panel that change the number on screen.
import { numberOf, type Explanation } from '../../engine/protocol/explanation'
import { parseInterventions } from '../../session/interventions'
import type { Run } from '../../session/runs.svelte'
import type { Choice } from '../../viewstate/choice'
import type { PanelRow, Target } from '../output'
import { whatFollows } from './follows'
import { t } from './messages.en'
import { placeOf } from '../../engine/protocol/place'
import { numberPlace, numberPut, withNumber, withoutNumber } from './whatIf'

/** The parameter of Compare that says what B is. */
export const contrast = 'compare.with'

/** What the rows are of. */
interface Subject<P> {
  explanation: Explanation
  run: Run
  baseline: Run | undefined
  choice: Choice
  /** The selected position. */
  query: number
  /** The way to the first number that can be changed; undefined while it is sought. */
  way: readonly string[] | undefined
  /** Where a way leads. */
  go: (way: readonly string[]) => Target<P>
}

/** A field for another number, and what follows from it; where none can be put, which number can be changed. */
export function whatIfRows<P>(subject: Subject<P>): PanelRow<P>[] {
  const { explanation, run, choice, way } = subject
  const site = explanation.at ?? ''
  const place = numberPlace(site)
  if (!place) return [refused(site, way, subject.go)]
  const put = numberPut(choice, place)
  const value = put ?? Number(numberOf(explanation).toPrecision(6))
  const ofRun = numberPut(parseInterventions(run.interventions), place)
  return [
    [
      {
        kind: 'number',
        label: t().whatIf,
        value,
        to: (value) => {
          const numbers = withNumber(choice, place, value)
          return numbers && { choice: { numbers } }
        },
      },
      put !== undefined && {
        kind: 'button',
        label: t().putBack,
        help: t().putBackHelp,
        to: { choice: withoutNumber(choice, place) },
      },
    ],
    ...(ofRun === undefined ? [] : followsRows(subject)),
  ]
}

function refused<P>(site: string, way: readonly string[] | undefined, go: Subject<P>['go']): PanelRow<P> {
  const part = placeOf(site)?.part
  const found = way?.at(-1)
  if (way && found === undefined)
    return [{ kind: 'text', name: 'refused', text: part === undefined ? t().refusedAll : t().refusedPart }]
  if (!way || found === undefined) return []
  const button = { label: found, help: t().open(found), to: go(way) }
  return [{ kind: 'buttons', label: t().refused, labelled: true, buttons: [button] }]
}

function followsRows<P>({ run, baseline, choice, query }: Subject<P>): PanelRow<P>[] {
  // While a newer text runs, the baseline is of that.
  if (!baseline || baseline.reading !== run.reading) return []
  // Compare's B is the text without interventions, unless the link says otherwise.
  const { [contrast]: _contrast, ...viewParams } = choice.viewParams
  const inFront = (id: string): Partial<Choice> => {
    const others = choice.open.filter((other) => other !== id)
    return { open: [id, ...others].slice(0, Math.max(2, choice.open.length)), viewParams }
  }
  return [
    [{ kind: 'text', name: 'follows', text: whatFollows(run, baseline, query) }],
    [
      {
        kind: 'buttons',
        label: t().follows.views,
        labelled: true,
        buttons: [
          { label: t().follows.predictions, to: { choice: inFront('predictions') } },
          { label: t().follows.compare, to: { choice: inFront('compare') } },
        ],
      },
    ],
  ]
}
