// A figure as an SVG file.
import type { Figure } from './figure'
import { ellipsis, type Look, type Mark, type Raster, type Tone } from './marks'

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
