import { added } from '../../charts/held-out-loss/messages.en'
import { distances, numberWord } from '../../charts/head-grid/messages.en'
import { messages } from '../../i18n/messages.svelte'
import {
  decimal,
  integer,
  list,
  plural,
  headName,
  percent,
  score as scoreText,
  signed,
  wavelength,
  weight as weightText,
} from '../../i18n/numbers'
import { key, query, sentence, strong, token, type Piece, type Sentence, type Token } from '../../i18n/rich'
import type { Extent, MuteKind, Preset } from '../../session/muted'
import type { Headline } from '../../ui/table'

interface Named {
  pairs: readonly number[]
  /** First and last pair of each span. */
  spans: readonly (readonly [number, number])[]
  preset: Preset | null
}

/** The facts of a headline. */
export interface MuteFacts {
  query: Token
  key: Token
  layer: number
  head: number
  heads: number
  /** The head's muted pairs. Both are empty if only other heads have some. */
  ablated: Named
  frozen: Named
  extent: Extent
  /** Whether B has interventions. */
  changed: boolean
  /** Whether some of them are other than muted pairs. */
  otherwise: boolean
  weight: readonly [before: number, after: number]
  score: readonly [before: number, after: number]
  /** What the ablated pairs added to the score before. */
  gave: number
  guess: { place: Piece; before: string; after: string; chance: readonly [string, string] } | undefined
  /** The loss on held-out text, if measured. */
  loss: { before: number; added: number } | undefined
}

