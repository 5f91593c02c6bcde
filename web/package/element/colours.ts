// A map's colours follow the background that it lies on.
import { rgb, sequential, type Scheme } from '../../styles/colours'

export interface Background {
  scheme: Scheme
  /** #rrggbb */
  card: string
}

/** @param rgb sRGB bytes */
export function backgroundOf([red, green, blue]: readonly [number, number, number]): Background {
  const card = `#${[red, green, blue].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
  return { scheme: 0.299 * red + 0.587 * green + 0.114 * blue < 128 ? 'dark' : 'light', card }
}

/** Stops of the weights' colours. A weight of 0 has the background's colour. */
export const stopsOn = ({ scheme, card }: Background): string[] => [card, ...sequential[scheme].slice(1)]

/** A computed CSS colour as sRGB bytes. */
export function bytesOf(colour: string): [number, number, number] {
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (!context) return rgb(sequential.light[0])
  context.fillStyle = colour
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return [red, green, blue]
}
