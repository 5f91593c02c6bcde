// A trained model's table of positions, as training/learned_table.py writes it.
import type { PositionTable } from '../../engine/protocol/mathematics'

export interface LearnedTable extends PositionTable {
  model: string
  /** Dimensions of the whole table. */
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
