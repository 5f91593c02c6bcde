import { messages } from '../i18n/messages.svelte'
import { integer, list, plural } from '../i18n/numbers'

/** The words of each intervention; each fits into a sentence. */
const en = {
  head: (name: string) => `head ${name}`,
  heads: (names: readonly string[]) => `heads ${list(names)}`,
  manyHeads: (count: number) => `${integer(count)} heads`,
  layer: (layer: number) => `layer ${layer}`,
  allHeads: 'all heads',
  pairs: (pairs: readonly number[], where: string) =>
    `${plural(pairs.length, { one: 'pair', other: 'pairs' })} ${list(pairs.map(String))} of ${where}`,
  manyPairs: (count: number, where: string) => `${integer(count)} pairs of ${where}`,
  pairsOfSeveral: 'pairs of several heads',

  without: (heads: string) => `without ${heads}`,
  mean: (heads: string) => `with the mean in place of ${heads}`,
  frozen: (pairs: string) => `with ${pairs} frozen`,
  ablated: (pairs: string) => `with ${pairs} ablated`,
  scaling: (name: string | undefined, factor: string | undefined) =>
    `with ${name === undefined ? 'another RoPE scaling' : `${name} RoPE scaling`}${factor === undefined ? '' : `, factor ${factor}`}`,
  rotaryValue: 'with values rotated (rotary_value)',
  rotatesValues: 'with values rotated and rotated back (RoVE)',
  logN: (n: string) => `with log-n scaling, n = ${n}`,
  distanceClamp: (clamp: number) => `with distances clamped to ${integer(clamp)}`,
  attention: {
    softmax: 'with softmax attention',
    linear: 'with linear attention',
    linear_rotate_first: 'with linear attention, rotated before φ',
  },
  offset: (offset: number) =>
    `shifted by ${integer(offset)} ${plural(offset, { one: 'position', other: 'positions' })}`,

  line: 'Changed in the model',
  undo: (text: string) => `${text}: undo`,
  undoAll: 'Undo all changes',
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./changes.{ko,hu}.ts'))
