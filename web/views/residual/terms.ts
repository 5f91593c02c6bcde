// The terms of a logit, as rows of a picture: by layer and sublayer, or by head.
import type { Attribution, LogitTerm } from '../../engine/protocol/explanation'

export type Kind = 'embedding' | 'attention' | 'cross' | 'feed_forward' | 'bias' | 'others' | 'rounding'

export interface Row {
  kind: Kind
  layer: number | undefined
  /** Undefined where all heads of a layer are one row. */
  head: number | undefined
  value: number
}

const kinds: Readonly<Record<LogitTerm['of'], Kind>> = {
  embedding: 'embedding',
  head: 'attention',
  cross_head: 'cross',
  feed_forward: 'feed_forward',
  bias: 'bias',
}

/** Rows of a picture that can still be read. */
const mostRows = 60

/** A difference to the logit that two digits show. */
const leastRounding = 0.005

/**
 * In the order of the model; biases are one row at the end, and after them what is missing to the logit of the run. `byHead`: each head by
 * itself, where there are not too many.
 */
export function rowsOf({ terms, logit }: Attribution, byHead: boolean): Row[] {
  const rows: Row[] = []
  for (const { of, layer, head, value } of terms) {
    const kind = kinds[of]
    const layerOfRow = kind === 'bias' ? undefined : (layer ?? undefined)
    const place = { layer: layerOfRow, head: byHead ? (head ?? undefined) : undefined }
    const same = rows.find((row) => row.kind === kind && row.layer === place.layer && row.head === place.head)
    if (same) same.value += value
    else rows.push({ kind, ...place, value })
  }
  const sum = terms.reduce((sum, { value }) => sum + value, 0)
  const rounding: Row = { kind: 'rounding', layer: undefined, head: undefined, value: logit - sum }
  return [
    ...withOthers(rows.filter(({ kind }) => kind !== 'bias')),
    ...rows.filter(({ kind }) => kind === 'bias'),
    ...(Math.abs(rounding.value) < leastRounding ? [] : [rounding]),
  ]
}

/** The largest rows in their order, and the sum of the others. */
function withOthers(rows: readonly Row[]): Row[] {
  if (rows.length <= mostRows) return [...rows]
  const sizes = rows.map(({ value }) => Math.abs(value)).sort((one, other) => other - one)
  const least = sizes[mostRows - 1] ?? 0
  const large = rows.filter(({ value }) => Math.abs(value) >= least)
  const value = rows.filter((row) => !large.includes(row)).reduce((sum, row) => sum + row.value, 0)
  return [...large, { kind: 'others', layer: undefined, head: undefined, value }]
}

/** The sum of each kind. */
export function totals(
  terms: readonly LogitTerm[],
): Record<'embedding' | 'attention' | 'feedForward' | 'bias', number> {
  const sum = (...of: LogitTerm['of'][]) =>
    terms.filter((term) => of.includes(term.of)).reduce((sum, { value }) => sum + value, 0)
  return {
    embedding: sum('embedding'),
    attention: sum('head', 'cross_head'),
    feedForward: sum('feed_forward'),
    bias: sum('bias'),
  }
}
