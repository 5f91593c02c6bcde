// Paints a head's attention map on a canvas, as the page does.
import { ramp } from '../charts/colour'
import { bytes, card, diverging, sequential } from '../styles/colours'
import { extentOf, headMap } from '../charts/attention-map/model'
import { paint, scaleOf } from '../charts/attention-map/paint'
import { messages } from './messages.en'
import { error } from './errors'

export type Canvas = HTMLCanvasElement | OffscreenCanvas

export interface Weights {
  /** (length, length) */
  values: Float32Array
  length: number
  causal: boolean
  /** Of cross-attention: the tokens of the source, which come first. */
  source: number | undefined
  /** Weights of linear attention are signed. */
  linear: boolean
}

/** Fills the canvas: each weight is a rectangle with sharp edges. `paletteOf` computes 256 sRGB colours from stops. */
export async function paintMap(
  canvas: Canvas,
  { values, length, causal, source, linear }: Weights,
  paletteOf: (stops: Uint8Array) => Promise<Uint8Array>,
): Promise<void> {
  const context = canvas.getContext('2d') as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null
  if (!context) throw error('no-context', messages.noContext)
  const map = headMap({ values, names: Array<string>(length).fill(''), causal, source })
  const palette = linear ? ramp(diverging.light) : await paletteOf(bytes(sequential.light))
  const scale = scaleOf(map, 'weight', 'root', linear)
  const part = { query: 0, key: 0, ...extentOf(map) }
  const { image, columns, rows } = paint({ map, part, most: length, scale, palette })
  const cells = await createImageBitmap(new ImageData(image, columns, rows))
  context.fillStyle = card.light
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingEnabled = false
  context.drawImage(cells, 0, 0, canvas.width, canvas.height)
  cells.close()
}
