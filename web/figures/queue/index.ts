import { integer, type ParamsOf } from '../../viewstate/fields'
import { defineView } from '../../views/view'

export const params = {
  /** How many people have left the queue. */
  served: integer('served', 0, 0, 3),
}
export type QueueParams = ParamsOf<typeof params>

export const queue = defineView({
  id: 'queue',
  tab: { en: 'Queue', ko: '줄', hu: 'Sor' },
  title: { en: 'Five in a queue', ko: '줄 선 다섯 사람', hu: 'Öten a sorban' },
  alone: true,
  shape: 'wide',
  minWidth: 300,
  params,
  module: () => import('./view'),
})
