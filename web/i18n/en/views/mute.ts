// What the view tells once it is open: fetched with it.
import { percent, score as scoreText, signed, wavelength, weight as weightText } from '../../format'
import { decimal, integer, list, plural } from '../../numbers'
import { key, query, sentence, strong, type Sentence } from '../../rich'
import { distances, numberWord } from '../distances'

type Fate = 'stop' | 'cut'
type Extent = 'head' | 'layer' | 'all'
type Preset = 'slow' | 'fast' | 'none'

interface Named {
  pairs: readonly number[]
  /** First and last of neighbours. */
  spans: readonly (readonly [number, number])[]
  preset: Preset | null
}

/** What is measured of what muting did to the chosen score. */
export interface MuteTold {
  query: string
  key: string
  layer: number
  head: number
  heads: number
  /** The head's muted pairs by what became of them; both empty: only others are changed. */
  cut: Named
  stop: Named
  extent: Extent
  /** Whether anything in the model is changed. */
  changed: boolean
  /** Whether it is changed in another way, too. */
  otherwise: boolean
  weight: readonly [before: number, after: number]
  score: readonly [before: number, after: number]
  /** What the cut pairs gave before. */
  gave: number
  guess: { place: string; before: string; after: string; chance: readonly [string, string] } | undefined
  /** The loss on the held-out text, as far as it is measured. */
  loss: { before: number; added: number } | undefined
}

