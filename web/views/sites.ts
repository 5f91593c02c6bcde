// The sites of numbers that views show, which lead to their explanations.
import { type PartName, textStart } from '../engine/protocol/parts'
import { site } from '../engine/protocol/site'
import type { Run } from '../session/runs.svelte'
import type { Cursor } from '../viewstate/choice'

type Reading = Pick<Run, 'reading'>

/** A tensor with a number for each head, query and key. */
type TensorOfCells = 'attentions.N' | 'layer.N.score' | 'layer.N.score.masked'

/** A number of the selected head for a query and a key. */
export function siteOfCell(
  tensor: TensorOfCells,
  { layer, head, query, key }: Pick<Cursor, 'layer' | 'head' | 'query' | 'key'>,
  { reading: { pair } }: Reading,
): string {
  const row = query - (pair ? textStart(pair) : 0)
  return inPart(site(tensor, layer, head, row, key), pair?.part)
}

/** The probability of the likeliest token where the query is predicted, else where the first token is; undefined where none is. */
export function siteOfBest(
  { result, reading: { pair } }: Pick<Run, 'result' | 'reading'>,
  query: number,
): string | undefined {
  const { rows, topIds } = result
  const row = Math.max(0, rows.indexOf(query))
  const [position, id] = [rows[row], topIds[row * (topIds.length / Math.max(rows.length, 1))]]
  // The encoder of an encoder–decoder predicts none.
  if (position === undefined || id === undefined || pair?.part === 'encoder') return undefined
  return inPart(`probabilities[${position - (pair ? textStart(pair) : 0)},${id}]`, pair && 'decoder')
}

/** The logit of a token at a position. */
export function siteOfLogit(position: number, id: number, { reading: { pair } }: Reading): string {
  return inPart(`logits[${position - (pair ? textStart(pair) : 0)},${id}]`, pair && 'decoder')
}

/** The name of a site in a part of an encoder–decoder, as the engine writes it. */
function inPart(site: string, part: PartName | undefined): string {
  if (part === undefined) return site
  return `${part}${/^(attentions|hidden_states)\./.test(site) ? '_' : '.'}${site}`
}
