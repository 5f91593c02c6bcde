// The sites of numbers that views show, which lead to their explanations.
import { type PartName, textStart } from '../engine/protocol/parts'
import type { HeadResult } from '../engine/protocol/protocol'
import { site } from '../engine/protocol/site'
import { predictedPosition } from '../session/predictions'
import type { Run } from '../session/runs.svelte'
import type { Cursor, QueryAndKey } from '../viewstate/choice'

type Reading = Pick<Run, 'reading'>

/** A tensor with a number for each head, query and key. */
export type TensorOfCells = 'attentions.N' | 'layer.N.score.unscaled' | 'layer.N.score' | 'layer.N.score.masked'

/** A part of an aggregate: a number of the forward pass, and its site. */
export interface Part {
  site: string
  value: number
}

/** More parts of an aggregate are not named. */
const mostParts = 3

/** The parts of an aggregate that weigh most. @param weightOf by default its size */
export function largestParts<T extends Part>(
  parts: Iterable<T>,
  weightOf: (part: T) => number = ({ value }) => Math.abs(value),
): Part[] {
  const largest: { part: T; weight: number }[] = []
  for (const part of parts) {
    const weight = weightOf(part)
    if (!(weight > (largest.length < mostParts ? 0 : (largest.at(-1)?.weight ?? 0)))) continue
    largest.splice(largest.findLastIndex((other) => other.weight >= weight) + 1, 0, { part, weight })
    largest.length = Math.min(largest.length, mostParts)
  }
  return largest.map(({ part: { site, value } }) => ({ site, value }))
}

/** The largest weights among some cells of a head's map. @param weightOf what counts of a cell; by default its weight's size */
export function partsOfMap(
  { layer, head, attention, length }: Pick<HeadResult, 'layer' | 'head' | 'attention' | 'length'>,
  cells: Iterable<QueryAndKey>,
  run: Reading,
  weightOf?: (weight: number, cell: QueryAndKey) => number,
): Part[] {
  return largestParts(parts(), weightOf && (({ value, query, key }) => weightOf(value, { query, key })))
  function* parts() {
    for (const { query, key } of cells)
      yield {
        query,
        key,
        value: attention[query * length + key] ?? 0,
        get site() {
          return siteOfCell('attentions.N', { layer, head, query, key }, run)
        },
      }
  }
}

/** The cells of a key. */
export const column = (key: number, length: number): QueryAndKey[] =>
  Array.from({ length }, (_, query) => ({ query, key }))

/** The cells at a distance (query − key). */
export const diagonal = (distance: number, length: number): QueryAndKey[] =>
  Array.from({ length }, (_, query) => ({ query, key: query - distance })).filter(({ key }) => key >= 0 && key < length)

/** A number of the selected head for a query and a key. */
export function siteOfCell(
  tensor: TensorOfCells,
  { layer, head, query, key }: Pick<Cursor, 'layer' | 'head' | 'query' | 'key'>,
  { reading: { pair } }: Reading,
): string {
  const row = query - (pair ? textStart(pair) : 0)
  return inPart(site(tensor, layer, head, row, key), pair?.part)
}

/** A component of a head's query as scores read it. */
export function siteOfQuery(
  { layer, head, query, column }: { layer: number; head: number; query: number; column: number },
  { model, reading: { pair } }: Pick<Run, 'model' | 'reading'>,
): string {
  const tensor = model.info.adds_positions ? 'layer.N.query' : 'layer.N.query.rotated'
  return inPart(site(tensor, layer, head, query - (pair ? textStart(pair) : 0), column), pair?.part)
}

/** The probability of the likeliest token where the query stands, or at the first predicted position; undefined where nothing is predicted. */
export function siteOfBest({ result, reading }: Pick<Run, 'result' | 'reading'>, query: number): string | undefined {
  const { rows, topIds } = result
  const position = predictedPosition(rows, query)
  // The encoder of an encoder–decoder predicts no token.
  if (position === undefined || reading.pair?.part === 'encoder') return undefined
  const id = topIds[rows.indexOf(position) * (topIds.length / rows.length)]
  return id === undefined ? undefined : siteOfToken('probabilities', position, id, { reading })
}

/** The logit or the probability of a token at a position. */
export function siteOfToken(
  tensor: 'logits' | 'probabilities',
  position: number,
  id: number,
  { reading: { pair } }: Reading,
): string {
  return inPart(`${tensor}[${position - (pair ? textStart(pair) : 0)},${id}]`, pair && 'decoder')
}

/** The name of a site in a part of an encoder–decoder, as the engine writes it. */
export function inPart(site: string, part: PartName | undefined): string {
  if (part === undefined) return site
  return `${part}${/^(attentions|hidden_states)\./.test(site) ? '_' : '.'}${site}`
}