function pairsText({ pairs, spans, preset }: Named, whose: string): string {
  const count = pairs.length
  if (preset === 'fast' || preset === 'slow') {
    const speed = preset === 'fast' ? 'fastest' : 'slowest'
    return count === 1 ? `${whose} ${speed} pair` : `${whose} ${numberWord(count)} ${speed} pairs`
  }
  if (spans.length > 3) return `${numberWord(count)} of ${whose} pairs`
  const listed = spans.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`))
  return `${whose} ${plural(count, { one: 'pair', other: 'pairs' })} ${list(listed)}`
}

const place = ({ extent, layer, heads }: MuteTold): string =>
  ({ head: '', layer: ` in all of layer ${layer}`, all: ` in all ${integer(heads)} heads` })[extent]

function change(told: MuteTold): string {
  const { cut, stop } = told
  const cutOut =
    cut.pairs.length > 0 ? `Without ${pairsText(cut, told.extent === 'head' ? 'its' : 'the')}${place(told)}` : ''
  const whose = told.extent === 'head' ? 'its' : 'the'
  const stopped = stop.pairs.length > 0 ? `${pairsText(stop, whose)} stopped${cutOut ? '' : place(told)}` : ''
  if (cutOut && stopped) return `${cutOut} and with ${stopped}`
  return cutOut || (stopped ? `With ${stopped}` : 'With what is changed elsewhere')
}

const outcome = ({ weight: [before, after] }: MuteTold) =>
  weightText(before) === weightText(after)
    ? `${weightText(after)}, as before`
    : `${weightText(after)} instead of ${weightText(before)}`

function moved([before, after]: readonly [number, number]): string {
  const [was, is] = [scoreText(before), scoreText(after)]
  return was === is ? `stays ${is}` : `goes from ${was} to ${is}`
}

function guessText(guess: MuteTold['guess']): string {
  if (!guess) return ''
  const chances = `${guess.chance[0]} → ${guess.chance[1]}`
  return guess.before === guess.after
    ? ` The guess for ${guess.place} stays “${guess.after}” (${chances}).`
    : ` The guess for ${guess.place} turns from “${guess.before}” to “${guess.after}” (${chances}).`
}

/** How many tokens it was measured on stands beside the loss itself. */
function lossText(loss: MuteTold['loss']): string {
  return loss ? ` Held-out loss: ${decimal(loss.before, 2)} → ${decimal(loss.before + loss.added, 2)}.` : ''
}

export const mute = {
  which: 'Mute',
  how: 'how',
  where: 'in',
  preset: (which: Preset, count: number): string =>
    which === 'none' ? 'none' : `${numberWord(count)} ${which === 'fast' ? 'fastest' : 'slowest'}`,
  fate: (fate: Fate): string => ({ cut: 'cut out', stop: 'stop turning' })[fate],
  extent: (extent: Extent, layer: number, head: number): string =>
    ({ head: `head ${layer}.${head}`, layer: `layer ${layer}`, all: 'all heads' })[extent],

  switchesLabel: 'Frequency pairs, fast to slow',
  switchLabel: (pairs: readonly number[], turn: number): string => {
    const [first = 0] = pairs
    const last = pairs.at(-1) ?? first
    const named = first === last ? `pair ${first}` : `pairs ${first} to ${last}`
    return `${named}, ${Number.isFinite(turn) ? `a turn in ${wavelength(turn)} tokens` : 'no turn'}`
  },
  /** `short`: where there is little room. */
  partsTitle: (asks: string, answers: string, short: boolean): Sentence =>
    sentence`${short ? 'Parts of' : 'What each pair adds to'} ${query(asks)} → ${key(answers)}`,
  read: (pair: number, turn: number, before: number, after: number, short: boolean): Sentence => {
    const turning = Number.isFinite(turn) ? `a turn in ${wavelength(turn)} tokens` : 'no turn'
    return short
      ? sentence`Pair ${strong(String(pair))}: A ${signed(before)}, B ${strong(signed(after))}`
      : sentence`Pair ${strong(String(pair))}, ${turning}: ${signed(before)} in A, ${strong(signed(after))} in B.`
  },
  shared: (heads: number) =>
    `${numberWord(heads).replace(/^./, (letter) => letter.toUpperCase())} heads share each key head here: a pair that stops, stops for all of them.`,
  elsewhere: 'Pairs of other heads are muted, too.',
  pairAxis: 'pair',
  turnAxis: 'tokens a turn',
  sum: (before: number | undefined, after: number): readonly [string, string, string] => [
    'sum',
    before === undefined ? '' : scoreText(before),
    scoreText(after),
  ],
  /** A change in four characters at most: −5.0, −.75. */
  change: (value: number): string =>
    Math.abs(value) < 0.995
      ? signed(value).replace(/^([+−-])0\./, '$1.')
      : `${value < 0 ? '−' : '+'}${decimal(Math.abs(value), 1)}`,
  mapA: 'A whole',
  mapB: (muted: boolean) => (muted ? 'B muted' : 'B the same'),
  mapLabel: 'Maps of A and B: query and key',
  mapValue: (asks: string, answers: string, before: number, after: number) =>
    `query ${asks}, key ${answers}: A ${weightText(before)}, B ${weightText(after)}`,
  sweepTitle: 'The same two, at every distance',
  sweepShort: 'At every distance',
  sweepLabel: 'Key along the curve',
  sweepNote: 'thin: A',
  marker: (name: string, at: number, score: number, changed: boolean) =>
    `${changed ? 'B ' : ''}${name}, ${distances.short(at)}: ${scoreText(score)}`,
  ghost: (at: number, before: number, after: number) =>
    `${distances.short(at)}: A ${scoreText(before)}, B ${scoreText(after)}`,
  sweepValue: (name: string, at: number, before: number, after: number) =>
    `${name}, ${distances.where(at)}: score ${scoreText(before)} in A, ${scoreText(after)} in B`,
  guess: (place: string) => `guess for ${place}`,
  following: 'what comes next',
  a: 'A',
  b: 'B',
  below: (least: number) => `< ${percent(least)}`,
  percent,
  pairTable: 'Parts before and after',
  pairHeader: ['pair', 'tokens for one turn', 'A', 'B', 'in B'],
  fates: { turns: 'as it is', stop: 'stopped', cut: 'cut out' },
  fillTable: 'Fills before and after',
  fillHeader: ['token', 'A', 'B'],
  sweepTable: 'The score at every distance',
  sweepHeader: ['query − key', 'A', 'B'],
  headline: (told: MuteTold) => {
    const { query, key, layer, head, changed, score, weight, gave, cut, otherwise } = told
    const name = `head ${layer}.${head}`
    if (!changed) {
      return {
        title: `All pairs of ${name} at work: it gives ${key} ${weightText(weight[0])}.`,
        line: `The score of ${query} → ${key} is ${scoreText(score[0])}. Mute its four fastest pairs, then its slowest half.`,
      }
    }
    // Where the loss is told, too, there is no room for it.
    const from = cut.pairs.length > 0 && !told.loss ? `; these pairs gave ${scoreText(gave)} of it` : ''
    const also = otherwise ? ' What else is changed in the model is in B, too.' : ''
    return {
      title: `${change(told)}, ${name} gives ${key} ${outcome(told)}.`,
      line: `The score of ${query} → ${key} ${moved(score)}${from}.${guessText(told.guess)}${lossText(told.loss)}${also}`,
    }
  },
}
