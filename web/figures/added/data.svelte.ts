// Positions that are added: sinusoids of the ruler's rope, or a trained model's table, as training/learned_table.py writes it.
import type { AddedPositions, PositionTable } from '../../engine/protocol/mathematics'
import { resource } from '../../session/resource.svelte'
import { Ruler } from '../../session/ruler.svelte'
import type { Inputs } from '../../views/module'
import type { AddedParams } from '.'

interface LearnedTable extends PositionTable {
  model: string
  /** Dimensions of the complete table. */
  of: number
}

interface File {
  model: string
  positions: number
  dimensions: number
  of: number
  /** Of a number's last digit. */
  step: number
  /** The mean length of the model's word embeddings in these dimensions. */
  norm: number
  /** (positions, dimensions), a byte a number, 128 for 0, in base64. */
  rows: string
}

export function tableOf({ model, dimensions, of, step, norm, rows }: File): LearnedTable {
  const table = Float64Array.from(atob(rows), (byte) => (byte.charCodeAt(0) - 128) * step)
  return { model, size: dimensions, of, norm, table }
}

let learned: LearnedTable | undefined = $state.raw()

/** Dimensions whose random rows are compared, and how many pairs of rows in each. */
export const dimensions = [8, 64, 512] as const
const randomPairs = 240
/** Sinusoidal positions in the picture. */
const sinusoids = 128

type AddedData = ReturnType<typeof addedData>

export function addedData(inputs: Inputs<AddedParams>) {
  const { bench } = inputs
  // The table is large, and few open it.
  $effect(() => {
    if (inputs.params.rows === 'learned' && !learned)
      void import('./learned.json').then((file) => (learned = tableOf(file.default)))
  })
  const positions = resource(bench.engine, 'addedPositions', () => {
    const random = { seed: 1, dimensions, count: randomPairs }
    const { headSize, base } = bench.choice
    if (inputs.params.rows === 'sinusoids')
      return { params: { rows: { headSize, base, length: sinusoids }, ...random }, subject: `${headSize}-${base}` }
    return learned && { params: { rows: learned, ...random }, subject: 'learned', table: learned }
  })
  return { ruler: new Ruler(bench), positions }
}

/** What the picture is drawn from. */
export interface Added {
  numbers: AddedPositions
  /** Undefined for sinusoids. */
  table: LearnedTable | undefined
  /** The last position. */
  last: number
  position: number
  /** Pairs of dimensions. */
  pairs: number
  pair: number
}

export function addedOf({ params }: Inputs<AddedParams>, { ruler, positions }: AddedData): Added | undefined {
  const { latest } = positions
  const table = latest?.request.table
  // Sinusoids do not stay for a table that is loading, nor the other way round.
  if (!latest || (table !== undefined) !== (params.rows === 'learned')) return undefined
  const { value: numbers } = latest
  const last = numbers.norms.length - 1
  const pairs = numbers.size / 2
  return {
    numbers,
    table,
    last,
    position: Math.min(ruler.m, last),
    pairs,
    pair: Math.min(params.pair, pairs - 1),
  }
}
