// Which colours a map takes where it stands: those of the ground under it.
import { rgb, sequential, type Scheme } from '../../styles/colours'

export interface Ground {
  scheme: Scheme
  /** #rrggbb */
  card: string
}

/** sRGB bytes of the ground: dark, as the page's own dark card, or light. */
export function groundOf([red, green, blue]: readonly [number, number, number]): Ground {
  const card = `#${[red, green, blue].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
  return { scheme: 0.299 * red + 0.587 * green + 0.114 * blue < 128 ? 'dark' : 'light', card }
}

/** Stops of the weights' colours: no weight is the ground's own colour. */
export const stopsOn = ({ scheme, card }: Ground): string[] => [card, ...sequential[scheme].slice(1)]

/** Any CSS colour that a browser computed, as sRGB bytes. */
export function bytesOf(colour: string): [number, number, number] {
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (!context) return rgb(sequential.light[0])
  context.fillStyle = colour
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return [red, green, blue]
}
