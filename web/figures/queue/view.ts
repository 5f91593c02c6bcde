// A queue named in three ways.
import { namedTable, type NamedTable } from '../../ui/table'
import { viewBody } from '../../views/body'
import { OfRun } from '../../views/output'
import { params } from '.'
import { t } from './messages.en'
import { drawQueue, namesOf, weightsOf } from './picture'
import View from './View.svelte'

export default viewBody(params, {
  messages: t,
  component: View,
  data: () => undefined,
  output({ run, cursor, params, width, height }) {
    const room = { width: Math.min(width, 1600), height: height - 110 - (weightsOf(run, cursor, width)?.height ?? 0) }
    return {
      scene: drawQueue(params.served, room),
      published: OfRun.none({ tables: [tableOf(params.served)], file: 'five' }),
    }
  },
})

export const tableOf = (served: number): NamedTable =>
  namedTable(t().table, t().columns, t().people.slice(served), (person, at) => {
    const { number, neighbour } = namesOf(at + served, served)
    return [person, number, neighbour]
  })
