// A site with an index for each axis, taken apart.
import { isOf, type TensorName } from './site'
import { tensors } from './siteNames'
import { partNames, textStart, type Pair, type PartName } from './parts'

export interface Place {
  tensor: TensorName
  /** Undefined in a model of one stack. */
  part: PartName | undefined
  layer: number | undefined
  /** Which of a layer's norms. */
  norm: number | undefined
  /** By the name of the axis. */
  index: Readonly<Partial<Record<Axis, number>>>
}

export type Axis = (typeof tensors)[TensorName][number]

/** Undefined for what is no site: a number of the file or of the text. */
export function placeOf(site: string): Place | undefined {
  const [, name, indices] = /^([^[\]]+)\[([\d,]+)\]$/.exec(site) ?? []
  if (name === undefined || indices === undefined) return undefined
  const tensor = (Object.keys(tensors) as TensorName[]).find((tensor) => isOf(tensor, name))
  if (!tensor) return undefined
  const axes: readonly Axis[] = tensors[tensor]
  const numbers = indices.split(',').map(Number)
  if (numbers.length !== axes.length) return undefined
  const [layer, norm] = [...name.matchAll(/\.(\d+)/g)].map(([, number]) => Number(number))
  const part = partNames.find((part) => name.startsWith(`${part}.`) || name.startsWith(`${part}_`))
  return { tensor, part, layer, norm, index: Object.fromEntries(axes.map((axis, at) => [axis, numbers[at]])) }
}

/** Axes whose entries are tokens. */
export type TokenAxis = Extract<Axis, 'row' | 'query' | 'key'>

/** Where the first token of an axis stands among those of the views; undefined where the views show another part. */
export function startOf(
  axis: TokenAxis,
  { tensor, part }: Pick<Place, 'tensor' | 'part'>,
  pair: Pair | undefined,
): number | undefined {
  if (!pair) return 0
  const isOfSource = part === 'encoder' || (part === 'cross' && (axis === 'key' || /key|value/.test(tensor)))
  if (pair.part === 'cross') return isOfSource ? 0 : textStart(pair)
  return isOfSource === (pair.part === 'encoder') ? 0 : undefined
}

/** The tensor of an address without its index, and the index. */
export function split(address: string): { name: string; index: string } {
  const [, name = address, index = ''] = /^(.*?)(\[[\d,]+\])$/.exec(address) ?? []
  return { name, index }
}
