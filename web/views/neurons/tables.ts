// What leaves the view as tables.
import { namedTable, type NamedTable } from '../../ui/table'
import { t } from './messages.en'
import { siteOfNeuron, type Answers } from './subject'

const tensors = [undefined, 'ffn.N', 'ffn.N.inner', 'ffn.N.gate'] as const

export function tablesOf(answers: Answers): NamedTable[] {
  const { strongest, neuron, ofText, query, from, run } = answers
  const { reads, writes, values } = ofText
  const isGated = strongest.some(({ gate }) => gate !== null)
  const words = [
    ...reads.map((token) => ({ list: t().reads, ...token })),
    ...(writes?.likelier ?? []).map((token) => ({ list: t().likelier, ...token })),
    ...(writes?.less_likely ?? []).map((token) => ({ list: t().lessLikely, ...token })),
  ]
  return [
    namedTable(
      t().table,
      t().header.slice(0, isGated ? 4 : 3),
      strongest,
      ({ neuron, value, inner, gate }) => [neuron, value, inner, ...(isGated ? [gate ?? ''] : [])],
      ({ neuron }, column) => {
        const tensor = tensors[column]
        return tensor && siteOfNeuron(tensor, answers, query, neuron)
      },
    ),
    namedTable(
      t().tokenTable(neuron),
      t().tokenHeader,
      values,
      (value, row) => [run.reading.display[from + row] ?? '', from + row, value],
      (_, column, row) => (column === 2 ? siteOfNeuron('ffn.N', answers, from + row, neuron) : undefined),
    ),
    namedTable(t().wordTable, t().wordHeader, words, ({ list, id, number }) => [
      list,
      run.model.tokenizer.display(id),
      id,
      number,
    ]),
  ]
}