function pairsText({ pairs, spans, preset }: Named, whose: string): string {
  const count = pairs.length
  if (preset === 'fast' || preset === 'slow') {
    const speed = preset === 'fast' ? 'fastest' : 'slowest'
    return plural(count, { one: `${whose} ${speed} pair`, other: `${whose} ${numberWord(count)} ${speed} pairs` })
  }
  if (spans.length > 3) return `${numberWord(count)} of ${whose} pairs`
  const listed = spans.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`))
  return `${whose} ${plural(count, { one: 'pair', other: 'pairs' })} ${list(listed)}`
}

const place = ({ extent, layer, heads }: MuteFacts): string =>
  ({ head: '', layer: ` in all of layer ${layer}`, all: ` in all ${integer(heads)} heads` })[extent]

function change(facts: MuteFacts): string {
  const { ablated, frozen } = facts
  const ablatedText =
    ablated.pairs.length > 0
      ? `Without ${pairsText(ablated, facts.extent === 'head' ? 'its' : 'the')}${place(facts)}`
      : ''
  const whose = facts.extent === 'head' ? 'its' : 'the'
  const frozenText =
    frozen.pairs.length > 0 ? `${pairsText(frozen, whose)} frozen${ablatedText ? '' : place(facts)}` : ''
  if (ablatedText && frozenText) return `${ablatedText} and with ${frozenText}`
  return ablatedText || (frozenText ? `With ${frozenText}` : 'With the other interventions')
}

const outcome = ({ weight: [before, after] }: MuteFacts) =>
  percent(before) === percent(after)
    ? `${percent(after)} of its weight, as before`
    : `${percent(after)} of its weight instead of ${percent(before)}`

function moved([before, after]: readonly [number, number]): string {
  const [was, is] = [scoreText(before), scoreText(after)]
  return was === is ? `stays ${is}` : `goes from ${was} to ${is}`
}

function guessText(guess: MuteFacts['guess']): Sentence {
  if (!guess) return []
  const chances = `${guess.chance[0]} → ${guess.chance[1]}`
  return guess.before === guess.after
    ? sentence` The guess for ${guess.place} stays ${token(guess.after)} (${chances}).`
    : sentence` The guess for ${guess.place} turns from ${token(guess.before)} to ${token(guess.after)} (${chances}).`
}

function lossText(loss: MuteFacts['loss']): string {
  return loss ? ` Held-out loss: ${decimal(loss.before, 2)} → ${decimal(loss.before + loss.added, 2)}.` : ''
}

const en = {
  help: 'Mute frequency pairs, and compare the selected head before and after.',
  source:
    'Ablating a pair makes its part of every score 0; freezing it (θᵢ = 0) keeps its content and removes its position. After Barbero et al. 2024 (arXiv 2410.06205): fast pairs carry position, slow ones, as they suspect, content. This is what the trained model can do without, not what it would have learned without these pairs; other heads may compensate for one. One text is a single sample: the loss on a held-out book measures the cost beyond it.',

  which: 'Mute',
  how: 'how',
  where: 'in',
  preset: (which: Preset, count: number): string =>
    which === 'none' ? 'none' : `${numberWord(count)} ${which === 'fast' ? 'fastest' : 'slowest'}`,
  /** While no pair is muted. */
  suggest: (count: number) => `Mute the ${numberWord(count)} fastest`,
  kind: (kind: MuteKind): string => ({ ablated: 'ablate', frozen: 'freeze' })[kind],
  extent: (extent: Extent, layer: number, head: number): string =>
    ({ head: `head ${headName({ layer, head })}`, layer: `layer ${layer}`, all: 'all heads' })[extent],

  switchesLabel: 'Frequency pairs, fast to slow',
  switchLabel: (pairs: readonly number[], turn: number): string => {
    const [first = 0] = pairs
    const last = pairs.at(-1) ?? first
    const named = first === last ? `pair ${first}` : `pairs ${first} to ${last}`
    return `${named}, ${Number.isFinite(turn) ? `one turn in ${wavelength(turn)} tokens` : 'no rotation'}`
  },
  /** `short`: for narrow pictures. */
  partsTitle: (asks: Token, answers: Token, short: boolean): Sentence =>
    sentence`${short ? 'Parts of' : 'What each pair adds to'} ${query(asks)} → ${key(answers)}`,
  read: (pair: number, turn: number, before: number, after: number, short: boolean): Sentence => {
    const turning = Number.isFinite(turn) ? `one turn in ${wavelength(turn)} tokens` : 'no rotation'
    return short
      ? sentence`Pair ${strong(String(pair))}: A ${signed(before)}, B ${strong(signed(after))}`
      : sentence`Pair ${strong(String(pair))}, ${turning}: ${signed(before)} in A, ${strong(signed(after))} in B.`
  },
  shared: (heads: number) =>
    `${numberWord(heads).replace(/^./, (letter) => letter.toUpperCase())} heads share each key head: a frozen pair is frozen for all of them.`,
  elsewhere: 'Pairs of other heads are muted, too.',
  pairAxis: 'pair',
  turnAxis: 'tokens a turn',
  sum: (before: number | undefined, after: number): readonly [string, string, string] => [
    'sum',
    before === undefined ? '' : scoreText(before),
    scoreText(after),
  ],
  /** A change in at most four characters: −5.0, −0.8. */
  change: (value: number): string =>
    Math.abs(value) < 0.05 ? '0' : `${value < 0 ? '−' : '+'}${decimal(Math.abs(value), 1)}`,
  mapA: 'A baseline',
  mapB: (muted: boolean): string => (muted ? 'B muted' : 'B the same'),
  mapLabel: 'Maps of A and B: query and key',
  mapValue: (asks: string, answers: string, before: number, after: number) =>
    `query ${asks}, key ${answers}: A ${weightText(before)}, B ${weightText(after)}`,
  sweepTitle: 'The same query and key at every distance',
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
  following: 'the next token',
  a: 'A',
  b: 'B',
  below: (least: number) => `< ${percent(least)}`,
  percent,
  pairTable: 'Parts before and after',
  pairHeader: ['pair', 'tokens for one turn', 'A', 'B', 'in B'],
  kinds: { turns: 'unchanged', frozen: 'frozen', ablated: 'ablated' },
  fillTable: 'Fills before and after',
  fillHeader: ['token', 'A', 'B'],
  sweepTable: 'The score at every distance',
  sweepHeader: ['query − key', 'A', 'B'],
  headline: (facts: MuteFacts): Headline => {
    const { query: asks, key: answers, layer, head, changed, score, weight, gave, ablated, otherwise } = facts
    const name = `head ${headName({ layer, head })}`
    if (!changed) {
      return {
        title: sentence`No pair of ${name} is muted: its weight for ${key(answers)} is ${percent(weight[0])}.`,
        line: sentence`The score of ${query(asks)} → ${key(answers)} is ${scoreText(score[0])}. Mute its four fastest pairs, then its slowest half.`,
      }
    }
    // The headline has space for this or for the loss.
    const from = ablated.pairs.length > 0 && !facts.loss ? `; these pairs gave ${scoreText(gave)} of it` : ''
    const also = otherwise ? ' B includes the other interventions.' : ''
    return {
      title: sentence`${change(facts)}, ${name} gives ${key(answers)} ${outcome(facts)}.`,
      line: [
        ...sentence`The score of ${query(asks)} → ${key(answers)} ${moved(score)}${from}.`,
        ...guessText(facts.guess),
        lossText(facts.loss),
        also,
      ],
    }
  },

  loss: {
    added,
    title: (heads: number) => `Loss added by one pair alone, in all ${integer(heads)} heads`,
    shortTitle: (heads: number) => `Loss by pair, in all ${integer(heads)} heads`,
    kinds: { ablated: 'ablated', frozen: 'frozen' } as Readonly<Record<MuteKind, string>>,
    /** +0.001, +1 */
    tick: (value: number) => `+${value}`,
    fast: 'fast',
    slow: 'slow',
    scale: (tokens: number, book: string) =>
      `log scale; ${integer(tokens)} masked tokens${book === '' ? '' : ` of “${book}”`}`,
    shortScale: (tokens: number) => `log scale; n = ${integer(tokens)}`,
    /** One entry a line. */
    needNotTurn: (first: number, last: number): readonly string[] => [
      first === last ? `Pair ${first} need not turn:` : `Pairs ${first} to ${last} need not turn:`,
      'less than 0.001 each.',
    ],
    table: 'Loss on the held-out text',
    header: ['change', 'loss', 'added', 'standard error', 'masked tokens'] as readonly string[],
    baseline: 'none',
    now: 'the current changes',
    alone: (pair: number, kind: MuteKind) => `pair ${pair} ${kind} in all heads`,
  },
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
