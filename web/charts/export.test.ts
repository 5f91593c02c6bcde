import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Figure } from './figure'
import { ellipsis } from './marks'
import { escaped, svgFile, type Colours, withResolution } from './export'
import { crc32 } from 'node:zlib'

const colours: Colours = { ground: '#fff', of: (tone) => (tone === 'none' ? 'none' : `#${tone}`) }

describe('a picture as a file', () => {
  it('holds every mark with its colours written out', () => {
    const figure: Figure = {
      box: { x: -5, y: 0, width: 100, height: 50 },
      mm: { width: 84, height: 42 },
      marks: [
        { kind: 'rect', x: 1, y: 2, width: 3, height: -1, fill: 'bar', round: 2 },
        { kind: 'line', x1: 0, y1: 1, x2: 2, y2: 3, dash: '2 3' },
        { kind: 'path', d: 'M0 0L1 1', stroke: 'key', weight: 2 },
        { kind: 'circle', x: 5, y: 6, r: 7, fill: 'query', opacity: 0.5 },
        { kind: 'text', x: 8, y: 9, text: '<b>"&', tone: 'query', bold: true, turn: 60 },
        { kind: 'raster', x: 0, y: 0, width: 10, height: 10, columns: 1, rows: 1, pixels: new Uint8ClampedArray(4) },
      ],
    }
    expect(svgFile(figure, colours, () => 'data:x')).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" width="84mm" height="42mm" viewBox="-5 0 100 50" font-family="Arial, Helvetica, Liberation Sans, sans-serif">' +
        '<rect x="-5" y="0" width="100" height="50" fill="#fff"/>' +
        '<rect x="1" y="2" width="3" height="0" rx="2" fill="#bar" stroke="none"/>' +
        '<line x1="0" y1="1" x2="2" y2="3" fill="none" stroke="#ink" stroke-dasharray="2 3"/>' +
        '<path d="M0 0L1 1" fill="none" stroke="#key" stroke-width="2"/>' +
        '<circle cx="5" cy="6" r="7" fill="#query" stroke="none" opacity="0.5"/>' +
        '<text x="8" y="9" fill="#query" font-size="11" font-weight="700" ' +
        'transform="rotate(-60 8 9)" xml:space="preserve">&lt;b&gt;&quot;&amp;</text>' +
        '<image x="0" y="0" width="10" height="10" href="data:x" preserveAspectRatio="none" image-rendering="pixelated"/>' +
        '</svg>',
    )
  })

  it('is well-formed whatever a token holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const written = escaped(text)
        expect(written).not.toMatch(/[<>"]|&(?!(amp|lt|gt|quot);)/)
        expect([...written].every((letter) => letter >= ' ' || '\t\n\r'.includes(letter))).toBe(true)
      }),
    )
  })
})

describe('a text that has little room', () => {
  it('is cut by letters, and says so', () => {
    expect(ellipsis({ kind: 'text', x: 0, y: 0, text: 'looked', face: 'mono', size: 10, room: 25 })).toBe('loo…')
    expect(ellipsis({ kind: 'text', x: 0, y: 0, text: '😀😀😀', face: 'mono', size: 10, room: 13 })).toBe('😀…')
    expect(ellipsis({ kind: 'text', x: 0, y: 0, text: 'looked' })).toBe('looked')
  })
})

test('the resolution stands behind the header, with its checksum', () => {
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const file = Buffer.from(withResolution(pixel, 11811.02))
  const at = file.indexOf('pHYs')
  expect(file.indexOf('IHDR')).toBeLessThan(at)
  expect(at).toBeLessThan(file.indexOf('IDAT'))
  expect(file.readUInt32BE(at - 4)).toBe(9)
  expect([file.readUInt32BE(at + 4), file.readUInt32BE(at + 8), file[at + 12]]).toEqual([11811, 11811, 1])
  expect(file.readUInt32BE(at + 13)).toBe(crc32(file.subarray(at, at + 13)))
  expect(Buffer.concat([file.subarray(0, at - 4), file.subarray(at + 17)])).toEqual(pixel)
})
