// What a number is, in words: its tensor, layer, head, and tokens.
import { tokenName } from '../../i18n/numbers'
import { quote } from '../../i18n/rich'
import type { Run } from '../../session/runs.svelte'
import { t } from './messages.en'
import { placeOf, startOf, type Axis, type Place, type TokenAxis } from '../../engine/protocol/place'

/** The run whose tokens are named. */
export type Named = Pick<Run, 'model' | 'reading'>

/** Attention weight · layer 2 · head 6 · query table 9 · key the 8; undefined for what is no site. */
export function inWords(site: string, run: Named): string | undefined {
  const place = placeOf(site)
  if (!place) return undefined
  const { tensor, part, layer, norm, index } = place
  const axes = Object.entries(index).map(([axis, at]) => axisInWords(axis as Axis, at, place, run))
  return [
    t().tensors[tensor],
    ...(part ? [t().parts[part]] : []),
    ...(layer === undefined ? [] : [t().layer(layer)]),
    ...(norm === undefined ? [] : [t().norm(norm)]),
    ...axes,
  ].join(' · ')
}

function axisInWords(axis: Axis, at: number, place: Place, { model, reading }: Named): string {
  switch (axis) {
    case 'head':
    case 'column':
    case 'neuron':
      return t().axes[axis](at)
    case 'id':
      return t().axes.id(quote(model.tokenizer.display(at)))
    default:
      return t().axes[axis](tokenOf(axis, at, place, reading))
  }
}

/** A token of the part that the views show by its text, of another part by its position. */
function tokenOf(axis: TokenAxis, at: number, place: Place, { pair, display }: Run['reading']): string {
  const start = startOf(axis, place, pair)
  return start === undefined ? String(at) : tokenName(display[start + at] ?? '', at)
}

/** The token of a key or of an id of the vocabulary; undefined of other sites. */
export function tokenAt(site: string, { model, reading }: Named): string | undefined {
  const place = placeOf(site)
  if (place?.index.id !== undefined) return model.tokenizer.display(place.index.id)
  return place?.index.key === undefined ? undefined : tokenOf('key', place.index.key, place, reading)
}
