// What adds up to the logit of a prediction: direct logit attribution.
import { textStart } from '../../engine/protocol/parts'
import { headName, signed } from '../../i18n/numbers'
import { number, type Piece } from '../../i18n/rich'
import { predictedPosition } from '../../session/predictions'
import { runOf } from '../../session/reading'
import { resource } from '../../session/resource.svelte'
import type { Run } from '../../session/runs.svelte'
import { namedTable } from '../../ui/table'
import { walkRow } from '../../ui/walk'
import type { ParamsOf } from '../../viewstate/fields'
import { runCommand } from '../command'
import type { Inputs } from '../module'
import { Output, type Target } from '../output'
import { siteOfToken } from '../sites'
import type { params } from '.'
import { t } from './messages.en'
import { barAt, drawWaterfall } from './picture'
import { rowsOf, totals, type Row } from './terms'

type Params = ParamsOf<typeof params>

export { t as messages }

/** A prediction: its token, and the best tokens at its position. */
interface Predicted {
  position: number
  token: number
  best: readonly number[]
}

/** Undefined where the views show the encoder of an encoder–decoder, which predicts nothing. */
export function predictedOf(
  { result, reading }: Pick<Run, 'result' | 'reading'>,
  query: number,
  rank: number,
): Predicted | undefined {
  const { rows, topIds } = result
  const position = predictedPosition(rows, query)
  if (position === undefined || reading.pair?.part === 'encoder') return undefined
  const count = topIds.length / rows.length
  const first = rows.indexOf(position) * count
  const best = Array.from(topIds.subarray(first, first + Math.min(5, count)))
  const token = best[rank] ?? best[0]
  return token === undefined ? undefined : { position, token, best }
}

export const data = (inputs: Inputs<Params>) =>
  resource(inputs.bench.engine, 'attributions', () => {
    const { run, cursor, params } = inputs
    const predicted = run && predictedOf(run, cursor.query, params.rank)
    if (!predicted) return undefined
    const { pair } = run.reading
    const row = predicted.position - (pair ? textStart(pair) : 0)
    return { model: run.model, params: { ...runOf(run), row, tokens: [predicted.token] }, run, predicted }
  })

type Data = ReturnType<typeof data>

export function output(
  { run, cursor, params, width }: Inputs<Params>,
  { latest, stale, failure }: Data,
): Output<Params> {
  if (run && !predictedOf(run, cursor.query, params.rank)) return Output.message(t().none)
  if (failure)
    return Output.ofNoRun({ message: failure.message, published: { headline: { title: t().unavailable, line: '' } } })
  const attribution = latest?.value[0]
  if (!latest || !attribution) return Output.message(t().loading)
  const { request } = latest
  const { position, token, best } = request.predicted
  const { tokenizer } = request.run.model
  const name = tokenizer.display(token)
  const site = siteOfToken('logits', position, token, request.run)
  const rows = rowsOf(attribution, params.heads)
  // Only a head of the part that the views show can be selected.
  const kind = request.run.reading.pair?.part === 'cross' ? 'cross' : 'attention'
  const heads = rows.filter((row) => row.head !== undefined && row.kind === kind)
  const bars = rows.map((row) => ({
    name: nameOf(row),
    value: row.value,
    isSelected: heads.includes(row) && isSelected(row, cursor),
  }))
  const select = (row: Row | undefined): Target | undefined => {
    const { layer, head } = row ?? {}
    if (!row || !heads.includes(row) || layer === undefined || head === undefined) return undefined
    return { cursor: { layer, head }, say: t().moved(nameOf(row), row.value) }
  }
  return Output.of(request.run, {
    scene: drawWaterfall(bars, t().total(name), width),
    label: t().label(name),
    stale,
    above: [
      [
        {
          kind: 'select',
          label: t().token,
          value: String(params.rank),
          options: best.map((id, rank) => ({ value: String(rank), text: tokenizer.display(id) })),
          to: (rank) => ({ params: { rank: Number(rank) } }),
        },
        { kind: 'button', label: t().heads, pressed: params.heads, to: { params: { heads: !params.heads } } },
      ],
    ],
    below: [[{ kind: 'text', text: t().limits }]],
    published: {
      headline: headlineOf(
        rowsOf(attribution, false),
        name,
        number(signed(attribution.logit), site),
        totals(attribution.terms),
      ),
      tables: [
        namedTable(t().table, t().columns, attribution.terms, ({ of, at, value }) => [t().kinds[of], at, value]),
      ],
      subject: '',
      command: runCommand(request.run, []),
    },
    explains: site,
    hit: (_, y) => select(rows[barAt(y, rows.length) ?? -1]),
    onAction: (action) =>
      select(
        heads[
          walkRow(
            heads.findIndex((row) => isSelected(row, cursor)),
            action,
            heads.length - 1,
          ) ?? -1
        ],
      ),
  })
}

function headlineOf(rows: readonly Row[], name: string, logit: Piece, sums: ReturnType<typeof totals>) {
  const parts = rows.filter(({ kind }) => !['bias', 'others', 'rounding'].includes(kind))
  const [first] = parts.toSorted((one, other) => other.value - one.value)
  return {
    title:
      first && first.value > 0
        ? t().headline(name, nameOf(first), signed(first.value), logit)
        : t().totalOf(name, logit),
    line: t().line(sums),
  }
}

function nameOf({ kind, layer, head }: Row): string {
  if (kind === 'embedding' || kind === 'bias' || kind === 'others' || kind === 'rounding') return t().rows[kind]
  if (head === undefined) return t().rows[kind](layer ?? 0)
  const of = headName({ layer: layer ?? 0, head })
  return kind === 'cross' ? t().crossHead(of) : of
}

const isSelected = ({ layer, head }: Row, cursor: { layer: number; head: number }): boolean =>
  head !== undefined && layer === cursor.layer && head === cursor.head
