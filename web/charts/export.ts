// A figure as a file, painted by the browser.
import theme from '../styles/theme.css?raw'
import type { Figure } from './figure'
import type { Raster } from './marks'
import { withResolution } from './png'
import { svgFile, type Colours } from './svg'

/** The colours of the present theme. */
export function colours(): Colours {
  const style = getComputedStyle(document.documentElement)
  return coloursOf((name) => style.getPropertyValue(`--${name}`).trim())
}

/** Of paper: a visitor in the dark prints them, too. */
export function lightColours(): Colours {
  return coloursOf((name) => {
    const [, value] = new RegExp(`--${name}:\\s*([^;]+);`).exec(theme) ?? []
    if (value === undefined) throw new Error(`theme.css has no colour ${name}`)
    return value
  })
}

function coloursOf(variable: (name: string) => string): Colours {
  return { ground: variable('card'), of: (tone) => (tone === 'none' ? 'none' : variable(tone)) }
}

export const svgOf = (figure: Figure, colours: Colours): string => svgFile(figure, colours, href)

/** As the address of an image. */
export const addressOf = (svg: string): string => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`

const mmPerInch = 25.4

/** Of a figure of so many dots an inch on paper, which the file says. */
export async function pngOf({ mm }: Pick<Figure, 'mm'>, svg: string, dotsPerInch: number): Promise<Blob> {
  const dots = (length: number) => Math.round((length / mmPerInch) * dotsPerInch)
  const image = new Image(dots(mm.width), dots(mm.height))
  image.src = addressOf(svg)
  await image.decode()
  const canvas = canvasOf(image.width, image.height)
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error('the browser made no PNG')
  const png = withResolution(new Uint8Array(await blob.arrayBuffer()), (dotsPerInch / mmPerInch) * 1000)
  return new Blob([png], { type: 'image/png' })
}

/** Pixels across an image, at least: programs that smooth what they enlarge leave its cells sharp. */
const sharp = 1500

function href({ columns, rows, pixels }: Raster): string {
  const cells = canvasOf(columns, rows)
  if (columns === 0 || rows === 0) return cells.toDataURL('image/png')
  cells.getContext('2d')?.putImageData(new ImageData(pixels, columns, rows), 0, 0)
  const times = Math.max(1, Math.ceil(sharp / Math.max(columns, rows)))
  const image = canvasOf(columns * times, rows * times)
  const context = image.getContext('2d')
  if (context) {
    context.imageSmoothingEnabled = false
    context.drawImage(cells, 0, 0, image.width, image.height)
  }
  return image.toDataURL('image/png')
}

function canvasOf(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  return canvas
}

/** Saves a file. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The download has its own reference by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
