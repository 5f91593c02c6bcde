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

interface Rotating {
  headSize: number
  base: number
  length: number
}

/** The rotation of the model's heads, or of the laboratory's own. */
export class Rotations {
  readonly #rotation = new Latest<Rotation>()

  constructor(engine: EngineState, settings: () => Rotating) {
    // Numbers by themselves: what else changes with the settings asks for nothing.
    const headSize = $derived(settings().headSize)
    const base = $derived(settings().base)
    const length = $derived(settings().length)
    $effect(() => {
      void engine.generation
      const asks = { headSize, base, length }
      // Together, so that a view never sees the angles of one head size with the frequencies of another.
      const answer = Promise.all([engine.client.ask('frequencies', asks), engine.client.ask('angles', asks)])
      void this.#rotation.ask(
        answer.then(
          ([found, angles]) => found && angles && { ...found, angles, length: asks.length, pairs: asks.headSize / 2 },
        ),
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
    const own = $derived(engine.model?.info.head_size)
    const headSize = $derived(bench.choice.headSize)
    const base = $derived(bench.choice.base)
    const maxDistance = $derived(bench.choice.maxDistance)
    $effect(() => {
      void engine.generation
      const wanted = [
        { label: 'figure 2', headSize: 128, base: modelBase },
        ...(own === undefined ? [] : [{ label: 'this model', headSize: own, base: modelBase }]),
        { label: 'yours', headSize, base },
      ]
      const reach = maxDistance
      const answer = Promise.all(
        wanted.map(async (curve) => {
          const asks = { headSize: curve.headSize, base: curve.base, maxDistance: reach }
          const bound = await engine.client.ask('decay', asks)
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
    const query = $derived(bench.seen.query)
    const key = $derived(bench.seen.key)
    $effect(() => {
      const { shown } = bench
      void bench.engine.generation
      if (!shown || query >= shown.head.length || key >= shown.head.length) {
        this.#parts.clear()
        return
      }
      const { head_size } = shown.model.info
      const row = (rows: Float32Array, position: number) => rows.slice(position * head_size, (position + 1) * head_size)
      const asks = {
        query: row(shown.head.query, query),
        key: row(shown.head.key, key),
        m: query,
        n: key,
        base: modelBase,
        maxDistance: Math.max(32, shown.head.length),
      }
      void this.#parts.ask(bench.engine.client.ask('explain', asks))
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
      void this.#table.ask(engine.client.ask('palette', { stops: bytes(sequential[theme.scheme]) }))
    })
  }

  get table(): Uint8Array | undefined {
    return this.#table.value
  }
}
