import { decimal, integer } from '../../numbers'
import { sentence, strong, type Sentence } from '../../rich'

type Fate = 'stop' | 'cut'

/** With its sign and as many digits as tell it from nothing. */
const added = (value: number): string => {
  const text = decimal(Math.abs(value), Math.abs(value) < 0.0995 ? 3 : 2)
  return Number(text) === 0 ? text : `${value < 0 ? '−' : '+'}${text}`
}

/** Losses on a text that the model has not seen. */
export const loss = {
  name: 'Loss on text that the model has not seen',
  measure: 'Measure the loss on a held-out book',
  each: 'Each pair alone',
  goOn: 'Go on',
  goOnEach: 'Go on with each pair',
  stop: 'Stop',
  again: 'Try again',
  coming: 'measuring …',
  notServed: 'No held-out text comes with this model, so its loss is not measured.',
  /** `change`: what B adds to it. */
  line: (before: number, change: number | undefined, tokens: number): Sentence => {
    const count = ` (n = ${integer(tokens)} masked tokens)`
    const loss = decimal(before, 2)
    return change === undefined
      ? sentence`loss ${loss}${count}`
      : sentence`loss ${loss} ${strong(added(change))}${count}`
  },
  hint: (book: string) =>
    `Mean −log p of the hidden tokens, in nats. The model never saw ${book === '' ? 'this text' : `“${book}”`}.`,
  added,
  title: (heads: number) => `Loss added if one pair alone goes, in all ${integer(heads)} heads`,
  shortTitle: (heads: number) => `Loss if one pair goes, in all ${integer(heads)} heads`,
  fates: { cut: 'cut out', stop: 'stopped' } as Readonly<Record<Fate, string>>,
  /** +.001, +1 */
  tick: (value: number) => `+${String(value).replace(/^0/, '')}`,
  fast: 'fast',
  slow: 'slow',
  scale: (tokens: number, book: string) =>
    `log scale; ${integer(tokens)} masked tokens${book === '' ? '' : ` of “${book}”`}`,
  shortScale: (tokens: number) => `log scale; n = ${integer(tokens)}`,
  /** In lines. */
  needNotTurn: (first: number, last: number): readonly string[] => [
    first === last ? `Pair ${first} need not turn:` : `Pairs ${first} to ${last} need not turn:`,
    'less than .001 each.',
  ],
  table: 'Loss on the held-out text',
  header: ['what is changed', 'loss', 'added', 'masked tokens'] as readonly string[],
  whole: 'nothing',
  now: 'what is changed now',
  alone: (pair: number, fate: Fate) => `pair ${pair} ${fate === 'cut' ? 'cut out' : 'stopped'} in all heads`,
}

export type LossWords = typeof loss
