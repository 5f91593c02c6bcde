import { messages } from '../../i18n/messages.svelte'
import { decimal, integer, ordinal, plural, headName, percent, score, signed } from '../../i18n/numbers'
import { key, query, sentence, type Piece, type Sentence, type Token as Named } from '../../i18n/rich'
import { distances } from '../head-grid/messages.en'

interface PatternMeasurement {
  /** Query tokens that have such a key. */
  queries: number
  /** Those that give it their largest weight. */
  matches: number
  /** The weight that such keys get on average. */
  mean: number
}

/** 20 of 21 tokens, all 21 tokens. */
const tokens = ({ queries, matches }: PatternMeasurement) =>
  matches === queries ? `All ${integer(queries)} tokens` : `${integer(matches)} of ${integer(queries)} tokens`

const average = ({ mean }: PatternMeasurement) => `${percent(mean)} on average here`

/** A head with the pattern in words, its queries, what they look at, and the pattern's short name. */
const pattern = {
  previous: {
    does: 'looks one token back',
    line: (it: PatternMeasurement) =>
      `${tokens(it)} that have a token before them give it their largest weight: ${average(it)}.`,
    where: 'the token before them',
  },
  next: {
    does: 'looks one token ahead',
    line: (it: PatternMeasurement) =>
      `${tokens(it)} that have a token after them give it their largest weight: ${average(it)}.`,
    where: 'the token after them',
  },
  twoBack: {
    does: 'looks two tokens back',
    line: (it: PatternMeasurement) =>
      `${tokens(it)} that have a token two back give it their largest weight: ${average(it)}.`,
    where: 'the token two back',
  },
  twoAhead: {
    does: 'looks two tokens ahead',
    line: (it: PatternMeasurement) =>
      `${tokens(it)} that have a token two ahead give it their largest weight: ${average(it)}.`,
    where: 'the token two ahead',
  },
  itself: {
    does: 'lets tokens look at themselves',
    line: (it: PatternMeasurement) => `${tokens(it)} give themselves their largest weight: ${average(it)}.`,
    where: 'themselves',
  },
  first: {
    does: 'looks at the first token',
    line: (it: PatternMeasurement) => `${tokens(it)} after the first give it their largest weight: ${average(it)}.`,
    where: 'the first token',
  },
  same: {
    does: 'looks at the same token elsewhere',
    line: (it: PatternMeasurement) =>
      `${tokens(it)} that occur elsewhere, too, look there most: they give it ${average(it)}.`,
    where: 'the same token elsewhere',
  },
  onward: {
    does: 'reads along the source',
    line: (it: PatternMeasurement) =>
      `${tokens(it)} after the first give their largest weight to a later source token than the token before them: ${average(it)}.`,
    where: 'a later source token than the token before',
  },
  sourceEnd: {
    does: 'looks at the end of the source',
    line: (it: PatternMeasurement) =>
      `${tokens(it)} give the source’s last token their largest weight: ${average(it)}.`,
    where: 'the source’s last token',
  },
  sourceStart: {
    does: 'looks at the beginning of the source',
    line: (it: PatternMeasurement) =>
      `${tokens(it)} give the source’s first token their largest weight: ${average(it)}.`,
    where: 'the source’s first token',
  },
  copy: {
    does: 'looks at the same token in the source',
    line: (it: PatternMeasurement) =>
      `${tokens(it)} that occur in the source, too, look there most: they give it ${average(it)}.`,
    where: 'the same token in the source',
  },
}

type Pattern = keyof typeof pattern

/** A token, and the part of all that is taken from it. */
interface Token {
  name: string
  position: number
  share: number
}
/** The number that a map shows for a query and a key. */
type MapKind = 'weight' | 'value' | 'output' | 'score' | 'content' | 'rotation'

/** The heads that a map is of. */
interface MapHeads {
  mean: 'head' | 'layer' | 'all' | 'some'
  layer: number
  head: number
  /** The number of heads that it is the mean of. */
  count: number
}

