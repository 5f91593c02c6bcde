// Where parts, maps, curve, fills and losses stand, in CSS px.
import type { Box } from '../../charts/marks'

export interface MuteLayout {
  /** The chart of parts and the switches below it. */
  parts: Box
  mapA: Box
  mapB: Box
  /** The width of token labels left of A. */
  labels: number
  /** Including its title. */
  sweep: Box
  fills: Box | undefined
  /** The chart of losses, below the switches. */
  loss: Box | undefined
  height: number
}

/** Wider or higher, bars say no more: the maps get the width. */
const mostParts = { width: 620, height: 440 }
/** From this width on maps and curve are right of the parts. */
const wide = 640
/** Below this width there is one column. */
const narrow = 400
const rowHeight = 18
const fillsTitle = 22
/** Where the parts leave no more room, and where they do. */
const [fewFills, mostFills] = [4, 12]
/** The minimum heights of the chart of losses and of the parts. */
const leastLoss = 136
const leastParts = 176
const between = 12
const mapTitle = 18
/** Space below a map for the key's token. */
const mapFoot = 16

/** How many fills there are: as many as the parts leave room for. */
export function fillsIn({ width, height }: { width: number; height: number }): number {
  if (width < wide) return fewFills
  const rows = Math.floor((height - mostParts.height - between - fillsTitle) / rowHeight)
  return Math.min(Math.max(rows, fewFills), mostFills)
}

/** @param fills their number; losses: whether there is a chart of them */
export function layOut(width: number, height: number, fills: number, losses = false): MuteLayout {
  const fillsHeight = fills > 0 ? fillsTitle + rowHeight * fills : 0
  if (width >= wide) return twoColumns(width, height, fillsHeight, losses)
  if (width >= narrow && height < 600) return twoRows(width, height, losses)
  return oneColumn(width, height, fillsHeight, losses)
}

/** The chart of losses below the parts, equally wide. */
const lossUnder = ({ x, y, width, height }: Box, high: number): Box => ({
  x,
  y: y + height + between,
  width,
  height: high,
})

/** Parts, losses and fills on the left, maps and curve on the right. Losses replace fills: the headline names the best fill. */
function twoColumns(width: number, height: number, fills: number, losses: boolean): MuteLayout {
  const gap = 28
  const left = Math.min(Math.round((width - gap) * 0.53), mostParts.width)
  const right = width - left - gap
  const labels = right >= 340 ? 60 : 0
  const side = Math.max(80, Math.min((right - labels - 12) / 2, height * 0.54 - mapTitle - mapFoot))
  const x = left + gap + labels
  const top = mapTitle + side + mapFoot + 8
  const guess = losses && height < leastParts + leastLoss + fills + 2 * between ? 0 : fills
  const room = height - guess - (guess > 0 ? between : 0)
  const high = Math.max(leastParts, Math.min(mostParts.height, losses ? Math.round((room - between) * 0.55) : room))
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

/** Parts above, small maps and the curve below. The headline names the best fill. */
function twoRows(width: number, height: number, losses: boolean): MuteLayout {
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

function oneColumn(width: number, height: number, guess: number, losses: boolean): MuteLayout {
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
