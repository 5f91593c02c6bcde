import { everyTap, isOf, type LayerTap, type TensorOf } from '../engine/protocol/site'
import { taps } from '../engine/protocol/siteNames'
import { said } from '../i18n/package'
import { error } from './errors'
import type { Tensor } from './safetensors'

/** The tensors of each tap by their names: "attentions.0", of an encoder–decoder "encoder_attentions.0". */
export type Tapped<T extends LayerTap> = { [K in T]: Record<TensorOf<(typeof taps)[K]>, Tensor> }

/** @throws {RopescopeError} where one of them is none */
export function checkTaps(wanted: readonly LayerTap[]): void {
  for (const tap of wanted) {
    if (!everyTap.includes(tap)) throw error('no-tap', said.noSuchTap(String(tap), everyTap.join(', ')))
  }
}

/** Those of a run's tensors that these taps name. */
export function tapped<T extends LayerTap>(tensors: Readonly<Record<string, Tensor>>, wanted: readonly T[]): Tapped<T> {
  const named = (tap: LayerTap) => Object.entries(tensors).filter(([name]) => isOf(taps[tap], name))
  return Object.fromEntries(wanted.map((tap) => [tap, Object.fromEntries(named(tap))])) as Tapped<T>
}
