// What the element's attributes ask for, or what is wrong with them.
import { partNames, type PartName } from '../../engine/protocol/parts'
import type { BackendChoice } from '../../engine/protocol/protocol'
import type { Place } from '../../charts/attention-map/model'
import { said } from '../../i18n/ropeAttention'
import type { Source } from '../source'

export const names = ['model', 'text', 'layer', 'head', 'query', 'key', 'part', 'backend', 'worker'] as const
export type Attributes = Readonly<Record<(typeof names)[number], string | null>>

/** A model, and where it runs. */
export interface ModelWanted {
  source: Extract<Source, string | { hub: string }>
  backend: BackendChoice
  /** Where the worker lies, if not beside the package's code. */
  worker: string | undefined
}

export interface Asked {
  model: ModelWanted
  text: string
  layer: number
  head: number
  /** Of an encoder–decoder, whose head. */
  part: PartName
  /** The query and the key that are read first, by position; where they are not said, the element chooses. */
  seen: Partial<Place>
}

const backends: readonly BackendChoice[] = ['auto', 'gpu', 'cpu']

/** @returns a sentence where they ask for nothing that can be shown */
export function readAttributes(attributes: Attributes): Asked | string {
  const { model, text } = attributes
  if (!model) return said.noModel
  if (!text) return said.noText
  const wrong = (['layer', 'head', 'query', 'key'] as const).find((name) => !isCount(attributes[name] ?? '0'))
  if (wrong) return said.noNumber(wrong, attributes[wrong] ?? '')
  const backend = backends.find((one) => one === (attributes.backend ?? 'auto'))
  if (!backend) return said.noBackend(attributes.backend ?? '', backends.join(', '))
  const [, hub] = /^hub:(.*)$/.exec(model) ?? []
  const part = partNames.find((one) => one === (attributes.part ?? 'cross'))
  if (!part) return said.noPart(attributes.part ?? '', partNames.join(', '))
  const { query, key } = attributes
  return {
    model: { source: hub === undefined ? model : { hub }, backend, worker: attributes.worker ?? undefined },
    text,
    layer: Number(attributes.layer),
    head: Number(attributes.head),
    part,
    seen: { ...(query === null ? {} : { query: Number(query) }), ...(key === null ? {} : { key: Number(key) }) },
  }
}

const isCount = (value: string) => /^\d{1,9}$/.test(value.trim())