/** The numbers' names in tables. */
const numbers: Record<MapKind, string> = {
  weight: 'weights',
  value: 'weights · ‖v‖',
  output: 'weights · ‖v W‖',
  score: 'scores before softmax',
  content: 'scores without rotation',
  rotation: 'what rotation adds to the scores',
}

/** In a figure's caption. */
const quantities: Record<MapKind, string> = {
  weight: 'attention weight',
  value: 'attention weight · ‖v‖',
  output: 'attention weight · ‖v W‖',
  score: 'score before softmax',
  content: 'score without rotation',
  rotation: 'what rotation adds to the score',
}

const heading = ({ mean, layer, head, count }: MapHeads) =>
  ({
    head: `Layer ${integer(layer)}, head ${integer(head)}`,
    layer: `Layer ${integer(layer)}, mean of ${integer(count)} heads`,
    all: `Mean of all ${integer(count)} heads`,
    some: `Mean of ${integer(count)} ${plural(count, { one: 'head', other: 'heads' })}`,
  })[mean]

const away = (from: number, to: number) =>
  from === to
    ? 'itself'
    : from > to
      ? `${integer(from - to)} ${plural(from - to, { one: 'token', other: 'tokens' })} back`
      : `${integer(to - from)} ${plural(to - from, { one: 'token', other: 'tokens' })} ahead`

interface ScoreRange {
  least: number
  most: number
  mean: number
}

/** What a map of these numbers shows. */
const help = (kind: MapKind, linear: boolean) =>
  ({
    weight: linear
      ? 'Each row is a query. Linear attention has no softmax: its weights have a sign, and rows do not sum to 1.'
      : 'Each row is a query: the stronger the colour of a column, the more it reads from that key. Rows sum to 1.',
    value: 'Weight times the length of the key’s value: what the query takes, by size. Rows do not sum to 1.',
    output: 'Weight times the length of the value behind the output projection: what the head adds, by size.',
    score: linear
      ? 'Scores φ(q)·φ(k) before they are divided by the sum of their row: green is above 0, magenta below.'
      : 'Scores q·k / √d before softmax: green is above 0, magenta below.',
    content: 'Scores without rotation: the part that comes from the content of the tokens alone.',
    rotation: 'What rotation adds to each score (green) or takes from it (magenta).',
  })[kind]

interface MapFacts {
  isLinear: boolean
  /** Whether the map is a mean over heads. */
  isMean: boolean
  /** Whether the model rotates queries and keys. */
  rotates: boolean
}

/** What the numbers of the map are, how they are coloured, and what they do not show. */
function source(kind: MapKind, { isLinear, isMean, rotates }: MapFacts): string {
  const isSigned = isLinear || kind === 'score' || kind === 'content' || kind === 'rotation'
  const norms =
    '(Kobayashi et al. 2020, arXiv 2004.10102, weighted norms). Their rows do not sum to 1, and they are not scaled up where special tokens are left out.'
  return [
    `RoFormer (Su et al. 2021, arXiv 2104.09864), equation ${isLinear ? 19 : 2}${rotates ? '; q and k are already rotated to their positions' : ''}.`,
    {
      weight: isLinear
        ? 'Weights of linear attention have a sign, and no row of them sums to 1.'
        : 'Weights are coloured from 0 to 1 in every map. A large weight on a small value changes little: weights · ‖v‖ counts the value.',
      value: `The norm counts the key’s value ${norms}`,
      output: `The norm counts the value behind the head’s part of the output projection, without its bias ${norms}`,
      score: isLinear ? '' : 'Softmax turns scores into weights.',
      content: 'Content is the score without rotation.',
      rotation: 'Rotation is the difference between the score and the score without rotation.',
    }[kind],
    isMean
      ? 'A mean is taken cell by cell over the weighted quantity; where special tokens are left out, a mean’s rows of weights sum to 1 again.'
      : '',
    isSigned
      ? 'Positive numbers are green, negative ones magenta, up to the map’s largest value. If a few cells are far larger than all others, the colours end before them, and the bar’s ends say ≤ and ≥.'
      : kind === 'weight'
        ? ''
        : 'The colours reach to the map’s largest value.',
    'Masked cells are sand. A large weight says where a head reads, not what it does with it: attention is not an explanation.',
  ]
    .filter(Boolean)
    .join(' ')
}

