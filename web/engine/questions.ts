// Everything the page can ask of its worker: a row a question. How each is answered stands in answers.ts, under the same name.

import type {
  Backend,
  Candidate,
  GeneratedToken,
  GenerationEnd,
  GenerationSettings,
  GridPixels,
  HeadResult,
  RunRequest,
  RunResult,
  Sampling,
  ScoreParts,
} from './protocol'

/** `part`, where a row has one: what is told, again and again, before the answer. */
export interface Questions {
  /** Both (head_size / 2): θ_i, and the wavelengths 2π/θ_i in positions. */
  frequencies: {
    asks: { headSize: number; base: number }
    answer: { theta: Float64Array; wavelengths: Float64Array }
  }
  /** (length, head_size / 2): m·θ_i modulo 2π. */
  angles: { asks: { headSize: number; base: number; length: number }; answer: Float32Array }
  /** The bound at distances 0 … maxDistance. */
  decay: { asks: { headSize: number; base: number; maxDistance: number }; answer: Float64Array }
  /** 256 × 3 sRGB bytes between stops (stops × 3). */
  palette: { asks: { stops: Uint8Array }; answer: Uint8Array }
  /** One score taken apart: the rotated query row at position m, the key row at n. */
  explain: {
    asks: { query: Float32Array; key: Float32Array; m: number; n: number; base: number; maxDistance: number }
    answer: ScoreParts
  }
  /** A forward pass. `model` is the id of the load whose model the token ids belong to: a run for one that was replaced is dropped. */
  run: { asks: { model: number; request: RunRequest }; answer: RunResult }
  /** A head of this run, as long as the engine still holds it. */
  head: { asks: { run: number; layer: number; head: number }; answer: HeadResult }
  /** What may come next after this run's text, best first. */
  candidates: { asks: { run: number; settings: Sampling }; answer: Candidate[] }
  /** Writes on after these ids, token by token, and answers why it ended. Runs and heads that are asked for meanwhile go in between. */
  generate: {
    asks: { model: number; ids: Uint32Array; settings: GenerationSettings }
    part: GeneratedToken
    answer: GenerationEnd
  }
  /** The grid of all heads as a painter makes it. */
  gridPixels: { asks: { painter: Backend }; answer: GridPixels }
}

export type Kind = keyof Questions
export type Asks<K extends Kind> = Questions[K]['asks']
export type Answer<K extends Kind> = Questions[K]['answer']
export type Part<K extends Kind> = Questions[K] extends { part: infer P } ? P : never
