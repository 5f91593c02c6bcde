import type { RunResult } from '../engine/protocol/protocol'
import type { Reading } from '../text/reading'
import type { LoadedModel } from './engine.svelte'

/** Of more masks only the first show their fills. */
export const mostPredictions = 64

/** A position with its most probable tokens. */
export interface Prediction {
  position: number
  /** As texts, with their probabilities, best first. */
  fills: { id: number; token: string; probability: number }[]
}

/** The positions that are predicted, ascending: each mask, or a causal model's last token. */
export function rowsToPredict(
  { info, tokenizer }: Pick<LoadedModel, 'info' | 'tokenizer'>,
  reading: Reading,
): Uint32Array {
  if (!info.predicts_tokens) return new Uint32Array()
  if (info.is_decoder || reading.pair) return Uint32Array.of(Math.max(0, reading.ids.length - 1 - reading.after))
  const masks = Array.from(reading.ids.keys()).filter((position) => reading.ids[position] === tokenizer.maskId)
  return Uint32Array.from(masks.slice(0, mostPredictions))
}

/** The query's position if it is predicted, else the first predicted one. */
export function predictedPosition(rows: Uint32Array, query: number): number | undefined {
  return rows.includes(query) ? query : rows[0]
}

export function predictions(
  { rows, topIds, topProbabilities }: Pick<RunResult, 'rows' | 'topIds' | 'topProbabilities'>,
  token: (id: number) => string,
): Prediction[] {
  const count = rows.length === 0 ? 0 : topIds.length / rows.length
  return Array.from(rows, (position, row) => ({
    position,
    fills: Array.from(topIds.subarray(row * count, (row + 1) * count), (id, rank) => ({
      id,
      token: token(id),
      probability: topProbabilities[row * count + rank] ?? 0,
    })),
  }))
}

/** The answer of a model without a vocabulary head. */
export type Verdict =
  | { kind: 'classes'; classes: { label: string; probability: number }[] }
  | { kind: 'tokens'; tokens: { position: number; label: string; probability: number }[] }
  | { kind: 'answer'; start: number; end: number }

/** Reads the logits of a classifier ((labels), or (1, labels)), a token classifier ((length, labels)) or a question answerer ((length, 2)). */
export function verdict(
  architecture: string,
  labels: readonly string[],
  { logits, logitsShape, length }: Pick<RunResult, 'logits' | 'logitsShape' | 'length'>,
): Verdict | null {
  const width = logitsShape.at(-1) ?? 0
  if (logits.length === 0 || width === 0) return null
  const name = (label: number) => labels[label] ?? `LABEL_${label}`
  if (architecture.includes('QuestionAnswering')) {
    const column = (which: number) => Array.from({ length }, (_, position) => logits[position * 2 + which] ?? 0)
    return { kind: 'answer', start: greatest(column(0)), end: greatest(column(1)) }
  }
  const rows = Array.from({ length: logits.length / width }, (_, row) =>
    softmax(Array.from(logits.subarray(row * width, (row + 1) * width))),
  )
  if (architecture.includes('TokenClassification')) {
    const tokens = rows.map((row, position) => {
      const label = greatest(row)
      return { position, label: name(label), probability: row[label] ?? 0 }
    })
    return { kind: 'tokens', tokens }
  }
  const classes = (rows[0] ?? []).map((probability, label) => ({ label: name(label), probability }))
  return { kind: 'classes', classes: classes.sort((a, b) => b.probability - a.probability) }
}

function greatest(values: readonly number[]): number {
  return values.reduce((best, value, at) => (value > (values[best] ?? Number.NEGATIVE_INFINITY) ? at : best), 0)
}

function softmax(logits: readonly number[]): number[] {
  const most = logits.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const powers = logits.map((logit) => Math.exp(logit - most))
  const sum = powers.reduce((a, b) => a + b, 0)
  return powers.map((power) => power / sum)
}
