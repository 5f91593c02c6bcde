import type { Gain } from './protocol'
import { Remembered, type Kept } from './remembered'

/** More models than are opened on one adapter. */
const mostModels = 32

/** What was found out about one adapter. */
export interface Tuned {
  /** As the worker names it. */
  adapter: string
  /** Forms, as the engine writes them. */
  forms: string
  /** Of each model that they were tried with, by its sizes, what they are worth. */
  models: readonly { sizes: string; gains: readonly Gain[] }[]
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

function isGain(value: unknown): value is Gain {
  if (typeof value !== 'object' || value === null) return false
  const { tokens, past = 0, before, after, changed } = value as Partial<Gain>
  return isNumber(tokens) && isNumber(past) && isNumber(before) && isNumber(after) && isNumber(changed)
}

function isTuned(value: unknown): value is Tuned {
  if (typeof value !== 'object' || value === null) return false
  const { adapter, forms, models } = value as Partial<Tuned>
  if (typeof adapter !== 'string' || typeof forms !== 'string' || !Array.isArray(models)) return false
  return models.every(
    (model) => typeof model?.sizes === 'string' && Array.isArray(model.gains) && model.gains.every(isGain),
  )
}

/** Forms that were found out on adapters, remembered from visit to visit. */
export class TunedAdapters {
  readonly #remembered: Remembered<Tuned>

  constructor(storage: () => Kept = () => localStorage) {
    this.#remembered = new Remembered('ropescope.forms', isTuned, ({ adapter }) => adapter, storage)
  }

  /** The newest last. */
  get all(): readonly Tuned[] {
    return this.#remembered.all
  }

  of(adapter: string): Tuned | undefined {
    return this.all.find((tuned) => tuned.adapter === adapter)
  }

  /** Takes the place of what was known of that adapter. */
  put(tuned: Tuned): void {
    this.#remembered.put({ ...tuned, models: tuned.models.slice(-mostModels) })
  }
}
