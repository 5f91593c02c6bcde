import type { ScoreParts } from '../engine/protocol'
import { bytes, sequential } from '../styles/colours'
import type { Bench } from './bench.svelte'
import type { EngineState } from './engine.svelte'
import { Latest } from './latest.svelte'
import { theme } from './theme.svelte'

/** RoFormer's base of θ_i; Hugging Face's class has no other. */
export const modelBase = 10_000
/** Heads of every RoFormer that its authors published; shown while no model is loaded. */
export const usualHeadSize = 64

/** One curve of the long-term decay. */
export interface DecayCurve {
  label: string
  headSize: number
  base: number
  bound: Float64Array
}

/** The frequencies of one head size and base, and the angles of its first positions. */
export interface Rotation {
  theta: Float64Array
  wavelengths: Float64Array
  /** (length, pairs) */
  angles: Float32Array
  length: number
  pairs: number
}

/** The rotation of the model's heads, or of the laboratory's own. */
export class Rotations {
  readonly #rotation = new Latest<Rotation>()

  constructor(engine: EngineState, settings: () => { headSize: number; base: number; length: number }) {
    $effect(() => {
      const { headSize, base, length } = settings()
      void engine.generation
      const { client } = engine
      // Together, so that a view never sees the angles of one head size with the frequencies of another.
      const answer = Promise.all([client.frequencies(headSize, base), client.angles(headSize, base, length)])
      void this.#rotation.ask(
        answer.then(([found, angles]) => found && angles && { ...found, angles, length, pairs: headSize / 2 }),
      )
    })
  }

  get current(): Rotation | undefined {
    return this.#rotation.value
  }
}

/** The curves of the long-term decay: the paper's figure, the model's heads, and the visitor's own. */
export class Decays {
  readonly #curves = new Latest<DecayCurve[]>()

  constructor(bench: Bench) {
    const { engine } = bench
    $effect(() => {
      const { headSize, base, maxDistance } = bench.choice
      const own = engine.model?.info.head_size
      void engine.generation
      const wanted = [
        { label: 'figure 2', headSize: 128, base: modelBase },
        ...(own === undefined ? [] : [{ label: 'this model', headSize: own, base: modelBase }]),
        { label: 'yours', headSize, base },
      ]
      const answer = Promise.all(
        wanted.map(async (curve) => {
          const bound = await engine.client.decay(curve.headSize, curve.base, maxDistance)
          return bound && { ...curve, bound }
        }),
      )
      void this.#curves.ask(answer.then((curves) => curves.flatMap((curve) => curve ?? [])))
    })
  }

  get curves(): DecayCurve[] | undefined {
    return this.#curves.value
  }
}

/** The chosen score of the chosen head, taken apart. */
export class ChosenScore {
  readonly #parts = new Latest<ScoreParts>()

  constructor(bench: Bench) {
    $effect(() => {
      const { shown, seen } = bench
      if (!shown || seen.query >= shown.head.length || seen.key >= shown.head.length) {
        this.#parts.clear()
        return
      }
      const { head_size } = shown.model.info
      const { length } = shown.head
      const row = (rows: Float32Array, position: number) => rows.slice(position * head_size, (position + 1) * head_size)
      const query = row(shown.head.query, seen.query)
      const key = row(shown.head.key, seen.key)
      void this.#parts.ask(
        bench.engine.client.explain(query, key, seen.query, seen.key, modelBase, Math.max(32, length)),
      )
    })
  }

  get parts(): ScoreParts | null {
    return this.#parts.value ?? null
  }
}

/** The colours of the attention maps, from the engine, so that what the page paints looks like what the engine paints. */
export class Palette {
  readonly #table = new Latest<Uint8Array>()

  constructor(engine: EngineState) {
    $effect(() => {
      void engine.generation
      void this.#table.ask(engine.client.palette(bytes(sequential[theme.scheme])))
    })
  }

  get table(): Uint8Array | undefined {
    return this.#table.value
  }
}
