import type { BackendChoice, Sampling } from '../engine/protocol'

export type Room = 'explorer' | 'laboratory' | 'models' | 'about'
export type Theme = 'system' | 'light' | 'dark'

/** What is chosen: every view is a function of this, of the run's result and of the model. It lives in location.hash. */
export interface Choice extends Sampling {
  room: Room
  /** The only text state, with literal [MASK]. */
  text: string
  /** Layers, heads and positions count from 0. */
  layer: number
  head: number
  /** Positions of the chosen query and key token; [CLS] is 0. */
  query: number
  key: number
  /** Frequency pair i of head_size / 2; null: none. */
  pair: number | null
  backend: BackendChoice
  /** The laboratory's own head size, base and largest distance. */
  headSize: number
  base: number
  maxDistance: number
  /** The most tokens that a causal model writes on at once. */
  maxNewTokens: number
}

/** Every view reports what was chosen in it through one of these. */
export type Choose = (change: Partial<Choice>) => void
