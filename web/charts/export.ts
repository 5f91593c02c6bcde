// A picture as a file, painted by the browser.
import type { Raster, Scene } from './marks'
import { svgFile, type Colours } from './svg'

/** The colours of the present theme. */
export function colours(): Colours {
  const style = getComputedStyle(document.documentElement)
  const variable = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return { ground: variable('card'), of: (tone) => (tone === 'none' ? 'none' : variable(tone)) }
}

export function svgOf(scene: Scene): Blob {
  return new Blob([svgFile(scene, colours(), href)], { type: 'image/svg+xml' })
}

/** The picture at `scale` device pixels a CSS px. */
export async function pngOf(scene: Scene, scale: number): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgFile(scene, colours(), href))}`
  await image.decode()
  const canvas = canvasOf(Math.round(scene.width * scale), Math.round(scene.height * scale))
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser made no PNG'))), 'image/png'),
  )
}

function href({ columns, rows, pixels }: Raster): string {
  const canvas = canvasOf(columns, rows)
  if (columns > 0 && rows > 0) canvas.getContext('2d')?.putImageData(new ImageData(pixels, columns, rows), 0, 0)
  return canvas.toDataURL('image/png')
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
