// What of the choice changes a model's numbers, beside its text.
import type { Change, ModelInfo, Muted } from '../engine/protocol'
import type { Choice, HeadPlace, MutedPairs } from './choice'

/** What of a change the choice can say. */
export type RunChange = Required<Pick<Change, 'muted' | 'off'>>

export type Changing = Pick<Choice, 'offset' | 'stop' | 'cut' | 'off'>

/** As a text that compares by its letters; empty where the model runs as it is. */
export function changeKey({ offset, stop, cut, off }: Changing): string {
  return offset === 0 && stop.length + cut.length + off.length === 0 ? '' : JSON.stringify({ offset, stop, cut, off })
}

/** What a key of `changeKey` says. */
export function readChange(key: string): Changing {
  return key === '' ? { offset: 0, stop: [], cut: [], off: [] } : (JSON.parse(key) as Changing)
}

/** The heads of `off` that the model has, each once. */
export function headsOff(off: readonly HeadPlace[], model: ModelInfo): HeadPlace[] {
  const there = off.filter((place) => isThere(place, model))
  return there.filter(
    (place, at) => at === there.findIndex(({ layer, head }) => layer === place.layer && head === place.head),
  )
}

/** The change as a run asks for it, for the layers, heads and pairs that the model has. */
export function runChange({ stop, cut, off }: Omit<Changing, 'offset'>, model: ModelInfo): RunChange {
  const muted = [...expand(stop, 'stop', model), ...expand(cut, 'cut', model)]
  return { muted, off: headsOff(off, model) }
}

function expand(muted: readonly MutedPairs[], fate: 'stop' | 'cut', model: ModelInfo): Muted[] {
  return muted.flatMap(({ layer, head, pairs }) => {
    const there = pairs.filter((pair) => pair < model.head_size / 2)
    const layers = layer === null ? Array.from({ length: model.num_hidden_layers }, (_, index) => index) : [layer]
    return layers
      .filter((layer) => isThere({ layer, head: head ?? 0 }, model) && there.length > 0)
      .map((layer) => ({ layer, head, pairs: there, fate }))
  })
}

function isThere({ layer, head }: HeadPlace, model: ModelInfo): boolean {
  return layer < model.num_hidden_layers && head < model.num_attention_heads
}
