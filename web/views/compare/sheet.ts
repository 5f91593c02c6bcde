// What A and B are called, their numbers as tables, and the command lines that give them.
import { compare } from '../../i18n/en/views/compare'
import { runCommand } from '../command'
import type { NamedTable } from '../../ui/table'
import { changeIn, type Pair, type Side } from './sides.svelte'

const said = compare

/** Above the two maps. */
export function namesOf({ a, b, differs }: Pair): [string, string] {
  const whole = ({ of }: Side, head: string) =>
    of.changed === '' ? said.whole(head) : said.changedHead(head, changeIn(of.changed, of.model.info))
  switch (differs.by) {
    case 'head':
      return [said.head(differs.head), said.head(differs.other)]
    case 'change':
      return [whole(a, differs.head), differs.change]
    case 'text':
      return [said.headIn(differs.head, a.of.text), said.headIn(differs.head, b.of.text)]
    case 'model':
      return [
        said.headline.headOf(differs.head, differs.model),
        said.headline.headOf(differs.other, differs.otherModel),
      ]
  }
}

/** One command line, or one for each where B was run by itself. */
export function commandOf({ a, b, differs }: Pair): string {
  if (differs.by === 'head') return runCommand(a.of, ['attentions'])
  return [runCommand(a.of, ['attentions'], 'a.safetensors'), runCommand(b.of, ['attentions'], 'b.safetensors')].join(
    '\n',
  )
}

/** A and B, and their difference where there is one: of the tokens that are compared. */
export function tablesOf({ a, b, alignment }: Pair, apart: Float32Array): NamedTable[] {
  const { toB, compared } = alignment
  const every = (length: number) => Array.from({ length }, (_, at) => at)
  const tables = [
    table(said.a, a, a.head.attention, every(a.head.length)),
    table(said.b, b, b.head.attention, every(b.head.length)),
  ]
  if (compared === 'none') return tables
  const there = every(a.head.length).filter((at) => (toB[at] ?? -1) >= 0)
  return [...tables, table(said.difference, a, apart, there)]
}

function table(name: string, { head, reading }: Side, values: Float32Array, at: readonly number[]): NamedTable {
  const token = (position: number) => said.token(reading.display[position] ?? '', position)
  return {
    name: said.table(name),
    table: {
      header: [said.corner, ...at.map(token)],
      length: at.length,
      row: (index) => {
        const query = at[index] ?? 0
        return [token(query), ...at.map((key) => values[query * head.length + key] ?? 0)]
      },
    },
  }
}
