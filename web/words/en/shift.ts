import { decimal, integer, plural } from '../numbers'

const positions = (offset: number) => `${integer(offset)} ${plural(offset, 'position', 'positions')}`

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

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

export const shift = {
  tab: 'Shift all',
  title: 'Shift everything',
  help: 'Adds one number to every position. All hands turn; the angle between two of them, and so every weight, stays.',
  source:
    'RoFormer (Su et al. 2021, arXiv 2104.09864), equation 16: a score holds the two positions only as their difference. What is left is rounding: of angles, products and sums to 32-bit floats. It does not show what a model does with distances that it has never seen: here they all stay the same. Where values are turned, too (rotary_value), what a head hands on depends on where it stands, and everything after the first layer changes.',

  offset: 'added to every position',
  offsetLabel: 'Number added to every position',
  slider: (offset: number, weight: number | undefined) =>
    weight === undefined
      ? `${positions(offset)} added`
      : `${positions(offset)} added; the largest change of a weight is ${change(weight)}`,
  none: 'none',

  by: 'shift by',
  at: (token: string, position: number) => `${token} ${integer(position)}`,
  pair: (pair: number) => `pair ${pair}`,
  wavelength: (length: string) => `λ ${length}`,
  both: (pair: string, wavelength: string) => `${pair}, ${wavelength}`,
  turns: (turns: number) =>
    `${turns < 10 ? decimal(turns, 2) : integer(Math.floor(turns))} ${turns < 10 ? 'turns' : plural(Math.floor(turns), 'turn', 'turns')}`,
  between: (degrees: string) => `between ${degrees}`,
  power: (exponent: number): string => {
    if (exponent === 0) return '1'
    const digits = [...String(Math.abs(exponent))].map((digit) => superscripts[Number(digit)] ?? '')
    return `10${exponent < 0 ? '⁻' : ''}${digits.join('')}`
  },
  ticks: (offset: number) => integer(offset),
  weights: (head: string) => `largest change of a weight of ${head}`,
  fills: 'largest change of a guess',
  logits: 'largest change of a logit',
  rounding: 'one rounding to a 32-bit float',
  change,

  headline: {
    still: 'Nothing is shifted yet.',
    stillLine: 'Drag the handle or press an arrow key: every token moves by as many positions.',
    rests: (offset: number, weight: number) =>
      weight === 0
        ? `Shifted by ${positions(offset)}, no weight moves at all.`
        : `Shifted by ${positions(offset)}, no weight moves by more than ${atMost(weight)}.`,
    moves: (offset: number, weight: number) => `Shifted by ${positions(offset)}, a weight moves by ${change(weight)}.`,
    breaks: (offset: number, fill: number) => `Shifted by ${positions(offset)}, a guess moves by ${change(fill)}.`,
    restsLine: (head: string, weights: number, fill: number | undefined) =>
      `${integer(weights)} weights of head ${head} were compared${fill === undefined ? '' : `, and no guess moves by more than ${atMost(fill)}`}. Scores depend on distances alone; what is left is rounding.`,
    movesLine: (head: string) =>
      `Head ${head}. That is more than rounding: something in this model depends on positions, not on distances alone.`,
    turnsValues: (head: string, weight: number) =>
      `This model turns its values, too (rotary_value): what a head hands on depends on where it stands. The largest change of a weight of head ${head} is ${change(weight)}.`,
    others: 'Heads or pairs are changed.',
    othersLine: 'Put heads and pairs back to see what the shift alone does.',
  },

  keys: {
    across: 'a step less or more',
    pages: 'ten times, a tenth',
    ends: 'none, as far as it goes',
  },

  table: 'offsets tried',
  columns: ['added', 'largest change of a weight', 'largest change of a guess'],
}
