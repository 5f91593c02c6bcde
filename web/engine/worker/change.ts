// A change as the WASM takes it: interventions, each a site and its replacement, and settings of the model.

import { engineFailure } from '../protocol/failure'
import type { Change } from '../protocol/protocol'
import type { TextRun } from '../protocol/requests'
import { site } from '../protocol/site'
import type { Intervention, WasmChange, WasmEngine } from './surface'

/** No model has so many of anything. */
const noIndex = 2 ** 32 - 2

/** Links hold anything: what is no index becomes one that no model has, and the engine says so. */
const index = (number: number) => (Number.isInteger(number) && number >= 0 && number < noIndex ? number : noIndex)

/** A distance that none is beyond would be no change: what is no distance is refused instead. */
function distance(distanceClamp: number): number {
  if (Number.isInteger(distanceClamp) && distanceClamp >= 0 && distanceClamp <= noIndex) return distanceClamp
  throw engineFailure('invalid-distance', { distance: distanceClamp })
}

/** Labels as one list; −1: none. */
export function flatLabels(labels: readonly (number | null)[]): Int32Array {
  return Int32Array.from(labels, (label) => (label === null ? -1 : Math.min(index(label), 2 ** 31 - 1)))
}

/** @throws {Failure} where a distance is none */
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

/** The change of one run, which uses it up. `labels`: of each row, or of each token for a loss; −1: none. */
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
