// Where a caption stands: beside what it speaks of, never on it.
import type { Box, Size } from '../../../charts/marks'
import { clamp } from '../../../engine/protocol/range'
import type { Point } from '../../../ui/pointer'

/** px between what a caption speaks of and the caption, and around the screen. */
const gap = 24
const edge = 8

/** The corner of a caption beside an anchor: right, left, below or above it, where there is room; else where it covers least of it. */
export function placeCaption(anchor: Box, size: Size, screen: Size): Point {
  const [right, bottom] = [screen.width - size.width - edge, screen.height - size.height - edge]
  const middle = {
    x: clamp(anchor.x + (anchor.width - size.width) / 2, edge, right),
    y: clamp(anchor.y + (anchor.height - size.height) / 2, edge, bottom),
  }
  const sides = [
    { x: anchor.x + anchor.width + gap, y: middle.y },
    { x: anchor.x - size.width - gap, y: middle.y },
    { x: middle.x, y: anchor.y + anchor.height + gap },
    { x: middle.x, y: anchor.y - size.height - gap },
  ]
  const fits = ({ x, y }: Point) => x >= edge && x <= right && y >= edge && y <= bottom
  const corners = [
    { x: right, y: bottom },
    { x: edge, y: bottom },
    { x: right, y: edge },
    { x: edge, y: edge },
  ]
  const covered = (at: Point) => overlap(anchor, { ...at, ...size })
  return sides.find(fits) ?? corners.reduce((best, one) => (covered(one) < covered(best) ? one : best))
}

/** The area that two boxes share, in px². */
export function overlap(one: Box, other: Box): number {
  const along = (from: number, size: number, start: number, length: number) =>
    Math.max(0, Math.min(from + size, start + length) - Math.max(from, start))
  return along(one.x, one.width, other.x, other.width) * along(one.y, one.height, other.y, other.height)
}

/** The line from a caption to its anchor: between the points of both that are nearest to each other. */
export function leader(caption: Box, anchor: Box): { x1: number; y1: number; x2: number; y2: number } {
  const [x1, x2] = nearest(caption.x, caption.width, anchor.x, anchor.width)
  const [y1, y2] = nearest(caption.y, caption.height, anchor.y, anchor.height)
  return { x1, y1, x2, y2 }
}

/** Of two stretches the facing ends; where they overlap the middle of what they share. */
function nearest(from: number, size: number, start: number, length: number): [number, number] {
  if (from + size < start) return [from + size, start]
  if (start + length < from) return [from, start + length]
  const shared = (Math.max(from, start) + Math.min(from + size, start + length)) / 2
  return [shared, shared]
}

/** How far the page scrolls so that an anchor stands between two heights of the screen; one that is too high begins at the first. */
export function scrollFor({ y, height }: Box, top: number, bottom: number): number {
  if (y >= top && y + height <= bottom) return 0
  return height > bottom - top ? y - top : y - (top + (bottom - top - height) / 2)
}
