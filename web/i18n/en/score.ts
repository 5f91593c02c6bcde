import { plain, score as scoreText, signed, wavelength, weight as weightText } from '../format'
import { key, query, sentence, strong, type Sentence } from '../rich'
import { distances } from './distances'

/** What is measured of a score. */
export interface Told {
  /** Tokens with their positions. */
  query: string
  key: string
  /** Layer and head, as 2.6. */
  head: string
  score: number
  weight: number
  /** query − key, and where the score is highest. */
  distance: number
  peak: { distance: number; score: number } | 'flat'
  /** Whether the key's place is all but as high as the highest. */
  near: boolean
  pairs: number
  main: { pair: number; part: number } | undefined
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const alone = (pair: number, part: number) => `pair ${pair} alone: ${signed(part)}`

export const score = {
  tab: 'Score',
  title: 'One score, taken apart',
  help: 'What each frequency pair adds to the chosen score.',
  source:
    'From RoFormer (Su et al. 2021, arXiv 2104.09864), equation 35: qᵢ and kᵢ are the two coordinates of pair i before rotation, φᵢ the angle from one to the other. The frequencies θᵢ are this model’s own. Softmax turns a row’s scores into its weights: the sum is checked against them, as the difference of two scores of a row is the logarithm of the ratio of their weights. The bound is equation 37 with max |hᵢ₊₁ − hᵢ| of this query and key. What the value carries is not shown here, and other distances keep these two vectors as they are: in another text they would be others.',
  token: (text: string, position: number) => `${text} ${position}`,
  barsLabel: 'Frequency pairs, fast to slow',
  noPair: 'no pair chosen',
  total: 'score',
  agrees: ['as in the', 'model ✓'] as readonly string[],
  differs: (by: number) => ['off the', 'model by', scoreText(by)] as readonly string[],
  masked: ['masked:', 'weight 0'] as readonly string[],
  sum: (score: number, state: 'agrees' | 'differs' | 'masked' | 'unchecked', by: number) =>
    `score ${scoreText(score)}${
      {
        agrees: ', as in the model',
        differs: `, off the model by ${scoreText(by)}`,
        masked: ', masked: the model gives this key no weight',
        unchecked: '',
      }[state]
    }`,
  alone,
  part: (pair: number, part: number) => `pair ${pair}: ${signed(part)}`,
  slowest: (count: number, sum: number) => `the ${count} slowest: ${signed(sum)}`,
  axis: 'tokens for one turn',
  fast: 'fast',
  slow: 'slow',
  pairRead: (pair: number, turn: number, part: number, sum: number) =>
    `pair ${pair}, ${
      Number.isFinite(turn) ? `one turn in ${wavelength(turn)} tokens` : 'which does not turn'
    }: adds ${signed(part)}, sum so far ${signed(sum)}`,
  pairReading: (pair: number, turn: number, part: number, sum: number): Sentence =>
    sentence`Pair ${strong(String(pair))}, ${
      Number.isFinite(turn) ? `a turn in ${wavelength(turn)} tokens` : 'no turn'
    }: ${strong(signed(part))}, so far ${scoreText(sum)}.`,
  both: (told: Told): Sentence =>
    sentence`${query(told.query)} → ${key(told.key)}: weight ${strong(weightText(told.weight))} of the row.`,
  sweepTitle: 'The same two, at every distance',
  sweepLabel: 'Key along the curve',
  highest: ({ distance: at, peak }: Told): Sentence => {
    if (peak === 'flat') return sentence`The same at every distance: place does not matter to these two here.`
    const turns = '. Only rotation differs.'
    if (peak.distance === at) return sentence`Highest exactly ${strong(distances.where(at))}${turns}`
    return sentence`Highest ${strong(distances.where(peak.distance))}${turns}`
  },
  marker: (token: string, at: number, score: number) => `${token}, ${distances.short(at)}: ${scoreText(score)}`,
  ghost: (token: string | undefined, at: number, score: number) =>
    `${token === undefined ? '' : `at ${token}, `}${distances.short(at)}: ${scoreText(score)}`,
  sweepValue: (told: Told) => `${told.key}, ${distances.where(told.distance)}: score ${scoreText(told.score)}`,
  dashed: (pair: number) => `dashed: pair ${pair} alone`,
  dotted: (here: number) => `dotted: the paper’s bound, here ${plain(here)}`,
  bound: 'bound',
  boundHelp: 'The paper’s bound over the curve',
  pairTable: 'What each frequency pair adds',
  pairHeader: ['pair', 'tokens for one turn', 'adds', 'running sum'],
  sweepTable: 'The score at every distance',
  sweepHeader: (pair: number) => ['query − key', 'score', `pair ${pair} alone`, 'the paper’s bound'],
  headline: ({ query, key, head, score, weight, distance: at, peak, near, pairs, main }: Told) => {
    const part = main ? `; pair ${main.pair} of ${pairs} does most: ${signed(main.part)}` : ''
    const line = `In head ${head} their score is ${scoreText(score)}, which gives ${weightText(weight)} of the row’s weight${part}.`
    if (peak === 'flat') return { title: `In head ${head}, distance means nothing to ${query} and ${key}.`, line }
    if (peak.distance === at) return { title: `${key} is where ${query} wants its key: ${distances.where(at)}.`, line }
    if (near) {
      return {
        title: `${key}, ${distances.where(at)}, stands almost where ${query} wants it most.`,
        line: `${line} Highest ${distances.where(peak.distance)}: ${scoreText(peak.score)}.`,
      }
    }
    return {
      title: `${query} wants this key ${distances.where(peak.distance)}; ${key} stands ${distances.where(at)}.`,
      line: `${line} ${upper(distances.where(peak.distance))} it would be ${scoreText(peak.score)}.`,
    }
  },
  keys: {
    across: 'the pair before, the next; on the curve the key before, the next',
    ends: 'the fastest and the slowest pair; the first and the last key',
    leave: 'lets the pair go',
  },
}
