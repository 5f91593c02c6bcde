import { messages } from '../i18n/messages.svelte'
import { integer, list, plural } from '../i18n/numbers'

const again = 'Create it again with ropescope heads, or remove it.'

const en = {
  /** The words of each intervention; each fits into a sentence. */
  change: {
    head: (name: string) => `head ${name}`,
    heads: (names: readonly string[]) => `heads ${list(names)}`,
    manyHeads: (count: number) => `${integer(count)} heads`,
    layer: (layer: number) => `layer ${layer}`,
    allHeads: 'all heads',
    pairs: (pairs: readonly number[], where: string) =>
      `${plural(pairs.length, { one: 'pair', other: 'pairs' })} ${list(pairs.map(String))} of ${where}`,
    manyPairs: (count: number, where: string) => `${integer(count)} pairs of ${where}`,
    pairsOfSeveral: 'pairs of several heads',

    neuron: (name: string) => `neuron ${name}`,
    neurons: (names: readonly string[]) => `neurons ${list(names)}`,
    /** Whole networks among them. */
    manyNeurons: (count: number) => `${integer(count)} neurons or networks`,
    network: (layer: number) => `the feed-forward network of layer ${layer}`,
    numbers: (places: string) => `with ${places}`,
    manyNumbers: (count: number) => `${integer(count)} numbers put in`,

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
  },
  /** Why heads.json cannot be used. */
  describedHeads: {
    noJson: `heads.json is not JSON. ${again}`,
    others: (layers: number, heads: number) =>
      `heads.json does not describe the ${integer(layers)} × ${integer(heads)} heads of this model. ${again}`,
    book: 'held-out text',
  },
  /** Why held-out.json cannot be used; the reasons follow the file's name. */
  heldOut: {
    unreadable: (file: string, why: string) =>
      `${file} ${why}. Create it again with training/held_out.py, or remove it.`,
    noJson: 'is not JSON',
    noRows: 'does not give the number of rows and of tokens per row',
    tooLong: (tokens: number, most: number) =>
      `has rows of ${integer(tokens)} tokens, but this model reads ${integer(most)} at most`,
    noBits: 'does not give the number of bits per token',
    tooShort: 'has fewer tokens than it says',
    noSpecial: 'does not name its special tokens',
    unknownTokens: 'has tokens that this model does not have',
    noMasks: 'masks no token',
  },
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
