import { integer } from '../../state/fields'
import { readWords } from '../../words/edition.svelte'
import { view } from '../view'

export const settings = { served: integer('served', 0, 0, 3) }

export const queue = view({
  id: 'queue',
  words: () => readWords().figures.queue,
  alone: true,
  shape: 'wide',
  least: 300,
  settings,
  keys: () => readWords().figures.queue.keys,
  component: () => import('./Queue.svelte'),
})
