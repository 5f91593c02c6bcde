// Interventions in words that fit into a sentence.
import { headName } from '../i18n/format'
import { decimal, integer } from '../i18n/numbers'
import type { HeadPlace, MutedPairs } from '../viewstate/choice'
import type { Changing } from './change'
import { t } from './changes.en'

/** More heads or pairs are counted instead of named. */
const mostNamed = 3

/** "head L2·H6", "layer 2", "heads L2·H6 and L1·H1", "7 heads". `heads`: how many a layer has. */
export function headsNamed(places: readonly HeadPlace[], heads: number): string {
  const [first] = places
  if (first && heads > 1 && places.length === heads && places.every(({ layer }) => layer === first.layer)) {
    return t().layer(first.layer)
  }
  if (places.length > mostNamed) return t().manyHeads(places.length)
  return first && places.length === 1 ? t().head(headName(first)) : t().heads(places.map(headName))
}

function pairsNamed(muted: readonly MutedPairs[]): string {
  const [only] = muted
  if (!only || muted.length > 1) return t().pairsOfSeveral
  const { layer, head, pairs } = only
  const where = layer === null ? t().allHeads : head === null ? t().layer(layer) : t().head(headName({ layer, head }))
  return pairs.length > mostNamed ? t().manyPairs(pairs.length, where) : t().pairs(pairs, where)
}

/** The JSON comes from links: only a short name and a number of it are shown. */
function scalingNamed(json: string): string {
  const { rope_type, type, factor } = objectOf(json)
  const name = [rope_type, type].find((one): one is string => typeof one === 'string' && /^\w{1,20}$/.test(one))
  return t().scaling(name, typeof factor === 'number' && Number.isFinite(factor) ? amount(factor) : undefined)
}

/** With two decimals unless it is an integer. */
const amount = (value: number) => (Number.isInteger(value) ? integer(value) : decimal(value, 2))

function objectOf(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Each intervention in words, by its name in the choice. */
export function changes(change: Changing, heads: number): { name: keyof Changing; text: string }[] {
  const { offset, frozen, ablated, ablatedHeads, scaling, logN, distanceClamp, attention } = change
  const by = (name: keyof Changing, is: boolean, text: () => string) => (is ? [{ name, text: text() }] : [])
  return [
    ...by('ablatedHeads', ablatedHeads.length > 0, () =>
      t()[change.headReplacement === 'mean' ? 'mean' : 'without'](headsNamed(ablatedHeads, heads)),
    ),
    ...by('frozen', frozen.length > 0, () => t().frozen(pairsNamed(frozen))),
    ...by('ablated', ablated.length > 0, () => t().ablated(pairsNamed(ablated))),
    ...by('scaling', scaling !== '', () => scalingNamed(scaling)),
    ...by('rotaryValue', change.rotaryValue, () => t().rotaryValue),
    ...by('rotatesValues', change.rotatesValues, () => t().rotatesValues),
    ...by('logN', logN !== null, () => t().logN(amount(logN ?? 0))),
    ...by('distanceClamp', distanceClamp !== null, () => t().distanceClamp(distanceClamp ?? 0)),
    ...by('attention', attention !== '', () => (attention === '' ? '' : t().attention[attention])),
    ...by('offset', offset > 0, () => t().offset(offset)),
  ]
}

/** "without head L2·H6, shifted by 10,000 positions"; empty where there are none. */
export function changed(change: Changing, heads: number): string {
  return changes(change, heads)
    .map(({ text }) => text)
    .join(', ')
}
