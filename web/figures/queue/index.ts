import { integer } from '../../viewstate/fields'
import { readWords } from '../../i18n/edition.svelte'
import { view } from '../../views/view'

export const settings = { served: integer('served', 0, 0, 3) }

export const queue = view({
  id: 'queue',
  words: () => readWords().figures.queue,
  alone: true,
  shape: 'wide',
  minWidth: 300,
  settings,
  keys: () => readWords().figures.queue.keys,
  component: () => import('./Queue.svelte'),
})
