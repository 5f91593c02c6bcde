// Where the parts of the view lie in the room that it is given.
import type { Box } from '../sweep/draw'

export interface Layout {
  /** Parts of the score, with their switches below. */
  parts: Box
  mapA: Box
  mapB: Box
  /** Room for token labels left of A. */
  labels: number
  /** With its title. */
  sweep: Box
  fills: Box | undefined
  height: number
}

/** From this width on maps and curve stand beside the parts. */
const wide = 640
/** Below this width there is a phone: everything stands below each other, as high as it needs to be. */
const narrow = 400
const rowHeight = 18
export const mapTitle = 18
/** Below a map: the key's token. */
export const mapFoot = 16

export function layOut(width: number, height: number, fills: number): Layout {
  const guess = fills > 0 ? 22 + rowHeight * fills : 0
  if (width >= wide) return beside(width, height, guess)
  if (width >= narrow && height < 600) return stacked(width, height)
  return below(width, height, guess)
}

/** Parts and fills on the left, maps and curve on the right. */
function beside(width: number, height: number, guess: number): Layout {
  const gap = 28
  const left = Math.round((width - gap) * 0.53)
  const right = width - left - gap
  const labels = right >= 340 ? 60 : 0
  const side = Math.max(80, Math.min((right - labels - 12) / 2, height * 0.54 - mapTitle - mapFoot))
  const x = left + gap + labels
  const top = mapTitle + side + mapFoot + 8
  const parts = Math.max(200, height - guess - (guess > 0 ? 12 : 0))
  return {
    parts: { x: 0, y: 0, width: left, height: parts },
    mapA: { x, y: mapTitle, width: side, height: side },
    mapB: { x: x + side + 12, y: mapTitle, width: side, height: side },
    labels,
    sweep: { x: left + gap, y: top, width: right, height: Math.max(130, height - top) },
    fills: guess > 0 ? { x: 0, y: parts + 12, width: left, height: guess } : undefined,
    height: Math.max(height, top + 130, guess > 0 ? parts + 12 + guess : 0),
  }
}

/** Parts above; small maps and the curve share what is left. The guess is in the headline. */
function stacked(width: number, height: number): Layout {
  const parts = Math.max(150, Math.round(height * 0.54))
  const rest = Math.max(140, height - parts - 8)
  const side = Math.min((width * 0.48) / 2, rest - mapTitle - mapFoot)
  const y = parts + 8 + mapTitle
  return {
    parts: { x: 0, y: 0, width, height: parts },
    mapA: { x: 0, y, width: side, height: side },
    mapB: { x: side + 8, y, width: side, height: side },
    labels: 0,
    sweep: { x: 2 * side + 24, y: parts + 8, width: width - 2 * side - 24, height: rest },
    fills: undefined,
    height: parts + 8 + rest,
  }
}

function below(width: number, height: number, guess: number): Layout {
  const parts = Math.max(220, Math.round(height * 0.36))
  const side = (width - 10) / 2
  const maps = parts + 12 + mapTitle
  const sweep = maps + side + mapFoot + 10
  const high = 190
  const fills = sweep + high + 12
  return {
    parts: { x: 0, y: 0, width, height: parts },
    mapA: { x: 0, y: maps, width: side, height: side },
    mapB: { x: side + 10, y: maps, width: side, height: side },
    labels: 0,
    sweep: { x: 0, y: sweep, width, height: high },
    fills: guess > 0 ? { x: 0, y: fills, width, height: guess } : undefined,
    height: fills + guess,
  }
}
