// Labels that thin out instead of shrinking or overlapping, and the width of a token's text.

const wide =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\u3000-\u303f\uff01-\uff60]/u
const noWidth = /^[\p{M}\p{Cf}\p{Cc}]$/u

/** Approximate monospace columns of a text: two for CJK and emoji, none for combining marks. */
export function columns(text: string): number {
  let total = 0
  for (const character of text) total += noWidth.test(character) ? 0 : wide.test(character) ? 2 : 1
  return total
}

/** The smallest of 1, 2, 5, 10, 20, 50, … that is at least `value`. */
export function roundStep(value: number): number {
  for (let decade = 1; ; decade *= 10) {
    for (const step of [1, 2, 5]) if (step * decade >= value) return step * decade
  }
}

/**
 * Which of `count` labels, one every `pitch` px, are drawn if each needs `room` px: every n-th from 0, and always the `pinned` ones, which
 * displace neighbours that they touch (of two pinned ones that touch the first stays).
 */
export function thinLabels(count: number, pitch: number, room: number, pinned: readonly number[] = []): number[] {
  if (count <= 0 || !(pitch > 0)) return []
  const touches = (a: number, b: number) => Math.abs(a - b) * pitch < room - 1e-6
  const ticks: number[] = []
  for (const index of pinned) {
    if (index >= 0 && index < count && !ticks.some((other) => touches(index, other))) ticks.push(index)
  }
  const step = roundStep(room / pitch)
  const fixed = [...ticks]
  for (let index = 0; index < count; index += step) {
    if (!fixed.some((other) => touches(index, other))) ticks.push(index)
  }
  return ticks.sort((a, b) => a - b)
}

/** Whether each tick is drawn, so that texts centred on their places are `space` px apart; the first one always is. */
export function thinTicks(
  places: readonly number[],
  texts: readonly string[],
  character: number,
  space: number,
): boolean[] {
  let end = -Infinity
  return places.map((place, index) => {
    const half = (columns(texts[index] ?? '') * character) / 2
    if (place - half < end + space) return false
    end = place + half
    return true
  })
}
