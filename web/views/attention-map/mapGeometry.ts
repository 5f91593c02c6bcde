// Where a head's map, its labels and its marks lie, and which token is under the pointer.
import { columns, thinLabels } from '../../elements/labels'

/** px of a monospace character at the labels' 11 px. */
const character = 6.7
const labelRoom = 12
/** px from one label turned by 60 degrees to the next. */
const slantedRoom = labelRoom / Math.sin(Math.PI / 3)
const leastLabel = 58
const greatestLabel = 92
const greatestPitch = 56

/** In CSS px unless it says otherwise; the map's upper left corner is at (left, top). */
export interface MapGeometry {
  left: number
  top: number
  /** Room to the right that the last slanted labels need. */
  right: number
  side: number
  /** Side of the map in device pixels. */
  pixels: number
  /** From one token to the next. */
  pitch: number
  /** Device pixels left free between two cells. */
  gap: number
  /** Degrees the labels on top are turned by: 60 where they fit, else upright. */
  slant: number
}

export interface Place {
  query: number
  key: number
}

/** The map of as many queries as keys in `width` CSS px, with room for the labels of `tokens`, one a key. */
export function layOutMap(width: number, tokens: readonly string[], ratio: number): MapGeometry {
  const length = Math.max(tokens.length, 1)
  const greatest = Math.max(leastLabel, Math.min(greatestLabel, width * 0.26))
  const widthOf = (token: string) => Math.min(Math.max(columns(token) * character + 6, leastLabel), greatest)
  const left = Math.ceil(tokens.reduce((most, token) => Math.max(most, widthOf(token)), leastLabel))
  const fit = (right: number) => Math.max(Math.min(width - left - right, length * greatestPitch), 32)
  const overhang = (pitch: number) =>
    tokens.reduce((most, token, index) => {
      const end = widthOf(token) * 0.5 + 6 - (length - 0.5 - index) * pitch
      return Math.max(most, end)
    }, 0)
  const slantedRight = Math.ceil(overhang(fit(0) / length))
  const slanted = fit(slantedRight) / length >= slantedRoom
  const right = slanted ? slantedRight : 0
  const available = Math.floor(fit(right) * ratio)
  // Large cells are whole device pixels; small ones may differ by one, so that the map fills its room.
  const whole = Math.floor(available / length)
  const pixels = whole >= 8 ? whole * length : available
  const side = pixels / ratio
  return {
    left,
    top: Math.ceil(slanted ? left * 0.87 + 10 : left + 2),
    right,
    side,
    pixels,
    pitch: side / length,
    gap: whole >= 10 * ratio ? Math.max(1, Math.round(ratio)) : 0,
    slant: slanted ? 60 : 90,
  }
}

/** The labels of one axis that are drawn; the chosen token's and the one pointed at come first. */
export function drawnLabels(
  length: number,
  { pitch, slant }: MapGeometry,
  pinned: readonly number[],
  onTop: boolean,
): number[] {
  return thinLabels(length, pitch, onTop && slant === 60 ? slantedRoom : labelRoom, pinned)
}

/** What is at (x, y) from the frame's corner: a cell, or beside the map the token of one axis; null: neither. */
export function placeAt(
  x: number,
  y: number,
  { left, top, pitch }: MapGeometry,
  length: number,
): Partial<Place> | null {
  const key = Math.floor((x - left) / pitch)
  const query = Math.floor((y - top) / pitch)
  const isKey = key >= 0 && key < length
  const isQuery = query >= 0 && query < length
  if (isKey && isQuery) return { query, key }
  if (isQuery && x < left && x >= 0) return { query }
  if (isKey && y < top && y >= 0) return { key }
  return null
}

/** From this width of the view on, what is read stands beside the map, and below it else. */
const besideWidth = 980
/** Room for what is read beside the map. */
const besideRoom = 270

/** How wide the map with its labels is in a view `width` px wide, and whether what is read stands beside it. */
export function shareWidth(width: number): { beside: boolean; map: number } {
  const beside = width >= besideWidth
  return { beside, map: beside ? Math.min(width - besideRoom, Math.max(800, width * 0.6)) : Math.min(width, 860) }
}

/** Where a key press moves the cursor; null: not such a key. */
export function moveCursor({ query, key }: Place, pressed: string, control: boolean, length: number): Place | null {
  const within = (value: number) => Math.min(Math.max(value, 0), length - 1)
  switch (pressed) {
    case 'ArrowLeft':
      return { query, key: within(key - 1) }
    case 'ArrowRight':
      return { query, key: within(key + 1) }
    case 'ArrowUp':
      return { query: within(query - 1), key }
    case 'ArrowDown':
      return { query: within(query + 1), key }
    case 'PageUp':
      return { query: within(query - 10), key }
    case 'PageDown':
      return { query: within(query + 10), key }
    case 'Home':
      return { query: control ? 0 : query, key: 0 }
    case 'End':
      return { query: control ? length - 1 : query, key: length - 1 }
    default:
      return null
  }
}
