// Interventions in words that fit into a sentence.
import { capital, headName } from '../i18n/format'
import { messages } from '../i18n/messages.svelte'
import { decimal, integer, list, plural } from '../i18n/numbers'

interface Head {
  layer: number
  head: number
}

interface Muted {
  layer: number | null
  head: number | null
  pairs: readonly number[]
}

/** More heads are counted instead of named. */
const mostNamed = 3

/** "head L2·H6", "layer 2", "heads L2·H6 and L1·H1", "7 heads". `heads`: how many a layer has. */
export function headsNamed(places: readonly Head[], heads: number): string {
  const [first] = places
  if (first && heads > 1 && places.length === heads && places.every(({ layer }) => layer === first.layer)) {
    return `layer ${first.layer}`
  }
  if (places.length > mostNamed) return `${integer(places.length)} heads`
  return `${plural(places.length, { one: 'head', other: 'heads' })} ${list(places.map(headName))}`
}

function pairsNamed(muted: readonly Muted[]): string {
  const [only] = muted
  const where = ({ layer, head }: Muted) =>
    layer === null ? 'all heads' : head === null ? `layer ${layer}` : `head ${headName({ layer, head })}`
  if (!only || muted.length > 1) return 'pairs of several heads'
  return only.pairs.length > mostNamed
    ? `${integer(only.pairs.length)} pairs of ${where(only)}`
    : `${plural(only.pairs.length, { one: 'pair', other: 'pairs' })} ${list(only.pairs.map(String))} of ${where(only)}`
}

interface Change {
  offset: number
  frozen: readonly Muted[]
  ablated: readonly Muted[]
  ablatedHeads: readonly Head[]
  headReplacement: 'zero' | 'mean'
  scaling: string
  rotaryValue: boolean
  rotatesValues: boolean
  logN: number | null
  distanceClamp: number | null
  attention: '' | 'softmax' | 'linear' | 'linear_rotate_first'
}

/** "yarn scaling of the rope, factor 4". The JSON comes from links: only a short name and a number of it are shown. */
function scalingNamed(json: string): string {
  const { rope_type, type, factor } = objectOf(json)
  const name = [rope_type, type].find((one): one is string => typeof one === 'string' && /^\w{1,20}$/.test(one))
  const by = typeof factor === 'number' && Number.isFinite(factor) ? `, factor ${amount(factor)}` : ''
  return `${name ? `${name} scaling` : 'another scaling'} of the rope${by}`
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

const attentions = {
  softmax: 'with softmax attention',
  linear: 'with linear attention',
  linear_rotate_first: 'with linear attention, rotated before φ',
}

/** Each intervention in words, by its name in the choice. */
export function changes(change: Change, heads: number): { name: keyof Change; text: string }[] {
  const {
    offset,
    frozen,
    ablated,
    ablatedHeads,
    headReplacement,
    scaling,
    rotaryValue,
    rotatesValues,
    logN,
    distanceClamp,
    attention,
  } = change
  const by = (name: keyof Change, is: boolean, text: () => string) => (is ? [{ name, text: text() }] : [])
  const positions = () => `${integer(offset)} ${plural(offset, { one: 'position', other: 'positions' })}`
  return [
    ...by(
      'ablatedHeads',
      ablatedHeads.length > 0,
      () =>
        `${headReplacement === 'mean' ? 'with the mean in place of' : 'without'} ${headsNamed(ablatedHeads, heads)}`,
    ),
    ...by('frozen', frozen.length > 0, () => `with ${pairsNamed(frozen)} frozen`),
    ...by('ablated', ablated.length > 0, () => `with ${pairsNamed(ablated)} ablated`),
    ...by('scaling', scaling !== '', () => `with ${scalingNamed(scaling)}`),
    ...by('rotaryValue', rotaryValue, () => 'with values rotated (rotary_value)'),
    ...by('rotatesValues', rotatesValues, () => 'with values rotated and turned back (RoVE)'),
    ...by('logN', logN !== null, () => `with log-n scaling, n = ${amount(logN ?? 0)}`),
    ...by('distanceClamp', distanceClamp !== null, () => `with distances clamped to ${integer(distanceClamp ?? 0)}`),
    ...by('attention', attention !== '', () => (attention === '' ? '' : attentions[attention])),
    ...by('offset', offset > 0, () => `shifted by ${positions()}`),
  ]
}

/** "without head L2·H6, shifted by 10,000 positions"; empty where there are none. */
export function changed(change: Change, heads: number): string {
  return changes(change, heads)
    .map(({ text }) => text)
    .join(', ')
}

const en = {
  of: changed,
  /** As a sentence begins. */
  beginning: (change: Change, heads: number) => capital(changed(change, heads)),
  each: changes,
  heads: headsNamed,
  line: 'Changed in the model',
  undo: (text: string) => `${text}: undo`,
  undoAll: 'Undo all changes',
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./changes.{ko,hu}.ts'))
