import { distances } from '../../charts/head-grid/messages.en'
import { messages } from '../../i18n/messages.svelte'
import {
  decimal,
  integer,
  significant,
  plain,
  score as scoreText,
  signed,
  tokenName,
  wavelength,
  percent,
} from '../../i18n/numbers'
import { key, link, number, query, sentence, strong, together, type Sentence, type Token } from '../../i18n/rich'
import type { Headline } from '../../ui/table'
import { partsOfSource, type ScoreKind } from './formula'

/** What a headline says of a score. */
export interface ScoreFacts {
  query: Token
  key: Token
  /** Layer and head, as L2·H6. */
  head: string
  score: number
  weight: number
  /** Of both. */
  sites: { score: string; weight: string }
  /** query − key, and the distance of the highest score. */
  distance: number
  peak: { distance: number; score: number } | 'flat'
  /** Whether the score is almost the highest. */
  near: boolean
  pairs: number
  /** Where positions are added to the embeddings: how many keys the query sees, and the one with the highest score, `peak`. */
  row: { keys: number; best: Token } | undefined
  /** Whether the model gives this key no weight. */
  isMasked: boolean
  main: { pair: number; part: number } | undefined
  /** The fastest pair that rotates, and the angle between its hands after rotation, in radians. */
  fastest: { pair: number; angle: number } | undefined
}

/** What the walk of the key shows at one place. */
export interface Caption {
  key: Token
  /** The token where the key is now. */
  at: Token | undefined
  /** query − key of that place. */
  distance: number
  isOwn: boolean
  /** The fastest pair: the angle between its hands in radians, its part here and at the key's own place. */
  pair: number
  angle: number
  part: number
  own: number
  score: number
}

/** What the walk shows where positions are added: the key of another token in place of the selected one. */
export interface RowCaption {
  key: Token
  /** The token whose key it is. */
  at: Token
  /** query − key; undefined: the key is of the source. */
  distance: number | undefined
  isOwn: boolean
  /** Of this key, and of the selected one. */
  score: number
  own: number
  main: { pair: number; part: number } | undefined
}

const named = ({ text, position }: Token) => tokenName(text, position)

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const degrees = (radians: number) => `${decimal((radians * 180) / Math.PI, 0)}°`

/** A key with this weight is found by its query. */
const found = 0.1
/** Hands that are less apart are in line. */
const inLine = (15 * Math.PI) / 180

/** The score of `of` among those of all keys that the query sees. */
function rowTitle(of: Sentence, { score, sites, peak, row, key: own }: ScoreFacts): Sentence {
  if (!row || peak === 'flat')
    return [...of, ...sentence` is ${number(scoreText(score), sites.score)}, as with every key that the query sees.`]
  if (row.best.position === own.position)
    return [...of, ...sentence` is ${number(scoreText(score), sites.score)}, the highest of ${integer(row.keys)} keys.`]
  const highest = sentence` is ${number(scoreText(score), sites.score)}; of ${integer(row.keys)} keys, that of ${key(row.best)} has the highest: ${scoreText(peak.score)}.`
  return [...of, ...highest]
}

function sumOf(score: number, state: 'agrees' | 'differs' | 'masked' | 'unchecked', by: number): string {
  const checked = {
    agrees: ', as in the model',
    differs: `, differs from the model by ${scoreText(by)}`,
    masked: ', masked: the model gives this key no weight',
    unchecked: '',
  }
  return `score ${scoreText(score)}${checked[state]}`
}

/** Where the formula comes from, and how the sum is checked. */
function sourceOf(kind: ScoreKind): string {
  const parts = {
    added:
      'Positions were added to the embeddings before layer 0. Query and key contain them, and nothing rotates: a pair is two neighbouring components.',
    rotated:
      'From RoFormer (Su et al. 2021, arXiv 2104.09864), equation 35: qᵢ and kᵢ are the two coordinates of pair i before rotation, φᵢ the angle from one to the other. The frequencies θᵢ are this model’s own.',
    linear:
      'From RoFormer (Su et al. 2021, arXiv 2104.09864), equation 19: q and k are query and key after the feature map, qᵢ and kᵢ their two coordinates of pair i, φᵢ the angle from one to the other. The frequencies θᵢ are this model’s own.',
    factor: `This model’s factor s is ${plain(kind.factor ?? 0)}, not 1/√d.`,
    softmax:
      'Softmax turns a row’s scores into its weights, so the difference of two scores of a row is the logarithm of the ratio of their weights: the sum is checked against that.',
    noSoftmax:
      'There is no softmax: a weight is its score divided by the row’s sum of products without rotation. Two scores of a row have the ratio of their weights: the sum is checked against that.',
    rotatedFirst:
      'Here rotation comes before the feature map. The model’s score is then no sum of such parts, and the sum differs from it.',
    bound: 'The bound is equation 37 with max |hᵢ₊₁ − hᵢ| of this query and key.',
    curve: 'The curve keeps both vectors and varies only the distance; in another text the vectors would differ.',
    stems: 'Each stem is the score of the same query with the key of another token.',
    value: 'The view does not show what the value carries.',
  }
  return partsOfSource(kind)
    .map((part) => parts[part])
    .join(' ')
}

