import { expect, test } from 'vitest'
import { cyclic, diverging, rgb, sequential } from '../styles/colours'
import { angleEntry, css, inkOn, ramp, repaint, swatches, weightEntry } from './colour'

test('a ramp begins and ends with its stops', () => {
  const table = ramp(sequential.light)
  expect(table).toHaveLength(768)
  expect(css(table, 0)).toBe('rgb(255 255 255)')
  expect(css(table, 255)).toBe('rgb(12 59 63)')
})

test('a cyclic ramp has no seam', () => {
  for (const stops of [cyclic.light, cyclic.dark]) {
    const table = ramp(stops)
    expect(css(table, 0)).toBe(css(table, 255))
  }
})

test('the hues of angles are not those of signs', () => {
  for (const scheme of ['light', 'dark'] as const) {
    const hue = (colour = '') => {
      const [r, g, b] = rgb(colour)
      return (Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) * 180) / Math.PI
    }
    const between = (one: number, other: number) => Math.abs(((one - other + 540) % 360) - 180)
    const signs = [diverging[scheme].at(1), diverging[scheme].at(-2)].map(hue)
    for (const angle of [2, 5].map((at) => hue(cyclic[scheme][at])))
      for (const sign of signs) expect(between(angle, sign)).toBeGreaterThan(40)
  }
})

test('weights are coloured by their square root and stay within the table', () => {
  expect([0, 0.25, 1, 1.0001, -1].map(weightEntry)).toEqual([0, 128, 255, 255, 0])
})

test('angles fill the table once a turn', () => {
  expect([0, Math.PI, 2 * Math.PI - 1e-6, 2 * Math.PI].map(angleEntry)).toEqual([0, 128, 255, 255])
})

test('an image is repainted entry by entry', () => {
  const [dark, light] = [ramp(sequential.dark), ramp(sequential.light)]
  const image = (table: Uint8Array) =>
    Uint8ClampedArray.from({ length: 256 * 4 }, (_, at) =>
      at % 4 === 3 ? 255 : (table[(at >> 2) * 3 + (at % 4)] ?? 0),
    )
  const painted = repaint(image(dark), sequential.dark, sequential.light)
  // Neighbours of the dark scale may have one colour: they are an entry apart at most.
  const far = [...painted].filter((value, at) => Math.abs(value - (image(light)[at] ?? 0)) > 3)
  expect(far).toEqual([])
  expect([...painted.subarray(0, 4), ...painted.subarray(-4)]).toEqual([
    ...image(light).subarray(0, 4),
    ...image(light).subarray(-4),
  ])
})

test('every swatch can be read', () => {
  const channel = (value: number) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
  for (const stops of [sequential.light, sequential.dark]) {
    for (const { ground, ink } of swatches(ramp(stops))) {
      const [red = 0, green = 0, blue = 0] = (ground.match(/\d+/g) ?? []).map((part) => channel(Number(part)))
      const bright = 0.2126 * red + 0.7152 * green + 0.0722 * blue
      expect(ink === '#ffffff' ? 1.05 / (bright + 0.05) : (bright + 0.05) / 0.05).toBeGreaterThan(4.5)
    }
  }
})

test('ink on a map changes sides', () => {
  const table = ramp(sequential.light)
  expect(inkOn(table, 0)).toBe('#000000')
  expect(inkOn(table, 255)).toBe('#ffffff')
})
