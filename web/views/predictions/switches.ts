// Heads that are switched off: what a click, a preset and a key do.
import type { HeadPlace } from '../../viewstate/choice'

export interface Heads {
  layers: number
  heads: number
}

export type Preset = 'head' | 'layer' | 'none'

const same = (one: HeadPlace, other: HeadPlace) => one.layer === other.layer && one.head === other.head

export function isOff(off: readonly HeadPlace[], place: HeadPlace): boolean {
  return off.some((other) => same(other, place))
}

/** In reading order, so that the same heads are the same change. */
export function toggled(off: readonly HeadPlace[], place: HeadPlace): HeadPlace[] {
  const others = off.filter((other) => !same(other, place))
  const now = others.length < off.length ? others : [...off, place]
  return now.sort((one, other) => one.layer - other.layer || one.head - other.head)
}

/** What a preset switches off, with this head chosen. */
export function presetOff(preset: Preset, { layer, head }: HeadPlace, { heads }: Heads): HeadPlace[] {
  if (preset === 'none') return []
  return preset === 'head' ? [{ layer, head }] : Array.from({ length: heads }, (_, index) => ({ layer, head: index }))
}

/** The preset that switches off just these; undefined: none does. */
export function presetOf(off: readonly HeadPlace[], chosen: HeadPlace, heads: Heads): Preset | undefined {
  const presets: readonly Preset[] = ['none', 'head', 'layer']
  return presets.find((preset) => {
    const wanted = presetOff(preset, chosen, heads)
    return wanted.length === off.length && wanted.every((place) => isOff(off, place))
  })
}
