import { messages } from '../../i18n/messages.svelte'
import { decimal, integer, percent, atMost, capital } from '../../i18n/numbers'
import type { Compared, HeadPattern } from './maps'

/** "looks one token back" */
const looks: Record<HeadPattern, string> = {
  back: 'one token back',
  ahead: 'one token ahead',
  itself: 'at the token itself',
  first: 'at the first token',
  last: 'at the last token',
  sourceStart: 'at the beginning of the source',
  sourceEnd: 'at the end of the source',
}

/** "gives the token before 41 % of its weight" */
const target: Record<HeadPattern, string> = {
  back: 'the token before',
  ahead: 'the token after',
  itself: 'the token itself',
  first: 'the first token',
  last: 'the last token',
  sourceStart: 'the source’s first token',
  sourceEnd: 'the source’s last token',
}

/** A weight or a share, with two digits. */
const share = (value: number) => decimal(value, 2)
const signed = (value: number) =>
  Math.abs(value) < 0.005 ? '0.00' : `${value < 0 ? '−' : '+'}${decimal(Math.abs(value), 2)}`
const correlated = (r: number) => `${r <= -0.005 ? '−' : ''}${decimal(Math.abs(r), 2)}`

interface Names {
  a: string
  b: string
}

/** @param linear whether A or B has linear attention */
const source = (linear: boolean) =>
  `${linear ? 'A and B are attention weights. Those of linear attention have a sign, and their rows do not sum to 1, so parts of all weight are rough.' : 'A and B are softmax weights: in each row both sum to 1, and A − B to 0.'} r is the correlation (Pearson) of all weights of the two maps that can be other than 0. The weight that would have to move is half the sum of |A − B| over a row, the mean of all rows: 0 % where both are equal, 100 % where they have no token in common. Of two texts only the tokens of a common beginning and end are subtracted, if these are a quarter of the shorter text; of equally long texts all tokens, position by position. In a row all other tokens count as one. The weight at the same distances is 1 minus half the sum of differences between the shares of all weight at each distance from its query. It does not show what the heads do with the tokens they read: two equal maps can carry different values.`

