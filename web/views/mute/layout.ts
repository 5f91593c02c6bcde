// Where the parts of the view lie in the room that it is given.
import type { Box } from '../../charts/sweep/draw'

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
  /** Losses of pairs, under the switches. */
  loss: Box | undefined
  height: number
}

/** From this width on maps and curve stand beside the parts. */
const wide = 640
/** Below this width there is a phone: everything stands below each other, as high as it needs to be. */
const narrow = 400
const rowHeight = 18
/** The least that a chart of losses and the parts above it need. */
const leastLoss = 136
const leastParts = 176
const between = 12
export const mapTitle = 18
/** Below a map: the key's token. */
export const mapFoot = 16

/** `fills`: how many there are; `losses`: whether those of pairs are shown. */
export function layOut(width: number, height: number, fills: number, losses = false): Layout {
  const guess = fills > 0 ? 22 + rowHeight * fills : 0
  if (width >= wide) return beside(width, height, guess, losses)
  if (width >= narrow && height < 600) return stacked(width, height, losses)
  return below(width, height, guess, losses)
}

/** Losses under the parts, over all of their width. */
const lossUnder = ({ x, y, width, height }: Box, high: number): Box => ({
  x,
  y: y + height + between,
  width,
  height: high,
})

/** Parts, losses and fills on the left, maps and curve on the right. Fills give way to losses: the best is in the headline. */
function beside(width: number, height: number, fills: number, losses: boolean): Layout {
  const gap = 28
  const left = Math.round((width - gap) * 0.53)
  const right = width - left - gap
  const labels = right >= 340 ? 60 : 0
  const side = Math.max(80, Math.min((right - labels - 12) / 2, height * 0.54 - mapTitle - mapFoot))
  const x = left + gap + labels
  const top = mapTitle + side + mapFoot + 8
  const guess = losses && height < leastParts + leastLoss + fills + 2 * between ? 0 : fills
  const room = height - guess - (guess > 0 ? between : 0)
  const high = Math.max(leastParts, losses ? Math.round((room - between) * 0.55) : room)
  const parts = { x: 0, y: 0, width: left, height: high }
  const loss = losses ? lossUnder(parts, Math.max(leastLoss, room - high - between)) : undefined
  const end = loss ? loss.y + loss.height : high
  return {
    parts,
    mapA: { x, y: mapTitle, width: side, height: side },
    mapB: { x: x + side + 12, y: mapTitle, width: side, height: side },
    labels,
    sweep: { x: left + gap, y: top, width: right, height: Math.max(130, height - top) },
    fills: guess > 0 ? { x: 0, y: end + between, width: left, height: guess } : undefined,
    loss,
    height: Math.max(height, top + 130, end, guess > 0 ? end + between + guess : 0),
  }
}

/** Parts above; small maps and the curve share what is left. The guess is in the headline. */
function stacked(width: number, height: number, losses: boolean): Layout {
  const parts = { x: 0, y: 0, width, height: Math.max(150, Math.round(height * 0.54)) }
  const rest = Math.max(140, height - parts.height - 8)
  const loss = losses ? lossUnder(parts, leastLoss) : undefined
  const top = (loss ? loss.y + loss.height : parts.height) + 8
  const side = Math.min((width * 0.48) / 2, rest - mapTitle - mapFoot)
  const y = top + mapTitle
  return {
    parts,
    mapA: { x: 0, y, width: side, height: side },
    mapB: { x: side + 8, y, width: side, height: side },
    labels: 0,
    sweep: { x: 2 * side + 24, y: top, width: width - 2 * side - 24, height: rest },
    fills: undefined,
    loss,
    height: top + rest,
  }
}

function below(width: number, height: number, guess: number, losses: boolean): Layout {
  const parts = { x: 0, y: 0, width, height: Math.max(220, Math.round(height * 0.36)) }
  const loss = losses ? lossUnder(parts, leastLoss) : undefined
  const side = (width - 10) / 2
  const maps = (loss ? loss.y + loss.height : parts.height) + between + mapTitle
  const sweep = maps + side + mapFoot + 10
  const high = 190
  const fills = sweep + high + between
  return {
    parts,
    mapA: { x: 0, y: maps, width: side, height: side },
    mapB: { x: side + 10, y: maps, width: side, height: side },
    labels: 0,
    sweep: { x: 0, y: sweep, width, height: high },
    fills: guess > 0 ? { x: 0, y: fills, width, height: guess } : undefined,
    loss,
    height: fills + guess,
  }
}
