import { decimal, integer, percent } from '../numbers'
import { capital } from './changed'
import { atMost } from './shift'

export type Habit = 'back' | 'ahead' | 'itself' | 'first' | 'last'

/** What a map gives a place most of its weight: "looks one token back". */
const looks: Record<Habit, string> = {
  back: 'one token back',
  ahead: 'one token ahead',
  itself: 'at the token itself',
  first: 'at the first token',
  last: 'at the last token',
}

/** The same as what weight is given to. */
const given: Record<Habit, string> = {
  back: 'the token before',
  ahead: 'the token after',
  itself: 'the token itself',
  first: 'the first token',
  last: 'the last token',
}

/** Two digits, without the 0 before the point that a table of weights leaves out. */
const share = (value: number) => decimal(value, 2)
const signed = (value: number) =>
  Math.abs(value) < 0.005 ? '0.00' : `${value < 0 ? '−' : '+'}${decimal(Math.abs(value), 2)}`
const correlated = (r: number) => `${r <= -0.005 ? '−' : ''}${decimal(Math.abs(r), 2)}`

interface Names {
  a: string
  b: string
}

export const compare = {
  tab: 'Compare',
  title: 'A beside B',
  help: 'Two maps of the same text, and what is left when one is taken from the other.',
  source:
    'A and B are softmax weights: in each row both sum to 1, and A − B to 0. r is the correlation (Pearson) of all weights of the two maps that can be other than 0. “Elsewhere” is half the sum of |A − B| over a row, the mean of all rows: 0 where both look alike, 1 where they have no token in common. It does not show what the heads do with what they read: two that look alike can carry different things.',

  a: 'A',
  b: 'B',
  difference: 'A − B',
  signed,
  weight: share,
  head: (head: string) => `head ${head}`,
  whole: (head: string) => `${head} as it is`,
  aMore: 'A more',
  bMore: 'B more',
  correlation: (r: number | undefined) => (r === undefined ? '' : `r ${correlated(r)}`),
  elsewhere: (part: number) => `${percent(part, 0)} elsewhere`,
  token: (token: string, position: number) => `${token} ${integer(position)}`,
  label: (a: string, b: string) =>
    `A, ${a}, B, ${b}, and their difference. Arrow keys move from cell to cell, Home and End along a row, Page keys ten rows.`,
  role: 'three attention maps',
  cell: (query: string, m: number, key: string, n: number, a: number, b: number) =>
    `query '${query}' ${m}, key '${key}' ${n}: A ${share(a)}, B ${share(b)}, A − B ${signed(a - b)}`,
  waiting: 'B is on its way.',

  with: 'B is',
  withHead: 'another head',
  withChange: 'what is changed',
  layer: 'layer',
  otherHead: 'head',
  less: (what: string) => `B: ${what} before`,
  more: (what: string) => `B: ${what} after`,

  headline: {
    habits: ({ a, b }: Names, ofA: Habit, ofB: Habit) =>
      ofA === ofB ? `${a} and ${b} both look ${looks[ofA]}.` : `${a} looks ${looks[ofA]}; ${b} ${looks[ofB]}.`,
    habit: (looking: string, other: string, habit: Habit) => `${looking} looks ${looks[habit]}; ${other} does not.`,
    spread: ({ a, b }: Names, elsewhere: number) =>
      `${a} and ${b} put ${percent(elsewhere, 0)} of their weight on different tokens.`,
    rests: (head: string, change: string, most: number) =>
      most === 0
        ? `${capital(change)}, head ${head} looks exactly where it looked.`
        : `${capital(change)}, head ${head} looks where it looked: no weight moves by more than ${atMost(most)}.`,
    keeps: (head: string, change: string, habit: Habit) =>
      `${capital(change)}, head ${head} still looks ${looks[habit]}.`,
    loses: (head: string, change: string, habit: Habit) =>
      `${capital(change)}, head ${head} no longer looks ${looks[habit]}.`,
    turns: (head: string, change: string, from: Habit, to: Habit) =>
      `${capital(change)}, head ${head} looks ${looks[to]}, not ${looks[from]}.`,
    moves: (head: string, change: string, elsewhere: number) =>
      `${capital(change)}, head ${head} puts ${percent(elsewhere, 0)} of its weight on other tokens.`,
    line: ({ a, b }: Names, habit: Habit, ofA: number, ofB: number, elsewhere: number, r: number | undefined) => {
      const alike = r === undefined ? '' : `; the maps correlate by ${correlated(r)}`
      return `${capital(a)} gives ${given[habit]} ${share(ofA)} of its weight on average, ${b} ${share(ofB)}. ${percent(elsewhere, 0)} of a row lies elsewhere${alike}.`
    },
    whole: 'the whole model',
    changed: 'the changed one',
  },

  table: (name: string) => `${name} (queries down, keys across)`,
  corner: 'query \\ key',
}
