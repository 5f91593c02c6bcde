// A head's map on a canvas of the developer's: the page's own painting.
import { ramp } from '../charts/colour'
import { bytes, card, diverging, sequential } from '../styles/colours'
import { headMap, scaleOf } from '../charts/attention-map/model'
import { paint } from '../charts/attention-map/paint'
import { said } from '../i18n/package'
import { error } from './errors'

export type Canvas = HTMLCanvasElement | OffscreenCanvas

export interface Weights {
  /** (length, length) */
  values: Float32Array
  length: number
  causal: boolean
  /** Weights of linear attention are signed. */
  linear: boolean
}

/** Each weight is a rectangle of sharp edges, whatever the canvas' size. */
export async function paintMap(
  canvas: Canvas,
  { values, length, causal, linear }: Weights,
  engines: (stops: Uint8Array) => Promise<Uint8Array>,
): Promise<void> {
  const context = canvas.getContext('2d') as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null
  if (!context) throw error('no-context', said.noContext)
  const map = headMap({ values, names: Array<string>(length).fill(''), causal })
  const palette = linear ? ramp(diverging.light) : await engines(bytes(sequential.light))
  const scale = scaleOf(map, 'weight', 'root', linear)
  const { image } = paint({ map, part: { query: 0, key: 0, size: length }, most: length, scale, palette })
  const cells = await createImageBitmap(new ImageData(image, length, length))
  context.fillStyle = card.light
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingEnabled = false
  context.drawImage(cells, 0, 0, canvas.width, canvas.height)
  cells.close()
}
