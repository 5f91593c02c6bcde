// Sites of the link, whose rows follow their tokens through edits of the text.
import { readNumber, writeNumber, type NumberIntervention } from '../engine/protocol/numberIntervention'
import { placeOf, split, startOf, type Axis, type Place } from '../engine/protocol/place'
import { tensors } from '../engine/protocol/siteNames'
import { movedPosition, type Edit } from '../text/edit'
import type { Reading } from '../text/reading'
import { explanationView, type Choice } from './choice'

/** An edit of a text, which was read before and is read now. */
export interface EditedText {
  edit: Edit
  before: Reading
  now: Reading
}

/** The path of the explained numbers and the numbers in tensors, at the same tokens of an edited text; what does not change is left out. */
export function movedSites(
  { numbers, viewParams }: Pick<Choice, 'numbers' | 'viewParams'>,
  text: EditedText,
): Partial<Pick<Choice, 'numbers' | 'viewParams'>> {
  const { param } = explanationView
  const path = viewParams[param] ?? ''
  const movedPath = path
    .split(';')
    .map((site) => movedSite(site, text))
    .join(';')
  const moved = numbers.map((put) => movedNumber(put, text))
  return {
    ...(movedPath === path ? {} : { viewParams: { ...viewParams, [param]: movedPath } }),
    ...(moved.every((put, at) => put === numbers[at]) ? {} : { numbers: moved }),
  }
}

function movedSite(site: string, text: EditedText): string {
  const place = placeOf(site)
  // Contacts are of residues, not of tokens.
  if (!place || place.tensor === 'contacts') return site
  const entries = tensors[place.tensor].map((axis) => movedEntry(axis, place.index[axis as Axis] ?? 0, place, text))
  return `${split(site).name}[${entries.join()}]`
}

function movedNumber(written: NumberIntervention, text: EditedText): NumberIntervention {
  const put = readNumber(written)
  if (!put) return written
  const place = { tensor: put.tensor, part: 'decoder' } as const
  const index = put.index.map((entry, at) => {
    const axis = tensors[put.tensor][at]
    return entry === '*' || axis === undefined ? entry : movedEntry(axis, entry, place, text)
  })
  return writeNumber({ ...put, index })
}

/** A token that is gone leaves its number to the next one. */
function movedEntry(axis: Axis, at: number, place: Pick<Place, 'tensor' | 'part'>, { edit, before, now }: EditedText) {
  if (axis !== 'row' && axis !== 'query' && axis !== 'key') return at
  const [from, to] = [startOf(axis, place, before.pair), startOf(axis, place, now.pair)]
  if (from === undefined || to === undefined) return at
  const position = from + at
  const isFirst = before.spans[position] === null && position < before.ids.length - before.after
  const moved = isFirst ? undefined : movedPosition(position, before, now, edit)
  return moved === undefined || moved < to || position >= before.ids.length ? at : moved - to
}
