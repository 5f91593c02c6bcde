// Names of places in a forward pass, as the engine reads and writes them: in activation files, taps and interventions.

import type { PartName } from './parts'
import { taps, tensors } from './siteNames'

export type TensorName = keyof typeof tensors
export type Tap = keyof typeof taps
/** A tap of every layer, as in an activation file. */
export type LayerTap = { [T in Tap]: (typeof taps)[T] extends `${string}.N${string}` ? T : never }[Tap]
export const everyTap = Object.keys(taps).filter((tap) => taps[tap as Tap].includes('.N')) as readonly LayerTap[]

/** An entry of an axis, `*` for all entries, or a rotary pair of columns. */
type Index = number | '*' | `p${number}`
type Indices<Axes extends readonly unknown[]> = { [A in keyof Axes]?: Index }

/** A tensor's name with a layer for N, and a norm for K. */
type Numbered<T extends string> = T extends `${infer Before}.N${infer After}`
  ? `${Before}.${number | '*'}${Numbered<After>}`
  : T extends `${infer Before}.K${infer After}`
    ? `${Before}.${number}${After}`
    : T

/** A tensor's name in an activation file; of an encoder–decoder it begins with the part. */
export type TensorOf<T extends TensorName> = Numbered<T> | `${PartName}${'.' | '_'}${Numbered<T>}`

/** A place in a forward pass. */
export type Site<T extends TensorName = TensorName> = Numbered<T> | `${Numbered<T>}[${string}]`

/** A place in a layer; all entries of an axis where no index is given. */
export function site<T extends TensorName>(
  tensor: T,
  layer: number | '*',
  ...indices: Indices<(typeof tensors)[T]>
): Site<T> {
  const name = tensor.replace('.N', `.${layer}`)
  const entries: readonly (Index | undefined)[] = indices
  const index = tensors[tensor].map((_, at) => entries[at] ?? '*').join()
  return (entries.length === 0 ? name : `${name}[${index}]`) as Site<T>
}

/** Whether a name in an activation file is of this tensor, in any layer and part. */
export function isOf<T extends TensorName>(tensor: T, name: string): name is TensorOf<T> {
  const [layer, norm] = name.match(/(?<=\.)\d+(?=\.|$)/g) ?? []
  const numbered = tensor.replace('.N', `.${layer}`).replace('.K', `.${norm}`)
  return name.replace(/^(encoder|decoder|cross)[._]/, '') === numbered
}
