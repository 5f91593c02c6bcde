// The sites of numbers that views show, which lead to their explanations.
import { type PartName, textStart } from '../engine/protocol/parts'
import { site } from '../engine/protocol/site'
import { predictedPosition } from '../session/predictions'
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

/** The probability of the likeliest token where the query stands, or at the first predicted position; undefined where nothing is predicted. */
export function siteOfBest(
  { result, reading: { pair } }: Pick<Run, 'result' | 'reading'>,
  query: number,
): string | undefined {
  const { rows, topIds } = result
  const position = predictedPosition(rows, query)
  // The encoder of an encoder–decoder predicts no token.
  if (position === undefined || pair?.part === 'encoder') return undefined
  const id = topIds[rows.indexOf(position) * (topIds.length / rows.length)]
  return id === undefined
    ? undefined
    : inPart(`probabilities[${position - (pair ? textStart(pair) : 0)},${id}]`, pair && 'decoder')
}

/** The logit of a token at a position. */
export function siteOfLogit(position: number, id: number, { reading: { pair } }: Reading): string {
  return inPart(`logits[${position - (pair ? textStart(pair) : 0)},${id}]`, pair && 'decoder')
}

/** The name of a site in a part of an encoder–decoder, as the engine writes it. */
export function inPart(site: string, part: PartName | undefined): string {
  if (part === undefined) return site
  return `${part}${/^(attentions|hidden_states)\./.test(site) ? '_' : '.'}${site}`
}
