// The track of positions: as long as it must be, in powers of two.

/** Positions that the track shows, from 0: 64, or more where one of the two stands farther. */
export function spanOf(m: number, n: number, last: number): number {
  let span = Math.min(64, last)
  while (span < Math.max(m, n)) span *= 2
  return Math.min(span, last)
}

/** The position under px of a track of this width. */
export const positionAt = (px: number, width: number, span: number): number =>
  Math.max(0, Math.min(span, Math.round((px / Math.max(width, 1)) * span)))

/** Positions that are written under it. */
export const ticksOf = (span: number): number[] => [
  ...new Set([0, 1, 2, 3, 4].map((part) => Math.round((part * span) / 4))),
]
