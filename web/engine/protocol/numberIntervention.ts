// Interventions that put a number in a tensor of the decoder: `hidden_states.2[4,17]=-0.5`.
import { numberTensors, tensors } from './siteNames'

/** A site of the decoder, and a number that is put there. */
export type NumberIntervention = `${string}[${string}]=${number}`

export type NumberTensor = (typeof numberTensors)[number]

/** A number, and where it is put. */
export interface NumberPut {
  tensor: NumberTensor
  /** `*`: every layer; null of a tensor that exists once. */
  layer: number | '*' | null
  /** An entry of each axis, or all. */
  index: readonly (number | '*')[]
  value: number
}

/** The largest number of an f32. */
const largest = 3.4028234663852886e38

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Undefined for what is no such intervention: links hold anything. */
export function readNumber(text: string): NumberPut | undefined {
  const [, name, entries, written] = /^([a-z_.\d*]{1,40})\[([\d*,]{1,40})\]=(\S{1,30})$/.exec(text) ?? []
  if (name === undefined || entries === undefined || written === undefined || !decimal.test(written)) return undefined
  const [, layer] = /\.(\d{1,4}|\*)(?=\.|$)/.exec(name) ?? []
  const tensor = numberTensors.find((tensor) => tensor.replace('.N', `.${layer}`) === name)
  const index = entries.split(',').map((entry) => (entry === '*' ? '*' : /^\d{1,7}$/.test(entry) ? Number(entry) : NaN))
  const value = Number(written)
  if (!tensor || index.length !== tensors[tensor].length || index.some(Number.isNaN)) return undefined
  if (Math.abs(value) > largest) return undefined
  return { tensor, layer: layer === undefined ? null : layer === '*' ? '*' : Number(layer), index, value }
}

/** The text that `readNumber` reads. */
export const writeNumber = ({ tensor, layer, index, value }: NumberPut): NumberIntervention =>
  `${tensor.replace('.N', `.${layer}`)}[${index.join()}]=${value}`
