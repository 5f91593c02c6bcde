// A change as the WASM reads it: interventions, each a site and its replacement, and settings of the model.

import { engineFailure } from '../protocol/failure'
import type { Change } from '../protocol/protocol'
import type { TextRun } from '../protocol/requests'
import { site } from '../protocol/site'
import type { Intervention, WasmChange, WasmEngine } from './surface'

/** An index that no model has. */
const noIndex = 2 ** 32 - 2

/** Links hold anything: an invalid index becomes one that the engine refuses. */
const index = (number: number) => (Number.isInteger(number) && number >= 0 && number < noIndex ? number : noIndex)

function distance(distanceClamp: number): number {
  if (Number.isInteger(distanceClamp) && distanceClamp >= 0 && distanceClamp <= noIndex) return distanceClamp
  throw engineFailure('invalid-distance', { distance: distanceClamp })
}

/** −1: no label. */
export function flatLabels(labels: readonly (number | null)[]): Int32Array {
  return Int32Array.from(labels, (label) => (label === null ? -1 : Math.min(index(label), 2 ** 31 - 1)))
}

/** @throws {Failure} for an invalid distance */
function interventions({
  muted = [],
  ablatedHeads = [],
  headReplacement = 'zero',
  rotatesValues,
  logN,
  distanceClamp,
}: Change): Intervention[] {
  return [
    ...muted.flatMap(({ layer, head, pairs, kind }) =>
      pairs.map((pair): Intervention => {
        const heads = head === null ? '*' : index(head)
        const place = site('layer.N.query.rotated', index(layer), heads, '*', `p${index(pair)}`)
        return `${place}=${kind === 'frozen' ? 'frozen' : 'zero'}`
      }),
    ),
    ...ablatedHeads.map(
      ({ layer, head }): Intervention => `${site('layer.N.head', index(layer), index(head))}=${headReplacement}`,
    ),
    ...(rotatesValues ? [`${site('layer.N.value', '*')}=rotated` as const] : []),
    ...(logN === undefined ? [] : [`${site('layer.N.query.rotated', '*')}=log-n:${logN}` as const]),
    ...(distanceClamp === undefined ? [] : [`${site('layer.N.score', '*')}=clamp:${distance(distanceClamp)}` as const]),
  ]
}

/** The change of one run, which consumes it. `labels`: of each row, for a loss of each token; −1: none. */
export function changeOf(
  engine: WasmEngine,
  { change = {}, beyondLength = false, pair }: Pick<TextRun, 'change' | 'beyondLength' | 'pair'>,
  labels: Int32Array = new Int32Array(),
): WasmChange {
  const { ropeScaling = '', rotaryValue = false, attention } = change
  const ofRun = engine.change(interventions(change), labels, ropeScaling, rotaryValue, attention, beyondLength)
  if (pair) ofRun.after(pair.source)
  return ofRun
}
