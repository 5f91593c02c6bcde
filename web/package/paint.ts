// A head's map on a canvas of the developer's.
import { weightEntry } from '../elements/colour'
import { bytes, sequential } from '../styles/colours'
import { said } from '../words/package'
import { error } from './errors'

export type Canvas = HTMLCanvasElement | OffscreenCanvas

/** weights: (length, length). Each weight is a rectangle of sharp edges, whatever the canvas' size. */
export async function paintMap(
  canvas: Canvas,
  weights: Float32Array,
  length: number,
  palette: (stops: Uint8Array) => Promise<Uint8Array>,
): Promise<void> {
  const context = canvas.getContext('2d') as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null
  if (!context) throw error('no-context', said.noContext)
  const table = await palette(bytes(sequential.light))
  const image = new ImageData(length, length)
  weights.forEach((weight, at) => {
    const entry = weightEntry(weight) * 3
    image.data.set([table[entry] ?? 0, table[entry + 1] ?? 0, table[entry + 2] ?? 0, 255], at * 4)
  })
  const cells = await createImageBitmap(image)
  context.imageSmoothingEnabled = false
  context.drawImage(cells, 0, 0, canvas.width, canvas.height)
  cells.close()
}
