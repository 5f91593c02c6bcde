// A queue named in three ways; below it the weight that a head of the loaded model gives one word from another.
import { readWords } from '../../i18n/edition.svelte'
import { headName, weight } from '../../i18n/format'
import { quoted } from '../../i18n/rich'
import type { Run } from '../../session/runs.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import { viewBody } from '../../views/body'
import { Publication } from '../../views/output'
import type { Cursor } from '../../viewstate/cursor'
import { params } from '.'
import { t } from './messages.en'
import { drawQueue, namesOf, weightsOf } from './picture'

export default viewBody(params, {
  messages: t,
  data: () => undefined,
  output({ run, cursor, params, width, height }) {
    const { served } = params
    const weights = weightsOf(run, cursor, width)
    const people = t().people.slice(served)
    return {
      scene: drawQueue(served, { width: Math.min(width, 1600), height: height - 40 }),
      label: people.map((who, at) => `${who}, ${namesOf(at + served, served).number}`).join('; '),
      below: [
        [
          { kind: 'button', label: t().served, disabled: served >= 3, to: { params: { served: served + 1 } } },
          { kind: 'button', label: t().again, disabled: served === 0, to: { params: { served: 0 } } },
          { kind: 'text', role: 'status', text: t().moved(served) },
        ],
        [weights ? { kind: 'picture', scene: weights } : run && { kind: 'text', text: [quoted(run.text)] }],
        [{ kind: 'text', name: 'weight', text: run ? sentenceOf(run, cursor) : readWords().page.noModel }],
      ],
      published: Publication.none({ tables: [tableOf(served)], subject: 'five' }),
    }
  },
})

function sentenceOf({ head, reading }: Run, { query, key }: Cursor): string {
  const token = (at: number) => reading.display[at] ?? ''
  const value = head.attention[query * head.length + key] ?? NaN
  return t().weight(headName(head), token(query), token(key), Math.abs(query - key), weight(value))
}

export const tableOf = (served: number): NamedTable =>
  namedTable(t().table, t().columns, t().people.slice(served), (person, at) => {
    const { number, neighbour } = namesOf(at + served, served)
    return [person, number, neighbour]
  })
