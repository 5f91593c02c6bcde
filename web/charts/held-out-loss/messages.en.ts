import { messages } from '../../i18n/messages.svelte'
import { decimal, integer, margin } from '../../i18n/numbers'
import { sentence, strong, type Sentence } from '../../i18n/rich'

/** A difference of losses, with as many digits as distinguish it from 0. */
export const added = (value: number): string => {
  const text = decimal(Math.abs(value), Math.abs(value) < 0.0995 ? 3 : 2)
  return Number(text) === 0 ? text : `${value < 0 ? '−' : '+'}${text}`
}

/** What is measured so far. */
interface Line {
  /** The loss without interventions; undefined while it is being measured. */
  before: number | undefined
  /** What the interventions add, and its standard error. */
  added: number | undefined
  error: number | undefined
  labels: number
  /** All masked tokens of the text. */
  masked: number
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
  progress: 'Masked tokens measured so far',
  line: ({ before, added: change, error, labels, masked }: Line): Sentence => {
    const count = `${labels < masked ? `${integer(labels)} of ${integer(masked)}` : integer(masked)} masked tokens`
    const loss = before === undefined ? '' : `loss ${decimal(before, 2)} `
    return change === undefined
      ? sentence`${loss}(${count})`
      : sentence`${loss}${strong(added(change))}${margin(error, change)} (${count})`
  },
  hint: (book: string) =>
    `Mean −log p of the masked tokens, in nats; after ±: one standard error of the difference. Not in the training data: ${book === '' ? 'this text' : `“${book}”`}.`,
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
