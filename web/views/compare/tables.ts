// The numbers of a comparison as tables, and the commands that compute them.
import { namedTable, type NamedTable } from '../../ui/table'
import { runCommand } from '../command'
import { siteOfCell } from '../sites'
import type { Comparison, Side } from './data.svelte'
import type { AttentionMap } from './maps'
import { t } from './messages.en'

/** One command line, or two where B is a run of its own. */
export function commandOf({ a, b, contrast }: Comparison): string {
  if (contrast.by === 'head') return runCommand(a.subject, ['attentions'])
  const [first, second] = [a, b].map(({ subject }, index) =>
    runCommand(subject, ['attentions'], `${index === 0 ? 'a' : 'b'}.safetensors`),
  )
  return `${first}\n${second}`
}

/** Whether the numbers of A and of B are of the run on show, whose sites lead to explanations. */
function onShow({ run, a, contrast }: Comparison): readonly [boolean, boolean] {
  const isA = a.head.run === run
  // B is another head of it, or it is the run with interventions and A the one without.
  return [isA, contrast.by === 'head' || (contrast.by === 'change' && !isA)]
}

/** A, B and, of the compared tokens, their difference. */
export function tablesOf(comparison: Comparison, differences: Float32Array): NamedTable[] {
  const { a, b, alignment } = comparison
  const { toB, compared } = alignment
  const all = ({ length }: AttentionMap) => Array.from({ length }, (_, at) => at)
  const ofRun = onShow(comparison)
  const tables = [a, b].map((side, at) =>
    tableOf([t().a, t().b][at] ?? '', side, side.head.attention, all(side.head), ofRun[at]),
  )
  if (compared === 'none') return tables
  const common = all(a.head).filter((at) => (toB[at] ?? -1) >= 0)
  return [...tables, tableOf(t().difference, a, differences, common)]
}

/** @param positions of the tokens that are compared */
function tableOf(
  name: string,
  { head, reading }: Side,
  values: Float32Array,
  positions: readonly number[],
  isOnShow = false,
): NamedTable {
  const { length, source } = head
  const queries = positions.filter((at) => source === undefined || at >= source)
  const keys = positions.filter((at) => source === undefined || at < source)
  const token = (position: number) => t().token(reading.display[position] ?? '', position)
  const { layer, head: place } = head
  return namedTable(
    t().table(name),
    [t().corner, ...keys.map(token)],
    queries,
    (query) => [token(query), ...keys.map((key) => values[query * length + key] ?? 0)],
    (query, column) => {
      const key = keys[column - 1]
      if (!isOnShow || key === undefined) return undefined
      return siteOfCell('attentions.N', { layer, head: place, query, key }, { reading })
    },
  )
}
