// The numbers of a map, with or without special tokens, its masked cells, and which heads and which kind of numbers it is of.
import type { Table } from '../../ui/table'
import { isWeighing, type MapKind, type ModelInfo } from '../../engine/protocol/protocol'
import type { HeadPlace, QueryAndKey } from '../../viewstate/choice'

/** A cell, by its row and its column: without special tokens these are no positions in the text. */
export type MapCell = QueryAndKey

/** How many queries and keys. */
export interface Extent {
  queries: number
  keys: number
}

/** Tokens along the longer side. */
export const acrossOf = ({ queries, keys }: Extent): number => Math.max(queries, keys)

/** The extent of a part with so many tokens across: no side is longer than the map. */
export const partExtent = (across: number, map: Extent): Extent => ({
  queries: Math.min(across, map.queries),
  keys: Math.min(across, map.keys),
})

/** The tokens of the rows or of the columns. */
export interface Axis {
  /** Their positions in the text. */
  positions: readonly number[]
  /** Their texts. */
  names: readonly string[]
}

export interface HeadMap {
  queries: Axis
  keys: Axis
  /** (queries, keys), row-major: queries down, keys across. */
  values: Float32Array
  /** Whether a token sees only itself and those before it. */
  causal: boolean
  /** Whether queries are of another text than keys. */
  cross: boolean
}

interface MapOf {
  /** (length, length) */
  values: Float32Array
  /** One a token of the text. */
  names: readonly string[]
  causal: boolean
  /** Of cross-attention: the tokens of the source, which are the keys. Those of the text behind them are the queries. */
  source?: number | undefined
  /** Tokens to leave out, by position. */
  hidden?: ReadonlySet<number>
  /** Whether rows are scaled to sum to 1 again without the hidden tokens. */
  renormalise?: boolean
}

export function headMap({ values, names, causal, source, hidden, renormalise = false }: MapOf): HeadMap {
  const length = names.length
  const axis = (from: number, to: number): Axis => {
    const positions = names.flatMap((_, at) => (at < from || at >= to || hidden?.has(at) ? [] : [at]))
    return { positions, names: positions.map((position) => names[position] ?? '') }
  }
  const isComplete = !hidden || hidden.size === 0
  const keys = axis(0, source ?? length)
  const queries = source === undefined ? keys : axis(source, length)
  const cross = source !== undefined
  if (isComplete && !cross) return { queries, keys, values, causal, cross }
  const columns = keys.positions.length
  const cells = new Float32Array(queries.positions.length * columns)
  queries.positions.forEach((query, row) => {
    let sum = 0
    keys.positions.forEach((key, column) => {
      const value = values[query * length + key] ?? 0
      cells[row * columns + column] = value
      sum += value
    })
    if (isComplete || !renormalise || sum <= 0) return
    for (let at = row * columns; at < (row + 1) * columns; at++) cells[at] = (cells[at] ?? 0) / sum
  })
  return { queries, keys, values: cells, causal, cross }
}

export const extentOf = ({ queries, keys }: HeadMap): Extent => ({
  queries: queries.positions.length,
  keys: keys.positions.length,
})

/** Whether the mask hides this key from this query. */
export const forbids = ({ causal }: Pick<HeadMap, 'causal'>, { query, key }: MapCell): boolean => causal && key > query

export function valueAt({ values, keys }: HeadMap, { query, key }: MapCell): number {
  return values[query * keys.positions.length + key] ?? 0
}

/** The numbers of one query over the keys that it sees. */
export function rowOf({ values, keys, causal }: HeadMap, query: number): Float32Array {
  const columns = keys.positions.length
  const start = query * columns
  return values.subarray(start, start + (causal ? query + 1 : columns))
}

/** The cell of a query and a key of the text; null where one of them is left out. */
export function cellOf({ queries, keys }: HeadMap, place: MapCell): MapCell | null {
  const [query, key] = [queries.positions.indexOf(place.query), keys.positions.indexOf(place.key)]
  return query < 0 || key < 0 ? null : { query, key }
}

/** The greatest magnitude of all cells that the mask allows. */
export function reachOf(map: HeadMap): number {
  let most = 0
  for (let query = 0; query < map.queries.positions.length; query++) {
    const row = rowOf(map, query)
    for (let key = 0; key < row.length; key++) most = Math.max(most, Math.abs(row[key] ?? 0))
  }
  return most
}

/** Cells that a part of the largest is sought among. */
const sampled = 1 << 14

const gcd = (one: number, other: number): number => (other === 0 ? one : gcd(other, one % other))

/** The greatest magnitude of all cells but the largest hundredth; of a large map, of evenly spaced cells. */
export function commonReachOf(map: HeadMap): number {
  const magnitudes: number[] = []
  const columns = map.keys.positions.length
  // A step that has no factor in common with columns or diagonals meets each of them equally often.
  let step = Math.ceil(map.values.length / sampled)
  while (gcd(columns * (columns + 1), step) > 1) step++
  for (let cell = 0; cell < map.values.length; cell += step) {
    const place = { query: Math.floor(cell / columns), key: cell % columns }
    if (!forbids(map, place)) magnitudes.push(Math.abs(map.values[cell] ?? 0))
  }
  magnitudes.sort((one, other) => other - one)
  return magnitudes[Math.floor(magnitudes.length / 100)] ?? 0
}

