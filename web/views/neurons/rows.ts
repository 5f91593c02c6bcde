// The rows of the picture's lists.
import type { NeuronNumbers, TokenNumber } from '../../engine/protocol/neurons'
import { signed, tokenName } from '../../i18n/numbers'
import { t } from './messages.en'
import type { BarList, TokenList } from './picture'
import type { Answers } from './subject'

/** The strongest neurons of so many rows, with the selected one last where it is not among them. */
export function barsOf(
  { strongest, neuron, ofText, query, from, run }: Answers,
  count: number,
): { list: readonly (Pick<NeuronNumbers, 'neuron' | 'value'> & Partial<NeuronNumbers>)[]; bars: BarList } {
  const first = strongest.slice(0, count)
  const isListed = first.some((one) => one.neuron === neuron)
  const selected = strongest.find((one) => one.neuron === neuron) ?? {
    neuron,
    value: ofText.values[query - from] ?? 0,
  }
  const list = isListed ? first : [...first.slice(0, count - 1), selected]
  const { value, inner, gate } = t().columns
  const isGated = strongest.some((one) => one.gate !== null)
  const written = (number: number | null | undefined) => (number == null ? '' : signed(number))
  const rows = list.map((one) => {
    const { inner, gate }: Partial<NeuronNumbers> = one
    return {
      name: String(one.neuron),
      value: one.value,
      numbers: [signed(one.value), written(inner), ...(isGated ? [written(gate)] : [])],
      isSelected: one.neuron === neuron,
    }
  })
  const columns = [value, inner, ...(isGated ? [gate] : [])]
  const title = t().strongest(tokenName(run.reading.display[query] ?? '', query))
  return { list, bars: { title, columns, rows, tone: 'ink' } }
}

/** What the selected neuron reads, and what it writes where that has names. */
export function wordsOf({ ofText: { reads, writes }, run }: Answers): TokenList[] {
  const { tokenizer } = run.model
  const rows = (tokens: readonly TokenNumber[]) =>
    tokens.map(({ id, number }) => ({ name: tokenizer.display(id), number: signed(number) }))
  return [
    { title: t().reads, rows: rows(reads) },
    ...(writes
      ? [
          { title: t().likelier, rows: rows(writes.likelier) },
          { title: t().lessLikely, rows: rows(writes.less_likely) },
        ]
      : []),
  ]
}
