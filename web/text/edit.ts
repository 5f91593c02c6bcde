import type { Reading } from './reading'

/** The span in which two texts differ: [start, before) of the old text became [start, after) of the new. */
export interface Edit {
  start: number
  before: number
  after: number
}

export function difference(before: string, after: string): Edit {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let same = 0
  while (same < shorter - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same++
  return { start, before: before.length - same, after: after.length - same }
}

/** The place in the new text; null inside the edit. */
export function movePlace(place: number, edit: Edit): number | null {
  if (place < edit.start || (place === edit.start && edit.before > edit.start && edit.after > edit.start)) return place
  if (place >= edit.before) return place + edit.after - edit.before
  return null
}

/** The caret's place in the new text: inside or after the edit it moves after the new text. */
export function moveCaret(place: number, { start, before, after }: Edit): number {
  if (place >= before) return place + after - before
  return place <= start ? place : after
}

/** The new position of the token at `position` of the old reading; where the token is gone, the same number. */
export function followPosition(position: number, old: Reading, now: Reading, edit: Edit): number {
  return clamp(movedPosition(position, old, now, edit) ?? position, now.ids.length - 1)
}

/** The new position of the token at `position` of the old reading; undefined where the token is gone. */
export function movedPosition(position: number, old: Reading, now: Reading, edit: Edit): number | undefined {
  const span = old.spans[position]
  if (!span) {
    const fromEnd = old.ids.length - 1 - position
    return fromEnd < old.after ? now.ids.length - 1 - fromEnd : position
  }
  const place = movePlace(span.start, edit)
  if (place === null) return undefined
  const found = now.spans.findIndex((other) => other && other.start <= place && place < other.end)
  return found < 0 ? undefined : found
}

function clamp(position: number, last: number): number {
  return Math.max(0, Math.min(position, last))
}

/** By the first letter with a direction, as `dir="auto"`, without tokens such as [MASK]. */
export function direction(text: string): 'ltr' | 'rtl' {
  const letter = /\p{L}/u.exec(text.replaceAll(/\[[A-Z]+\]/g, ''))?.[0] ?? ''
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Mandaic}\p{Script=Samaritan}]/u.test(
    letter,
  )
    ? 'rtl'
    : 'ltr'
}