const en = {
  help: help('weight', false),
  helpOf: help,
  source: source('weight', { isLinear: false, isMean: false, rotates: true }),
  sourceOf: source,
  heading,
  label: (subject: MapHeads) =>
    `Attention. ${heading(subject)}. Arrow keys move from cell to cell, Home and End along a row, Page keys ten rows.`,
  axes: (cross: boolean) => (cross ? { query: 'target ↓', key: 'source →' } : { query: 'query ↓', key: 'key →' }),
  kind: {
    name: 'Numbers',
    weight: 'weights',
    value: 'weights · ‖v‖',
    output: 'weights · ‖v W‖',
    score: 'scores',
    content: 'content',
    rotation: 'rotation',
  },
  /** A number in an announcement. */
  measured: (kind: MapKind, value: string) =>
    ({
      weight: value,
      value: `weight times norm of the value ${value}`,
      output: `weight times norm of the projected value ${value}`,
      score: `score ${value}`,
      content: `score without rotation ${value}`,
      rotation: `rotation adds ${value}`,
    })[kind],
  mean: {
    name: 'Heads',
    layer: 'its layer',
    all: 'all heads',
    some: 'picked heads',
  },
  picked: {
    name: 'Picked heads',
    place: (layer: number, head: number) => headName({ layer, head }),
    add: (layer: number, head: number) => `add ${headName({ layer, head })}`,
    leave: (layer: number, head: number) => `Leave out head ${headName({ layer, head })}`,
    hint: 'Add others by the grid.',
  },
  scale: {
    name: 'Colours',
    root: 'colour: √',
    linear: 'colour: linear',
    log: 'colour: log',
  },
  special: { name: 'Special tokens', show: 'all tokens', hide: 'no special tokens' },
  hiddenHere: 'Only special tokens here: show all tokens to see their weights.',
  pair: (queryToken: string, m: number, keyToken: string, n: number): Sentence =>
    sentence`${query({ text: queryToken, position: m })} → ${key({ text: keyToken, position: n })}`,
  rank: (rank: number, of: number) => `${ordinal(rank)} of ${integer(of)} ${plural(of, { one: 'key', other: 'keys' })}`,
  leftOut: 'a special token, left out here',
  forbidden: 'masked (future token)',
  away,
  rankAway: (kind: MapKind, rank: string, away: string | undefined) => {
    const number = {
      weight: undefined,
      value: 'weight · ‖v‖',
      output: 'weight · ‖v W‖',
      score: 'score before softmax',
      content: 'score without rotation',
      rotation: 'what rotation adds',
    }[kind]
    return [number, rank, away].filter((part) => part !== undefined).join(', ')
  },
  ranking: (kind: MapKind, queryToken: string, position: number): Sentence => {
    const token = query({ text: queryToken, position })
    return {
      weight: sentence`What ${token} attends to`,
      value: sentence`What ${token} takes, by ‖v‖`,
      output: sentence`What ${token} takes, by ‖v W‖`,
      score: sentence`The highest scores of ${token}`,
      content: sentence`Without rotation, ${token} scores`,
      rotation: sentence`What rotation adds for ${token}`,
    }[kind]
  },
  /** Keys that a ranking does not list. */
  others: (count: number) => `${integer(count)} more, each under 0.001`,
  spoken: (place: { subject: MapHeads; query: string; m: number; key: string; n: number }, reading: string) =>
    `${place.subject.mean === 'head' ? `layer ${place.subject.layer} head ${place.subject.head}` : heading(place.subject)}, query '${place.query}' ${place.m}, key '${place.key}' ${place.n}: ${reading}`,
  bar: (least: string, most: string) => `Colours from ${least} to ${most}`,
  corner: 'query \\ key',

  /** A caption names one head by itself. */
  quantity: (subject: MapHeads, kind: MapKind, withoutSpecial: boolean) =>
    `${quantities[kind]}${subject.mean === 'head' ? '' : `, ${heading(subject).toLowerCase()}`}${withoutSpecial ? ', special tokens left out' : ''}`,
  table: (subject: MapHeads, kind: MapKind, withoutSpecial: boolean) =>
    `${heading(subject)}: ${numbers[kind]}${withoutSpecial ? ', special tokens left out' : ''}; queries down, keys across`,
  headline: {
    subject: ({ mean, layer, head, count }: MapHeads) =>
      ({
        head: `Head ${headName({ layer, head })}`,
        layer: `The mean of layer ${layer}`,
        all: `The mean of all ${integer(count)} heads`,
        some: plural(count, { one: 'The picked head', other: `The mean of ${integer(count)} heads` }),
      })[mean],
    highest: (
      kind: 'score' | 'content',
      head: { layer: number; head: number },
      asks: Named,
      answers: Named,
      most: Piece,
    ) =>
      kind === 'score'
        ? sentence`Head ${headName(head)} scores ${query(asks)} → ${key(answers)} highest: ${most}.`
        : sentence`Without rotation head ${headName(head)} would score ${query(asks)} → ${key(answers)} highest: ${most}.`,
    scoreRange: (kind: 'score' | 'content', { least, most, mean }: ScoreRange, linear: boolean) =>
      `Scores${kind === 'score' ? '' : ' without rotation'} go from ${score(least)} to ${score(most)}, ${score(mean)} on average.${kind === 'score' && !linear ? ' Softmax turns the scores of a row into its weights.' : ''}`,
    rotation: (distance: number, there: number, elsewhere: number) =>
      `Rotation favours ${distance === 0 ? 'the query’s own place' : distances.where(distance)}: ${signed(there)} there, ${signed(elsewhere)} elsewhere on average.`,
    rotationLine: (subject: string, least: number) =>
      `${subject}’s scores with rotation minus those without. The largest loss of a cell is ${decimal(Math.max(0, -least), 2)}.`,
    measuring: (subject: string) => `${subject}…`,
    measuringLine: 'Measuring its map…',
    pattern: (subject: string, found: Pattern) => `${subject} ${pattern[found].does}.`,
    patternLine: (found: Pattern, measured: PatternMeasurement) => pattern[found].line(measured),
    spread: (subject: string, largest: number) =>
      `${subject} spreads its weight: its largest is ${percent(largest)} on average.`,
    picks: (subject: string, largest: number) =>
      `${subject} picks single tokens: its largest weight is ${percent(largest)} on average.`,
    takes: (subject: string, { name, position, share }: Token, kind: MapKind): Sentence =>
      sentence`${subject} takes most from ${key({ text: name, position })}: ${percent(share)} of all ${kind === 'value' ? 'weight · ‖v‖' : 'weight · ‖v W‖'}.`,
    byWeight: ({ name, position, share }: Token): Sentence =>
      sentence`By its weights alone ${key({ text: name, position })} would come first, with ${percent(share)}.`,
    sameByWeight: (share: number) => `By its weights alone it comes first, too, with ${percent(share)}.`,
    mean: (count: number) => `Measured on the mean of ${integer(count)} maps; no single head need look like it.`,
    few: 'Too few tokens for a pattern.',
    noPattern: (commonest: (PatternMeasurement & { pattern: Pattern }) | undefined, cross: boolean) =>
      commonest
        ? `The weight has no single place. Nearest to a pattern: ${integer(commonest.matches)} of ${integer(commonest.queries)} tokens give ${pattern[commonest.pattern].where} their largest weight.`
        : cross
          ? 'The weight has no single place: the largest weights neither move along the source nor stay at its first or last token.'
          : 'The weight has no single place: neither the neighbouring tokens, nor the token itself, nor the first token.',
    /** Of cross-attention. */
    whileWriting: 'A row shows what the model reads while it writes the next token.',
    withoutSpecial: 'Special tokens are left out.',
  },
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
