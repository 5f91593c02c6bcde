// What the view tells once it is open: fetched with it.
import { decimal, integer, percent } from '../../numbers'
import { capital } from '../changed'
import { atMost } from '../../format'

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
  a: 'A',
  b: 'B',
  difference: 'A − B',
  signed,
  weight: share,
  head: (head: string) => `head ${head}`,
  whole: (head: string) => `${head} as it is`,
  changedHead: (head: string, change: string) => `${head}, ${change}`,
  headIn: (head: string, text: string) => `${head} in “${text}”`,
  aMore: 'A more',
  bMore: 'B more',
  correlation: (r: number | undefined) => (r === undefined ? '' : `r ${correlated(r)}`),
  elsewhere: (part: number | undefined) => (part === undefined ? '' : `${percent(part, 0)} elsewhere`),
  byDistance: (part: number) => `by distance ${percent(part, 0)} alike`,
  /** Where one of the maps has no such token. */
  none: '–',
  both: (one: string, other: string) => `${one} | ${other}`,
  token: (token: string, position: number) => `${token} ${integer(position)}`,
  label: (a: string, b: string, subtracted: boolean) =>
    `A, ${a}, B, ${b}${subtracted ? ', and their difference' : ''}. Arrow keys move from cell to cell, Home and End along a row, Page keys ten rows.`,
  role: 'attention maps',
  cell: (
    query: string,
    m: number,
    key: string,
    n: number,
    a: number,
    b: number | undefined,
    apart: number | undefined,
  ) =>
    `query '${query}' ${m}, key '${key}' ${n}: A ${share(a)}, B ${b === undefined ? 'has no such tokens' : share(b)}${apart === undefined ? '' : `, A − B ${signed(apart)}`}`,
  waiting: 'B is on its way.',

  with: 'B is',
  choices: {
    change: 'the changed model',
    head: 'another head',
    text: 'another text',
    model: 'another model',
    scaling: 'another rope scaling',
  },
  text: 'Text of B',
  model: 'Model of B',
  scaling: 'Rope scaling of B',
  preset: (name: string, factor: number) => `${name} × ${factor}`,
  keptAs: (name: string, format: string) => `${name}, weights ${format}`,
  ownModel: (name: string) => `${name} (your own)`,
  noModel: 'There is no other model here: open one of your own under Models, and then this one again.',
  modelGone: 'The model that the link names is not open here. B is another one.',
  clamped: (head: string, model: string) => `${model} has fewer layers or heads: B is its head ${head}.`,
  modelAsItIs: 'B’s model is as it is: what is changed in A’s is not changed in it.',
  failed: (why: string) => `B could not be run: ${why}`,
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
    headOf: (head: string, model: string) => `${head} of ${model}`,
    distances: ({ a, b }: Names, alike: number) =>
      `${a} and ${b} give ${percent(alike, 0)} of their weight to the same distances.`,
    bothTexts: (head: string, habit: Habit) => `${head} looks ${looks[habit]} in both texts.`,
    texts: (head: string, ofA: Habit | undefined, ofB: Habit | undefined) => {
      if (ofA && ofB) return `${head} looks ${looks[ofA]} in A’s text, ${looks[ofB]} in B’s.`
      return ofA
        ? `${head} looks ${looks[ofA]} in A’s text; in B’s it does not.`
        : `${head} looks ${looks[ofB ?? 'itself']} in B’s text; in A’s it does not.`
    },
    textsSpread: (head: string, alike: number) =>
      `In both texts ${head} gives ${percent(alike, 0)} of its weight to the same distances.`,
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
    line: (
      { a, b }: Names,
      habit: Habit,
      ofA: number,
      ofB: number,
      elsewhere: number | undefined,
      r: number | undefined,
    ) => {
      const alike = r === undefined ? '' : `; the maps correlate by ${correlated(r)}`
      const apart = elsewhere === undefined ? '' : ` ${percent(elsewhere, 0)} of a row lies elsewhere${alike}.`
      return `${capital(a)} gives ${given[habit]} ${share(ofA)} of its weight on average, ${b} ${share(ofB)}.${apart}`
    },
    textsCompared: {
      all: () => 'Both texts are the same.',
      places: (shared: number) => `Both have ${integer(shared)} tokens: they are compared place by place.`,
      ends: (shared: number, tokens: number) =>
        `They begin and end with the same ${integer(shared)} of ${integer(tokens)} tokens: these are compared.`,
      none: () => 'They begin and end with too few tokens alike to be compared cell by cell.',
    },
    modelsCompared: (shared: number) =>
      shared > 0
        ? `Both models read the same ${integer(shared)} tokens.`
        : 'The models cut the text into other tokens: these are not compared.',
    byDistance: (alike: number) => `By distance ${percent(alike, 0)} of their weight is alike.`,
    whole: 'the whole model',
    changed: 'the changed one',
  },

  table: (name: string) => `${name} (queries down, keys across)`,
  corner: 'query \\ key',
}
