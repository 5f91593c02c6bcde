// A figure as an SVG file, as a PNG painted by the browser, and on paper.
import theme from '../styles/theme.css?raw'
import type { Figure } from './figure'
import { type Raster, ellipsis, type Look, type Mark, type Tone } from './marks'

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

/** Bytes before a PNG file's first chunk. */
const signature = 8
/** Length, name and checksum around the bytes of a chunk. */
const around = 12

/** The same PNG file with its resolution behind the header, in pixels a metre, which browsers do not write. */
export function withResolution(png: Uint8Array, perMetre: number): Uint8Array<ArrayBuffer> {
  const header = signature + around + new DataView(png.buffer, png.byteOffset).getUint32(signature)
  const chunk = new Uint8Array(around + 9)
  const view = new DataView(chunk.buffer)
  view.setUint32(0, 9)
  chunk.set([0x70, 0x48, 0x59, 0x73], 4) // pHYs
  view.setUint32(8, Math.round(perMetre))
  view.setUint32(12, Math.round(perMetre))
  chunk[16] = 1
  view.setUint32(17, checksum(chunk.subarray(4, 17)))
  const file = new Uint8Array(png.length + chunk.length)
  file.set(png.subarray(0, header))
  file.set(chunk, header)
  file.set(png.subarray(header), header + chunk.length)
  return file
}

/** CRC-32, as PNG has it. */
function checksum(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}

let removePaper = () => {}

/** The browser prints the figure alone, or saves it as PDF, on paper of its size. @param address of its image */
export async function print({ mm }: Pick<Figure, 'mm'>, address: string): Promise<void> {
  const paper = document.createElement('div')
  paper.className = 'paper'
  const image = new Image()
  image.src = address
  paper.append(image)
  const sheet = new CSSStyleSheet()
  // A strict style-src refuses a <style>. Paper of the exact size would break a line of rounded pixels onto a second page.
  sheet.replaceSync(`
    @page { size: ${mm.width}mm ${mm.height}mm; margin: 0 }
    .paper { display: none }
    @media print {
      html, body { overflow: hidden; height: 100%; margin: 0; background: none }
      body > :not(.paper) { display: none !important }
      .paper, .paper img { display: block; width: ${mm.width}mm; height: ${mm.height - 0.1}mm }
    }`)
  await image.decode()
  // Removes the paper of a print whose end the browser did not report.
  removePaper()
  document.body.append(paper)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  const remove = () => {
    paper.remove()
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
    removeEventListener('afterprint', remove)
  }
  removePaper = remove
  addEventListener('afterprint', remove)
  window.print()
}

/** The colour of each tone, and the background. */
export interface Colours {
  ground: string
  of(tone: Tone): string
}

/** Of equal widths, and one of them is on every machine: other programs lay the figure out as the page does. */
const fonts = 'Arial, Helvetica, Liberation Sans, sans-serif'

/** `href`: a raster as an image's address. */
export function svgFile(figure: Figure, colours: Colours, href: (raster: Raster) => string): string {
  const { x, y, width, height } = figure.box
  const size = attributes({
    width: `${figure.mm.width}mm`,
    height: `${figure.mm.height}mm`,
    viewBox: `${x} ${y} ${width} ${height}`,
    'font-family': fonts,
  })
  const ground = `<rect${attributes({ x, y, width, height, fill: colours.ground })}/>`
  const marks = figure.marks.map((mark) => element(mark, colours, href)).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg"${size}>${ground}${marks}</svg>`
}

function element(mark: Mark, colours: Colours, href: (raster: Raster) => string): string {
  switch (mark.kind) {
    case 'rect': {
      const { x, y, width, height, round } = mark
      const size = { x, y, width: Math.max(width, 0), height: Math.max(height, 0), rx: round }
      return `<rect${attributes(size)}${look(mark, colours)}/>`
    }
    case 'line': {
      const { x1, y1, x2, y2 } = mark
      return `<line${attributes({ x1, y1, x2, y2 })}${look({ ...mark, stroke: mark.stroke ?? 'ink' }, colours)}/>`
    }
    case 'path':
      return `<path${attributes({ d: mark.d })}${look(mark, colours)}/>`
    case 'circle':
      return `<circle${attributes({ cx: mark.x, cy: mark.y, r: mark.r })}${look(mark, colours)}/>`
    case 'raster': {
      const { x, y, width, height } = mark
      const place = { x, y, width, height, href: href(mark), preserveAspectRatio: 'none' }
      return `<image${attributes(place)} image-rendering="pixelated"/>`
    }
    case 'text': {
      const { x, y, anchor, size = 11, bold, turn, tone = 'quiet' } = mark
      const set = {
        x,
        y,
        fill: colours.of(tone),
        'font-size': size,
        'font-weight': bold ? 700 : undefined,
        'text-anchor': anchor,
        transform: turn ? `rotate(${-turn} ${x} ${y})` : undefined,
        'xml:space': 'preserve',
      }
      return `<text${attributes(set)}>${escaped(ellipsis(mark))}</text>`
    }
  }
}

function look({ fill = 'none', stroke = 'none', weight, dash, opacity }: Look, colours: Colours): string {
  return attributes({
    fill: colours.of(fill),
    stroke: colours.of(stroke),
    'stroke-width': weight,
    'stroke-dasharray': dash,
    opacity,
  })
}

function attributes(values: Record<string, string | number | undefined>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('')
}

// Characters that XML does not allow.
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

export function escaped(text: string): string {
  return text
    .replaceAll(impossible, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