/** The cell with the greatest magnitude within `radius` of a place: the one that a pixel of many cells shows. */
export function greatestAround(map: HeadMap, { query, key }: MapCell, radius: number): MapCell {
  const { queries, keys } = extentOf(map)
  let best = { query, key }
  let most = forbids(map, best) ? -1 : Math.abs(valueAt(map, best))
  for (let row = Math.max(0, query - radius); row <= Math.min(queries - 1, query + radius); row++) {
    for (let column = Math.max(0, key - radius); column <= Math.min(keys - 1, key + radius); column++) {
      const place = { query: row, key: column }
      const value = forbids(map, place) ? -1 : Math.abs(valueAt(map, place))
      if (value > most) {
        most = value
        best = place
      }
    }
  }
  return best
}

/** A key of a row in its ranking. */
export interface Ranked {
  key: number
  value: number
}

/** 1 for the greatest of the row; equal numbers share the better rank. */
export function rank(row: Float32Array, key: number): number {
  const value = row[key] ?? 0
  return row.reduce((better, other) => better + (other > value ? 1 : 0), 1)
}

/** The `count` greatest, greatest first, ties to the earlier key. */
export function greatest(row: Float32Array, count: number): Ranked[] {
  return Array.from(row, (value, key) => ({ key, value }))
    .sort((a, b) => b.value - a.value || a.key - b.key)
    .slice(0, count)
}

/** Queries down, keys across; masked cells are empty. */
/** @param siteOf of the number of a query and a key, by their positions in the text */
export function tableOf(
  map: HeadMap,
  corner: string,
  siteOf?: (query: number, key: number) => string | undefined,
): Table {
  const { queries, keys } = map
  const label = ({ positions, names }: Axis, at: number) => `${positions[at] ?? ''} ${names[at] ?? ''}`
  return {
    header: [corner, ...keys.positions.map((_, key) => label(keys, key))],
    length: queries.positions.length,
    row: (query) => [
      label(queries, query),
      ...keys.positions.map((_, key) => (forbids(map, { query, key }) ? '' : valueAt(map, { query, key }))),
    ],
    siteOf:
      siteOf &&
      ((query, column) => {
        const key = column - 1
        return key < 0 || forbids(map, { query, key })
          ? undefined
          : siteOf(queries.positions[query] ?? 0, keys.positions[key] ?? 0)
      }),
  }
}

export const kinds: readonly MapKind[] = ['weight', 'value', 'output', 'score', 'content', 'rotation']

/** The heads that a map is of: one, or the mean over its layer, over all heads, or over a selection. */
export const means = ['head', 'layer', 'all', 'some'] as const
export type Mean = (typeof means)[number]

/** The settings of a map's heads. */
interface SubjectSettings {
  kind: MapKind
  mean: Mean
  picked: readonly HeadPlace[]
}

/** The heads of a map: `layer` and `head` for one, `layer` for those of a layer. */
export interface MapHeads extends HeadPlace {
  mean: Mean
  /** Heads that it is the mean of. */
  count: number
}

/** The kinds that a model has: where nothing rotates, content is the score. */
export const kindsOf = ({ adds_positions: isAdded }: Pick<ModelInfo, 'adds_positions'>): readonly MapKind[] =>
  isAdded ? kinds.filter((kind) => kind !== 'content' && kind !== 'rotation') : kinds

/** Scores are of one head: with several, weights stand in their place. */
export function kindOf(
  { kind, mean }: Pick<SubjectSettings, 'kind' | 'mean'>,
  model: Pick<ModelInfo, 'adds_positions'>,
): MapKind {
  if (isWeighing(kind)) return kind
  if (mean !== 'head') return 'weight'
  return kindsOf(model).includes(kind) ? kind : 'score'
}

type Sizes = Pick<ModelInfo, 'num_hidden_layers' | 'num_attention_heads'>

/** The heads of these settings; the selected one if none is picked. */
export function headsOf(
  { mean, picked }: Pick<SubjectSettings, 'mean' | 'picked'>,
  place: HeadPlace,
  { num_hidden_layers: layers, num_attention_heads: heads }: Sizes,
): HeadPlace[] {
  const ofLayer = (layer: number) => Array.from({ length: heads }, (_, head) => ({ layer, head }))
  if (mean === 'layer') return ofLayer(place.layer)
  if (mean === 'all') return Array.from({ length: layers }, (_, layer) => ofLayer(layer)).flat()
  const picks = mean === 'some' ? pickedOf(picked, { num_hidden_layers: layers, num_attention_heads: heads }) : []
  return picks.length > 0 ? picks : [{ layer: place.layer, head: place.head }]
}

/** Those that the model has, each once, in the order of the layers. */
export function pickedOf(picked: readonly HeadPlace[], model: Sizes): HeadPlace[] {
  const { num_hidden_layers: layers, num_attention_heads: heads } = model
  const places = picked.flatMap(({ layer, head }) => (layer < layers && head < heads ? [layer * heads + head] : []))
  return [...new Set(places)]
    .sort((one, other) => one - other)
    .map((place) => ({ layer: Math.floor(place / heads), head: place % heads }))
}

/** As a part of a file's name: layer-2, all-heads, 3-heads; undefined: one head, which the file names by itself. */
export function subjectOf({ mean, layer, count }: Pick<MapHeads, 'mean' | 'layer' | 'count'>): string | undefined {
  return { head: undefined, layer: `layer-${layer}`, all: 'all-heads', some: `${count}-heads` }[mean]
}
