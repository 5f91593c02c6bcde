import { decimal, integer, plural } from '../numbers'

const positions = (offset: number) => `${integer(offset)} ${plural(offset, { one: 'position', other: 'positions' })}`

/** A small number that the value does not exceed, with one digit that counts: 3.4e-7 is at most 0.0000004. */
export function atMost(value: number): string {
  if (value <= 0) return '0'
  const exponent = Math.floor(Math.log10(value))
  // Of a value that is such a number itself, no more than rounding may be lost.
  const digit = Math.ceil(value / 10 ** exponent - 1e-9)
  const [first, place] = digit === 10 ? [1, exponent + 1] : [digit, exponent]
  return decimal(first * 10 ** place, Math.max(0, -place))
}

/** A change with two digits that count. */
export function change(value: number): string {
  if (value === 0) return '0'
  return decimal(value, Math.min(12, Math.max(2, 1 - Math.floor(Math.log10(value)))))
}

/** What becomes of values: as they are, rotated by their position, or turned back again. */
type Values = 'still' | 'rotated' | 'turnedBack'

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

export const shift = {
  tab: 'Shift all',
  title: 'Shift everything',
  help: 'Adds one number to every position. All hands turn; the angle between two of them, and so every weight, stays.',
  source:
    'RoFormer (Su et al. 2021, arXiv 2104.09864), equation 16: a score holds the two positions only as their difference. What is left is rounding: of angles, products and sums to 32-bit floats. Every weight of every head and every logit of every token are compared with those of the same text where it was, in two runs beside the one shown. It does not show what a model does with distances that it has never seen: here they all stay the same. Values rotated by their position are RoFormer’s rotary_value; rotated and turned back by the query’s position they are RoVE (arXiv 2606.11275). What either does to guesses of a model that was not trained with it is no measure of it.',

  offset: 'added to every position',
  offsetLabel: 'Number added to every position',
  slider: (offset: number, weight: number | undefined) =>
    weight === undefined
      ? `${positions(offset)} added`
      : `${positions(offset)} added; the largest change of a weight is ${change(weight)}`,
  by: 'shift by',
  at: (token: string, position: number) => `${token} ${integer(position)}`,
  pair: (pair: number) => `pair ${pair}`,
  wavelength: (length: string) => `λ ${length}`,
  both: (pair: string, wavelength: string) => `${pair}, ${wavelength}`,
  turns: (turns: number) =>
    `${turns < 10 ? decimal(turns, 2) : integer(Math.floor(turns))} ${turns < 10 ? 'turns' : plural(Math.floor(turns), { one: 'turn', other: 'turns' })}`,
  between: (degrees: string) => `between ${degrees}`,
  power: (exponent: number): string => {
    if (exponent === 0) return '1'
    const digits = [...String(Math.abs(exponent))].map((digit) => superscripts[Number(digit)] ?? '')
    return `10${exponent < 0 ? '⁻' : ''}${digits.join('')}`
  },
  ticks: (offset: number) => integer(offset),
  weights: 'largest change of any weight',
  logits: 'largest change of any logit',
  values: 'values',
  rotated: 'rotated by position',
  rotatedHint: 'RoFormer’s rotary_value: never turned back',
  rotatedOnly: 'rotary_value is RoFormer’s: this model has none',
  rotatedAlready: 'this model rotates its values by itself',
  turnedBack: 'rotated and turned back',
  turnedBackHint: 'RoVE: by their own position, and what a head gives back by the query’s',
  place: (query: string, key: string) => `${query} → ${key}`,
  largest: (head: string, place: string) => `moves most: head ${head}, ${place}`,
  rounding: 'one rounding to a 32-bit float',
  change,

  headline: {
    still: 'Nothing is shifted yet.',
    stillLine: {
      still: 'Drag the handle or press an arrow key: every token moves by as many positions.',
      rotated: 'Values are rotated by their position. Drag the handle or press an arrow key, and see what that breaks.',
      turnedBack: 'Values are rotated and turned back. Drag the handle or press an arrow key: the shift holds again.',
    },
    coming: (shifted: string) => `${shifted}.`,
    comingLine: 'Comparing every weight of every head, and every logit, with the text where it was …',
    refusedLine: (why: string) => `By how much weights and logits move is not measured: ${why}.`,
    rests: (shifted: string, weight: number) =>
      weight === 0
        ? `${shifted}, no weight moves at all.`
        : `${shifted}, no weight moves by more than ${atMost(weight)}.`,
    moves: (shifted: string, weight: number, logit: number) =>
      `${shifted}, a weight moves by ${change(weight)} and a logit by ${change(logit)}.`,
    restsLine: (weights: number, heads: number, logit: number, values: Values) => {
      const why = {
        still: 'Scores depend on distances alone; what is left is rounding.',
        rotated: 'Values are rotated by their position, and yet only rounding is left.',
        turnedBack: 'Values are rotated by their own position and turned back by the query’s: only distances are left.',
      }
      return `${integer(weights)} weights of all ${integer(heads)} heads were compared, and no logit moves by more than ${atMost(logit)}. ${why[values]}`
    },
    movesLine: (head: string, place: string, weight: number) =>
      `That is more than rounding: something in this model depends on positions, not on distances alone. The weight that moves most, by ${change(weight)}, is of head ${head}, ${place}.`,
    rotatedLine: (head: string, place: string, weight: number) =>
      `Values are rotated by their position and never turned back, so what a head hands on says where it stands, and every layer after it reads that. The weight that moves most, by ${change(weight)}, is of head ${head}, ${place}.`,
  },

  keys: {
    across: 'a step less or more',
    pages: 'ten times, a tenth',
    ends: 'none, as far as it goes',
  },

  table: 'offsets tried',
  columns: ['added', 'largest change of a weight', 'layer', 'head', 'query', 'key', 'largest change of a logit'],
}
