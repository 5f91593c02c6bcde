import { messages } from '../../i18n/messages.svelte'
import { integer, plural, atMost, difference, significant } from '../../i18n/numbers'
import type { Values } from './data'
import { hasNoHover } from '../../ui/pointer'

const positions = (offset: number) => `${integer(offset)} ${plural(offset, { one: 'position', other: 'positions' })}`

const drag = () => (hasNoHover() ? 'Drag the handle' : 'Drag the handle or press an arrow key')

const en = {
  help: 'Adds one number to every position: all hands rotate, and the angle between two of them stays.',
  shiftedHelp: 'All hands rotate, and the angle between two of them stays. Dotted: the hands without the shift.',
  source:
    'RoFormer (Su et al. 2021, arXiv 2104.09864), equation 16: a score depends on two positions only by their difference. What remains is rounding: of angles, products and sums to 32-bit floats. Every weight of every head and every logit of every token are compared with those of the unshifted text, in two separate runs. It does not show what a model does with distances it was not trained on: all distances stay. Values rotated by their position are RoFormer’s rotary_value; rotated, and rotated back by the query’s position, they are RoVE (arXiv 2606.11275). A model that was trained with neither says nothing about the quality of the method.',

  offset: 'added to every position',
  offsetLabel: 'Number added to every position',
  slider: (offset: number, weight: number | undefined) =>
    weight === undefined
      ? `${positions(offset)} added`
      : `${positions(offset)} added; the largest change of a weight is ${difference(weight)}`,
  by: 'shift by',
  pair: (pair: number) => `pair ${pair}`,
  turns: (turns: number) =>
    turns < 10
      ? `${significant(turns, turns < 1 ? 2 : 3)} turns`
      : `${integer(Math.floor(turns))} ${plural(Math.floor(turns), { one: 'turn', other: 'turns' })}`,
  between: (degrees: string) => `between ${degrees}`,
  weights: 'largest change of any weight',
  logits: 'largest change of any logit',
  values: 'values',
  rotated: 'rotated by position',
  rotatedHint: 'RoFormer’s rotary_value: outputs are not rotated back',
  rotatedOnly: 'rotary_value is a setting of RoFormer: this model has none',
  rotatedAlready: 'this model rotates its values already',
  rotatedBack: 'rotated and rotated back',
  rotatedBackHint: 'RoVE: values by their own position, a head’s output back by the query’s',
  attention: {
    name: 'attention',
    kinds: {
      softmax: 'softmax',
      linear: 'linear (eq. 19)',
      linear_rotate_first: 'linear, rotated first',
    },
    hints: {
      softmax: 'Weights are a softmax of scores.',
      linear:
        'The paper’s linear attention: φ(x) = elu(x) + 1 of queries and keys, then the rotation, over a sum that is not rotated. Weights may be negative and do not sum to 1. Scores depend on distances alone.',
      linear_rotate_first:
        'A common variant, not the paper’s: the rotation comes before φ. Its scores depend on where the text begins: shift all positions to see it.',
    },
  },
  largest: (head: string, place: string) => `largest change: head ${head}, ${place}`,
  rounding: 'one rounding to a 32-bit float',

  headline: {
    unshifted: 'No shift.',
    /** Of a text that is not shifted. */
    sample: (offset: number, weight: number) =>
      weight === 0
        ? `With ${integer(offset)} added to every position, no weight would move at all.`
        : `With ${integer(offset)} added to every position, no weight would move by more than ${atMost(weight)}.`,
    unshiftedLine: {
      get unrotated(): string {
        return `${drag()}: every token moves by the same number of positions.`
      },
      get rotated(): string {
        return `Values are rotated by their position. ${drag()}, and see what that breaks.`
      },
      get rotatedBack(): string {
        return `Values are rotated and rotated back. ${drag()}: the weights stay again.`
      },
    },
    /** @param change the shift and the other interventions: "Without head L2·H6, shifted by 10 positions" */
    shifted: (change: string) => `${change}.`,
    loading: 'Comparing every weight of every head, and every logit, with the unshifted text…',
    failed: (why: string) => `Changes of weights and logits are not measured: ${why}`,
    invariant: (change: string, weight: number) =>
      weight === 0
        ? `${change}, no weight moves at all.`
        : `${change}, no weight moves by more than ${atMost(weight)}.`,
    invariantLine: (weights: number, heads: number, logit: number, values: Values) => {
      const why = {
        unrotated: 'Scores depend on distances alone; what remains is rounding.',
        rotated: 'Values are rotated by their position, and yet only rounding remains.',
        rotatedBack: 'Values are rotated by their own position and rotated back by the query’s: only distances remain.',
      }
      return `${integer(weights)} weights of all ${integer(heads)} heads were compared, and no logit moves by more than ${atMost(logit)}. ${why[values]}`
    },
    moves: (change: string, weight: number, logit: number) =>
      `${change}, a weight moves by ${difference(weight)} and a logit by ${difference(logit)}.`,
    movesLine: (head: string, place: string, weight: number) =>
      `That is more than rounding: something in this model depends on positions, not on distances alone. The largest change of a weight, ${difference(weight)}, is that of head ${head}, ${place}.`,
    rotatedLine: (head: string, place: string, weight: number) =>
      `Values are rotated by their position and not rotated back, so a head’s output depends on its position, and every later layer reads that. The largest change of a weight, ${difference(weight)}, is that of head ${head}, ${place}.`,
  },

  table: 'Measured offsets',
  columns: ['added', 'largest change of a weight', 'layer', 'head', 'query', 'key', 'largest change of a logit'],
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
