// Colours of the maps, as sRGB; the page's own are custom properties in theme.css. Query is blue and key is orange: no map uses either.

/** Stops of a sequential map from nothing (the card's own colour) to 1, by the square root of the value. */
export const sequential = {
  light: ['#ffffff', '#d9ece3', '#86c5b0', '#2f8377', '#0c3b3f'],
  dark: ['#171a20', '#17403f', '#2b7d72', '#79c7a0', '#eef2b8'],
} as const

/** Stops of a signed map: negative (magenta), nothing (the card's own colour), positive (green). */
export const diverging = {
  light: ['#7a1263', '#c04a9f', '#ecc4e0', '#ffffff', '#cfe3b4', '#6a9f3a', '#2d5a0c'],
  dark: ['#f7b4e2', '#d968b5', '#5f2450', '#171a20', '#2c481a', '#7cb84c', '#c9eda4'],
} as const

/** Stops of a cyclic map for angles, 0 … 2π, violet and gold, which no signed map has; the first is also the last. */
export const cyclic = {
  light: ['#fdfcf5', '#c5b8e3', '#7f66b8', '#33263f', '#7a5c10', '#b8932c', '#e3d3a0', '#fdfcf5'],
  dark: ['#171a20', '#46397a', '#8d78d0', '#efe9e0', '#dcc070', '#94741c', '#4a3b12', '#171a20'],
} as const

export type Scheme = 'light' | 'dark'

/** The ground between maps: the card's colour. */
export const card: Record<Scheme, string> = { light: '#ffffff', dark: '#171a20' }

/** The three bytes of '#rrggbb'. */
export function rgb(colour: string): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

/** Stops as the engine takes them: (stops × 3) sRGB bytes. */
export function bytes(stops: readonly string[]): Uint8Array {
  return Uint8Array.from(stops.flatMap(rgb))
}
