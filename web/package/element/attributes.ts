// Reads the element's attributes.
import { partNames, type PartName } from '../../engine/protocol/parts'
import { type BackendChoice, weightFormats, type WeightsChoice } from '../../engine/protocol/protocol'
import type { MapCell } from '../../charts/attention-map/model'
import { elementMessages as messages } from '../messages.en'
import type { Source } from '../load'

export const names = ['model', 'text', 'layer', 'head', 'query', 'key', 'part', 'backend', 'weights', 'worker'] as const
export type Attributes = Readonly<Record<(typeof names)[number], string | null>>

export interface ModelRequest {
  source: Extract<Source, string | { hub: string }>
  backend: BackendChoice
  weights: WeightsChoice
  /** The address of worker.js; by default in the package's folder. */
  worker: string | undefined
}

export interface MapRequest {
  model: ModelRequest
  text: string
  layer: number
  head: number
  /** Of an encoder–decoder, the part that the head belongs to. */
  part: PartName
  /** The cell under the cursor at first, by position. What is missing, the element chooses. */
  cursor: Partial<MapCell>
}

const backends: readonly BackendChoice[] = ['auto', 'gpu', 'cpu']
const formats: readonly WeightsChoice[] = ['auto', ...weightFormats]

/** @returns a sentence that says what is wrong, where something is */
export function readAttributes(attributes: Attributes): MapRequest | string {
  const { model, text } = attributes
  if (!model) return messages.noModel
  if (!text) return messages.noText
  const wrong = (['layer', 'head', 'query', 'key'] as const).find((name) => !isCount(attributes[name] ?? '0'))
  if (wrong) return messages.noNumber(wrong, attributes[wrong] ?? '')
  const backend = backends.find((one) => one === (attributes.backend ?? 'auto'))
  if (!backend) return messages.noBackend(attributes.backend ?? '', backends.join(', '))
  const weights = formats.find((one) => one === (attributes.weights ?? 'auto'))
  if (!weights) return messages.noWeights(attributes.weights ?? '', formats.join(', '))
  const [, hub] = /^hub:(.*)$/.exec(model) ?? []
  const part = partNames.find((one) => one === (attributes.part ?? 'cross'))
  if (!part) return messages.noPart(attributes.part ?? '', partNames.join(', '))
  const { query, key } = attributes
  return {
    model: { source: hub === undefined ? model : { hub }, backend, weights, worker: attributes.worker ?? undefined },
    text,
    layer: Number(attributes.layer),
    head: Number(attributes.head),
    part,
    cursor: { ...(query === null ? {} : { query: Number(query) }), ...(key === null ? {} : { key: Number(key) }) },
  }
}

const isCount = (value: string) => /^\d{1,9}$/.test(value.trim())
