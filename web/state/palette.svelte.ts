import type { EngineClient } from '../engine/client'
import { bytes, sequential } from '../styles/colours'
import type { Bench } from './bench.svelte'
import type { EngineState } from './engine.svelte'
import { Latest } from './latest.svelte'
import { layerTheta } from './runs.svelte'
import { theme } from './theme.svelte'

/** The paper's base of θ_i; shown while no model has run. */
export const usualBase = 10_000
/** Heads of every RoFormer that its authors published; shown while no model has run. */
export const usualHeadSize = 64

/** One curve of the long-term decay. */
export interface DecayCurve {
  /** Whose frequencies they are. */
  of: 'figure' | 'model' | 'yours'
  headSize: number
  /** Undefined: the model's own frequencies, which may have none. */
  base: number | undefined
  /** The bound at distances 0 … maxDistance. */
  bound: Float64Array
}

/** The frequencies of a head, and the angles of its first positions. */
export interface Rotation {
  theta: Float64Array
  /** 2π/θ_i in positions; ∞ for a pair that does not turn. */
  wavelengths: Float64Array
  /** (length, pairs) */
  angles: Float32Array
  length: number
  pairs: number
}

/** Frequencies by themselves, or what they follow from. */
type Turning = { theta: Float64Array } | { headSize: number; base: number }

/** The rotation of the model's heads, or of the laboratory's own. */
export class Rotations {
  readonly #rotation = new Latest<Rotation>()

  constructor(engine: EngineState, settings: () => { turning: Turning; length: number }) {
    // By what they say: what else changes with the settings asks for nothing.
    const turning = $derived(written(settings().turning))
    const length = $derived(settings().length)
    $effect(() => {
      void engine.generation
      void this.#rotation.ask(rotation(engine.client, read(turning), length))
    })
  }

  get current(): Rotation | undefined {
    return this.#rotation.value
  }
}

/** Frequencies as text, so that equal ones are the same. */
function written(turning: Turning): string {
  return JSON.stringify('theta' in turning ? { theta: Array.from(turning.theta) } : turning)
}

function read(text: string): Turning {
  const turning = JSON.parse(text) as { theta: number[] } | { headSize: number; base: number }
  return 'theta' in turning ? { theta: Float64Array.from(turning.theta) } : turning
}

async function rotation(client: EngineClient, turning: Turning, length: number): Promise<Rotation | null> {
  const theta = await thetaOf(client, turning)
  const angles = theta && (await client.ask('angles', { theta, length }))
  if (!theta || !angles) return null
  return { theta, wavelengths: theta.map((angle) => (2 * Math.PI) / angle), angles, length, pairs: theta.length }
}

async function thetaOf(client: EngineClient, turning: Turning): Promise<Float64Array | null> {
  return 'theta' in turning ? turning.theta : client.ask('frequencies', turning)
}

/** The curves of the long-term decay: the paper's figure, the model's heads, and the visitor's own. */
export class Decays {
  readonly #curves = new Latest<DecayCurve[]>()

  constructor(bench: Bench) {
    const { engine } = bench
    const own = $derived(bench.shown && written({ theta: layerTheta(bench.shown) }))
    const headSize = $derived(bench.choice.headSize)
    const base = $derived(bench.choice.base)
    const maxDistance = $derived(bench.choice.maxDistance)
    $effect(() => {
      void engine.generation
      const wanted: { of: DecayCurve['of']; turning: Turning }[] = [
        { of: 'figure', turning: { headSize: 128, base: usualBase } },
        ...(own === undefined ? [] : [{ of: 'model' as const, turning: read(own) }]),
        { of: 'yours', turning: { headSize, base } },
      ]
      const reach = maxDistance
      const answer = Promise.all(
        wanted.map(async ({ of, turning }) => {
          const theta = await thetaOf(engine.client, turning)
          const bound = theta && (await engine.client.ask('decay', { theta, maxDistance: reach }))
          const base = 'base' in turning ? turning.base : undefined
          return bound && { of, headSize: 2 * theta.length, base, bound }
        }),
      )
      void this.#curves.ask(answer.then((curves) => curves.flatMap((curve) => curve ?? [])))
    })
  }

  get curves(): DecayCurve[] | undefined {
    return this.#curves.value
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
