import { messages } from '../../i18n/messages.svelte'
import { decimal, integer } from '../../i18n/numbers'
import { sentence, strong, type Sentence } from '../../i18n/rich'

/** A difference of losses, with as many digits as distinguish it from 0. */
export const added = (value: number): string => {
  const text = decimal(Math.abs(value), Math.abs(value) < 0.0995 ? 3 : 2)
  return Number(text) === 0 ? text : `${value < 0 ? '−' : '+'}${text}`
}

const en = {
  name: 'Loss on held-out text',
  measure: 'Measure the loss on a held-out book',
  each: 'Each pair alone',
  goOn: 'Continue',
  goOnEach: 'Continue with each pair',
  stop: 'Stop',
  again: 'Try again',
  measuring: 'Measuring…',
  notServed: 'No held-out text comes with this model.',
  /** @param change what the interventions add */
  line: (before: number, change: number | undefined, tokens: number): Sentence => {
    const count = ` (n = ${integer(tokens)} masked tokens)`
    const loss = decimal(before, 2)
    return change === undefined
      ? sentence`loss ${loss}${count}`
      : sentence`loss ${loss} ${strong(added(change))}${count}`
  },
  hint: (book: string) =>
    `Mean −log p of the masked tokens, in nats. Not in the training data: ${book === '' ? 'this text' : `“${book}”`}.`,
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
