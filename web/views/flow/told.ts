// What the view tells besides its picture.
import { flow as said } from '../../i18n/en/views/flow'
import type { Headline } from '../sheet.svelte'
import type { NamedTable } from '../../ui/table'
import type { Flowing } from './draw'
import { byLayer, largestAt, origins } from './model'

export function headlineOf({ flow, tokens, query }: Flowing): Headline {
  const name = (position: number) => said.token(tokens[position] ?? '', position)
  const from = origins(flow, query)
  const own = from.find(({ position }) => position === query)
  const other = from.find(({ position }) => position !== query)
  const title =
    own && other && other.part > 0
      ? said.headline(name(query), own.part, name(other.position), other.part)
      : said.alone(name(query))
  const norms = byLayer(flow.residual, flow.length, query).one
  const change = byLayer(flow.change, flow.length, query).one
  const layer = largestAt(change)
  const head = largestAt(flow.outputs)
  const most = `${Math.floor(head / flow.heads)}.${head % flow.heads}`
  return { title, line: said.line(norms[0] ?? 0, norms.at(-1) ?? 0, layer, change[layer] ?? 0, most) }
}

export function tablesOf({ flow, tokens }: Flowing): NamedTable[] {
  const { length, rollout, residual, change, outputs, layers, heads } = flow
  const name = (position: number) => said.token(tokens[position] ?? '', position)
  const all = Array.from({ length }, (_, position) => name(position))
  return [
    {
      name: said.tables.rollout,
      table: {
        header: [said.corner, ...all],
        length,
        row: (query) => [all[query] ?? '', ...rollout.subarray(query * length, (query + 1) * length)],
      },
    },
    {
      name: said.tables.norms,
      table: {
        header: said.normColumns,
        length: (layers + 1) * length,
        row: (index) => {
          const state = Math.floor(index / length)
          return [state, all[index % length] ?? '', residual[index] ?? 0, change[index - length] ?? '']
        },
      },
    },
    {
      name: said.tables.heads,
      table: {
        header: said.headColumns,
        length: outputs.length,
        row: (index) => [`${Math.floor(index / heads)}.${index % heads}`, outputs[index] ?? 0],
      },
    },
  ]
}
