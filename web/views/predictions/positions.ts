// The row of positions that are masked by a click: of a long text the part around the chosen query.
import { columns } from '../../charts/labels'

/** px of a monospace character at the row's 12 px, and what a token takes besides: padding, border and its position. */
const character = 7.3
const beside = 12
const digit = 6
/** px between two tokens. */
export const gap = 4

/** About how wide a token stands in the row. */
export function tokenWidth(token: string, position: number, longest = 130): number {
  const written = Math.min(columns(token) * character, longest)
  return Math.max(24, written + beside + String(position).length * digit + 2)
}

/** The first and one past the last position of those around `around` that fit into `lines` lines of `width` px. */
export function inSight(tokens: readonly string[], around: number, width: number, lines: number): [number, number] {
  const room = (from: number, to: number) => {
    let [line, used] = [1, 0]
    for (let position = from; position < to; position++) {
      const wide = tokenWidth(tokens[position] ?? '', position) + gap
      if (used > 0 && used + wide > width + gap) {
        line++
        used = 0
      }
      used += wide
    }
    return line
  }
  const centre = Math.max(0, Math.min(around, tokens.length - 1))
  let [from, to] = [centre, Math.min(centre + 1, tokens.length)]
  for (;;) {
    const later = to < tokens.length && room(from, to + 1) <= lines
    if (later) to++
    const earlier = from > 0 && room(from - 1, to) <= lines
    if (earlier) from--
    if (!later && !earlier) return [from, to]
  }
}