const en = {
  help: 'Three pairs of the query (blue) and the key (orange; dotted: before rotation), and what every pair adds to their score.',
  unrotatedHelp: 'What each pair of components of query and key adds to their score. Nothing rotates here.',
  source: sourceOf({ rotates: true, attention: 'softmax', factor: undefined }),
  sourceOf,
  barsLabel: 'Frequency pairs, fast to slow',
  unrotatedBars: 'Pairs of components',
  noPair: 'no pair selected',
  total: 'score',
  agrees: ['as in the', 'model ✓'] as readonly string[],
  differs: (by: number) => ['off the', 'model by', scoreText(by)] as readonly string[],
  masked: ['masked:', 'weight 0'] as readonly string[],
  slowest: (count: number, sum: number) => `the ${count} slowest: ${signed(sum)}`,
  axis: 'pair',
  partsTitle: (pairs: number) => `What all ${integer(pairs)} pairs add`,
  legend: { order: 'fast → slow', adds: 'adds', takes: 'subtracts' },
  pairValue: (pair: number, turn: number, part: number, sum: number) =>
    `pair ${pair}, ${
      Number.isFinite(turn) ? `one turn in ${wavelength(turn)} tokens` : 'no rotation'
    }: part ${signed(part)}, running sum ${signed(sum)}`,
  label: (facts: ScoreFacts, state: 'agrees' | 'differs' | 'masked' | 'unchecked', by: number) =>
    `${named(facts.query)} and ${named(facts.key)}: ${sumOf(facts.score, state, by)}. ${percent(facts.weight)} of the row’s weight.`,
  sweepTitle: 'The same query and key at every distance',
  sweepLabel: 'Move the key along the text',
  highest: ({ distance: at, peak, row, isMasked }: ScoreFacts): Sentence => {
    if (row)
      return [
        'Positions were added before layer 0: they are in these hands already.',
        ...(isMasked ? [] : [' Each point is a token’s own key.']),
      ]
    if (peak === 'flat') return sentence`The same at every distance.`
    if (peak.distance === at) return sentence`Highest exactly ${strong(distances.where(at))}.`
    return sentence`Highest ${strong(distances.where(peak.distance))}.`
  },
  marker: (token: string, at: number, score: number) => `${token}, ${distances.short(at)}: ${scoreText(score)}`,
  ghost: (token: string | undefined, at: number, score: number) =>
    `${token === undefined ? '' : `at ${token}, `}${distances.short(at)}: ${scoreText(score)}`,
  sweepValue: (distance: number, score: number) => `${distances.where(distance)}: score ${scoreText(score)}`,
  score: (score: number) => scoreText(score),
  dashed: (pair: number) => `dashed: pair ${pair} alone`,
  dotted: (times: number) => `dotted: bound ÷ ${significant(times, 2)}`,
  ceiling: (here: number, href: string): Sentence =>
    sentence`${link('Long-term decay', href)} is a bound: no score of this query and key can exceed ${strong(plain(here))} here.`,
  bound: 'decay bound',
  boundHelp: 'The paper’s bound over the curve',
  pairTable: 'What each frequency pair adds',
  pairHeader: ['pair', 'tokens for one turn', 'adds', 'running sum'],
  unrotatedTable: 'What each pair of components adds',
  unrotatedHeader: ['pair', 'adds', 'running sum'],
  sweepTable: 'The score at every distance',
  sweepHeader: (pair: number) => ['query − key', 'score', `pair ${pair} alone`, 'the paper’s bound'],
  /** Where positions are added. */
  row: {
    help: 'Three pairs of the query (blue) and the key (orange), and what every pair adds to the score. Nothing rotates.',
    /** @param all whether the keys of all tokens that the query sees are drawn */
    title: (all: boolean) => `The same query with the ${all ? 'key of every token' : 'keys of the tokens around'}`,
    label: 'Go along the keys of the text',
    marker: (token: string, at: number | undefined, score: number) =>
      `${token}${at === undefined ? '' : `, ${distances.short(at)}`}: ${scoreText(score)}`,
    value: (token: Token, at: number | undefined, score: number) =>
      `${named(token)}, ${at === undefined ? 'in the source' : distances.where(at)}: score ${scoreText(score)}`,
    caption: ({ key: own, at, distance, isOwn, score, own: ownScore, main }: RowCaption): Sentence => {
      const place = distance === undefined ? 'In the source' : upper(distances.where(distance))
      if (isOwn && main)
        return sentence`${place} is ${key(at)}: score ${scoreText(score)}. Pair ${String(main.pair)} ${main.part < 0 ? 'lowers it most' : 'adds most'}, ${signed(main.part)}.`
      const by = scoreText(Math.abs(score - ownScore))
      return sentence`${place} is ${key(at)}: its key scores ${scoreText(score)}, ${by} ${score < ownScore ? 'below' : 'above'} ${key(own)}. Another token, at another place.`
    },
    table: 'The score with the key of every token',
    header: ['position', 'token', 'score'],
  },
  /** Why the query finds this key. */
  why: ({
    query: asks,
    key: answers,
    distance,
    score,
    weight,
    peak,
    main,
    fastest,
    isMasked,
    row,
  }: ScoreFacts): Sentence | undefined => {
    if (!main || main.part <= 0 || score <= 0 || isMasked) return undefined
    const part = `${signed(main.part)} of ${scoreText(score)}`
    if (row)
      return sentence`For ${query(asks)} and ${key(answers)} pair ${String(main.pair)}, components ${String(2 * main.pair)} and ${String(2 * main.pair + 1)}, adds most: ${part}.`
    if (!fastest || peak === 'flat') return undefined
    if (weight >= found && main.pair === fastest.pair && fastest.angle < inLine && distance !== 0)
      return sentence`Why ${query(asks)} finds ${key(answers)}: there the hands of pair ${String(main.pair)}, the fastest, are ${degrees(fastest.angle)} apart and add ${part}.`
    return sentence`For ${query(asks)} and ${key(answers)} pair ${String(main.pair)} adds most, ${part}.`
  },
  caption: ({ key: moved, at, distance, isOwn, pair, angle, part, own, score }: Caption): Sentence => {
    const hands = `the fastest hands are ${degrees(angle)} apart`
    if (isOwn)
      return sentence`${distances.short(distance)}, where ${key(moved)} is, ${hands}: pair ${String(pair)} adds ${signed(part)}. Score ${scoreText(score)}.`
    const place = at === undefined ? [] : sentence` where ${key(at)} is,`
    return [
      `${distances.short(distance)},`,
      ...place,
      ` ${hands}: pair ${pair} would add ${signed(part)} (at its own place ${signed(own)}).`,
    ]
  },
  headline: (facts: ScoreFacts): Headline => {
    const { query: asks, key: answers, head, score, weight, distance: at, peak, near, pairs, main, row, sites } = facts
    const most = main && main.part < 0 ? 'lowers it most' : 'adds most'
    const part = main ? `; pair ${main.pair} of ${pairs} ${most}: ${signed(main.part)}` : ''
    const line = sentence`Head ${head}: score ${number(scoreText(score), sites.score)}, ${number(percent(weight), sites.weight)} of the row’s weight${part}.`
    const of = sentence`The score of ${query(asks)} and ${key(answers)}`
    if (row && !facts.isMasked) return { title: rowTitle(of, facts), line }
    if (row)
      return {
        title: [...of, ...sentence` is ${number(scoreText(score), sites.score)}, but the query does not see this key.`],
        line,
      }
    if (peak === 'flat') return { title: [...of, ' is the same at every distance.'], line }
    if (peak.distance === at)
      return { title: [...of, ` is highest at their own distance: ${distances.where(at)}.`], line }
    if (near) {
      return {
        title: [...of, ` is almost highest at their own distance: ${distances.where(at)}.`],
        line: together([line, `Highest ${distances.where(peak.distance)}: ${scoreText(peak.score)}.`]),
      }
    }
    return {
      title: [...of, ` would be highest ${distances.where(peak.distance)}; the key is ${distances.where(at)}.`],
      line: together([line, `${upper(distances.where(peak.distance))} it would be ${scoreText(peak.score)}.`]),
    }
  },
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
