import { messages } from '../../i18n/messages.svelte'
import { integer } from '../../i18n/numbers'
import { query, sentence, type Sentence, type Token } from '../../i18n/rich'

const en = {
  help: 'Three names for the same person. Below: the weight that a head of the loaded model gives at a distance.',
  source: `The queue is a drawing. The weight is measured, for the head, query and key selected in the Explorer.`,
  people: ['grey hat', 'suitcase', 'red coat', 'umbrella', 'small dog'],
  desk: 'desk',
  content: 'by looks',
  absolute: 'by number',
  relative: 'by neighbour',
  numbered: (place: number) => `no. ${integer(place)}`,
  behind: (who: string) => `behind ${who}`,
  first: 'first at the desk',
  served: 'serve one',
  again: 'all five again',
  moved: (count: number) => `${integer(count)} served`,
  /** Above the weights of one query. */
  inModel: (asks: Token): Sentence => sentence`By distance, in a model: how much ${query(asks)} reads of each token.`,
  weight: (head: string, asks: string, key: string, distance: number, weight: string) =>
    `head ${head}: ${asks} gives ${key}, ${integer(distance)} away, a weight of ${weight}`,
  table: 'names',
  columns: ['person', 'number', 'neighbour'],
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
