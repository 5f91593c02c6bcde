// The track of positions: its length is a power of two.

/** The last position of the track: 64, or more if one of the two positions is farther. */
export function spanOf(m: number, n: number, last: number): number {
  let span = Math.min(64, last)
  while (span < Math.max(m, n)) span *= 2
  return Math.min(span, last)
}

/** The position at `px` on a track of this width. */
export const positionAt = (px: number, width: number, span: number): number =>
  Math.max(0, Math.min(span, Math.round((px / Math.max(width, 1)) * span)))

/** The positions that have labels. */
export const ticksOf = (span: number): number[] => [
  ...new Set([0, 1, 2, 3, 4].map((part) => Math.round((part * span) / 4))),
]