const en = {
  help: 'Two attention maps and their difference.',
  /** Of texts that have too little in common. */
  helpWithoutDifference: 'Two attention maps. They have too few tokens in common for a difference.',
  source: source(false),
  sourceOf: source,

  a: 'A',
  b: 'B',
  difference: 'A − B',
  signed,
  weight: share,
  head: (head: string) => `head ${head}`,
  baseline: (head: string) => `${head} baseline`,
  changedHead: (head: string, change: string) => `${head}, ${change}`,
  headIn: (head: string, text: string) => `${head} in “${text}”`,
  aMore: 'A more',
  mostDifferent: 'Where they differ most',
  bMore: 'B more',
  correlation: (r: number | undefined) => (r === undefined ? '' : `r ${correlated(r)}`),
  elsewhere: (part: number | undefined) =>
    part === undefined ? '' : `${percent(part, 0)} of the weight would have to move`,
  byDistance: (part: number) => `${percent(part, 0)} of the weight at the same distances`,
  noToken: '–',
  both: (one: string, other: string) => `${one} | ${other}`,
  token: (token: string, position: number) => `${token} ${integer(position)}`,
  label: (a: string, b: string, subtracted: boolean) =>
    `A, ${a}, B, ${b}${subtracted ? ', and their difference' : ''}. Arrow keys move from cell to cell, Home and End along a row, Page keys ten rows.`,
  cell: (
    query: string,
    m: number,
    key: string,
    n: number,
    a: number,
    b: number | undefined,
    difference: number | undefined,
  ) =>
    `query '${query}' ${m}, key '${key}' ${n}: A ${share(a)}, B ${b === undefined ? 'has no such tokens' : share(b)}${difference === undefined ? '' : `, A − B ${signed(difference)}`}`,
  loading: 'Loading B…',
  /** The switch of a phone. */
  show: 'Map',

  with: 'B is',
  choices: {
    change: 'the changed model',
    head: 'another head',
    text: 'another text',
    model: 'another model',
    scaling: 'another RoPE scaling',
  },
  text: 'Text of B',
  model: 'Model of B',
  scaling: 'RoPE scaling of B',
  preset: (name: string, factor: number) => `${name} × ${factor}`,
  weightsOf: (name: string, format: string) => `${name}, weights ${format}`,
  ownModel: (name: string) => `${name} (your own)`,
  noModel: 'No other model is open. Open one of your own under Models, then this one again.',
  modelGone: 'The model of this link is not available here. B is another one.',
  clamped: (head: string, model: string) => `${model} has fewer layers or heads: B is its head ${head}.`,
  modelUnchanged: 'Interventions apply to A’s model only.',
  failed: (why: string) => `B failed: ${why}`,
  otherLayer: 'Layer of B',
  otherHead: 'Head of B',

  headOf: (head: string, model: string) => `${head} of ${model}`,

  headline: {
    patterns: ({ a, b }: Names, ofA: HeadPattern, ofB: HeadPattern) =>
      ofA === ofB ? `${a} and ${b} both look ${looks[ofA]}.` : `${a} looks ${looks[ofA]}; ${b} ${looks[ofB]}.`,
    pattern: (looking: string, other: string, pattern: HeadPattern) =>
      `${looking} looks ${looks[pattern]}; ${other} does not.`,
    spread: ({ a, b }: Names, elsewhere: number) =>
      `${a} and ${b} put ${percent(elsewhere, 0)} of their weight on different tokens.`,
    distances: ({ a, b }: Names, alike: number | undefined) =>
      alike === undefined
        ? `${a} and ${b} read different tokens.`
        : `${a} and ${b} give ${percent(alike, 0)} of their weight to the same distances.`,
    bothTexts: (head: string, pattern: HeadPattern) => `${head} looks ${looks[pattern]} in both texts.`,
    texts: (head: string, ofA: HeadPattern | undefined, ofB: HeadPattern | undefined) => {
      if (ofA && ofB) return `${head} looks ${looks[ofA]} in A’s text, ${looks[ofB]} in B’s.`
      return ofA
        ? `${head} looks ${looks[ofA]} in A’s text; in B’s it does not.`
        : `${head} looks ${looks[ofB ?? 'itself']} in B’s text; in A’s it does not.`
    },
    textsSpread: (head: string, alike: number | undefined, sameSource: boolean | undefined) =>
      alike === undefined
        ? sameSource
          ? `${head} has no clear pattern in the source that both texts share.`
          : `${head} has no clear pattern in either source.`
        : `In both texts ${head} gives ${percent(alike, 0)} of its weight to the same distances.`,
    rests: (head: string, change: string, most: number) =>
      most === 0
        ? `${capital(change)}, head ${head} gives exactly the same weights as before.`
        : `${capital(change)}, head ${head} looks where it did before: no weight changes by more than ${atMost(most)}.`,
    keeps: (head: string, change: string, pattern: HeadPattern) =>
      `${capital(change)}, head ${head} still looks ${looks[pattern]}.`,
    loses: (head: string, change: string, pattern: HeadPattern) =>
      `${capital(change)}, head ${head} no longer looks ${looks[pattern]}.`,
    turns: (head: string, change: string, from: HeadPattern, to: HeadPattern) =>
      `${capital(change)}, head ${head} looks ${looks[to]}, not ${looks[from]}.`,
    moves: (head: string, change: string, elsewhere: number) =>
      `${capital(change)}, head ${head} puts ${percent(elsewhere, 0)} of its weight on other tokens.`,
    line: (
      { a, b }: Names,
      pattern: HeadPattern,
      ofA: number,
      ofB: number,
      elsewhere: number | undefined,
      r: number | undefined,
    ) => {
      const alike = r === undefined ? '' : `; the maps correlate by ${correlated(r)}`
      const moved =
        elsewhere === undefined
          ? ''
          : ` To make them equal, ${percent(elsewhere, 0)} of the weight would have to move${alike}.`
      return `${capital(a)} gives ${target[pattern]} ${percent(ofA, 0)} of its weight on average, ${b} ${percent(ofB, 0)}.${moved}`
    },
    textsCompared: {
      all: () => 'Both texts are equal.',
      places: (shared: number) => `Both have ${integer(shared)} tokens: they are compared position by position.`,
      ends: (shared: number, tokens: number) =>
        `${integer(shared)} of ${integer(tokens)} tokens are a common beginning and end: these are compared.`,
      none: () => 'They have too few tokens in common to be compared cell by cell.',
    } satisfies Record<Compared, (shared: number, tokens: number) => string>,
    modelsCompared: (shared: number) =>
      shared > 0
        ? `Both models read the same ${integer(shared)} tokens.`
        : 'The models split the text into different tokens: these are not compared.',
    byDistance: (alike: number) => `They give ${percent(alike, 0)} of their weight to the same distances.`,
    baseline: 'the baseline',
    changed: 'the changed model',
  },

  table: (name: string) => `${name} (queries down, keys across)`,
  corner: 'query \\ key',
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
