// Colour tables of 256 sRGB entries (256 × 3 bytes), and how they are read.
import { rgb } from '../styles/colours'

/** Evenly spaced stops ('#rrggbb') as a table, linear between them. */
export function ramp(stops: readonly string[]): Uint8Array {
  const colours = stops.map(rgb)
  const table = new Uint8Array(256 * 3)
  for (let entry = 0; entry < 256; entry++) {
    const place = (entry / 255) * (colours.length - 1)
    const below = Math.min(Math.floor(place), colours.length - 2)
    for (let channel = 0; channel < 3; channel++) {
      const low = colours[below]?.[channel] ?? 0
      const high = colours[below + 1]?.[channel] ?? low
      table[entry * 3 + channel] = Math.round(low + (high - low) * (place - below))
    }
  }
  return table
}

/** The entry for a weight of 0 … 1, by its square root, so that small weights differ from 0. */
export function weightEntry(weight: number): number {
  return Math.round(Math.sqrt(Math.min(Math.max(weight, 0), 1)) * 255)
}

/** The RGBA image with each colour of the ramp `from` replaced by that of the ramp `to`. */
export function repaint(
  pixels: Uint8ClampedArray<ArrayBuffer>,
  from: readonly string[],
  to: readonly string[],
): Uint8ClampedArray<ArrayBuffer> {
  if (from === to) return pixels
  const [before, after] = [ramp(from), ramp(to)]
  const entries = new Map<number, number>()
  const image = new Uint8ClampedArray(pixels)
  for (let at = 0; at < pixels.length; at += 4) {
    const [red, green, blue] = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0]
    const colour = (red << 16) | (green << 8) | blue
    const entry = entries.get(colour) ?? nearestEntry(before, [red, green, blue])
    entries.set(colour, entry)
    for (let channel = 0; channel < 3; channel++) image[at + channel] = after[entry * 3 + channel] ?? 0
  }
  return image
}

function nearestEntry(table: Uint8Array, colour: readonly [number, number, number]): number {
  const distance = (entry: number) =>
    colour.reduce((sum, value, channel) => sum + (value - (table[entry * 3 + channel] ?? 0)) ** 2, 0)
  let nearest = 0
  for (let entry = 1; entry < 256; entry++) if (distance(entry) < distance(nearest)) nearest = entry
  return nearest
}

/** The entry for an angle in radians, 0 … 2π. */
export function angleEntry(angle: number): number {
  return Math.min(255, Math.floor((angle / (2 * Math.PI)) * 256))
}

/** An entry as a CSS colour. */
export function css(table: Uint8Array, entry: number): string {
  return `rgb(${table[entry * 3] ?? 0} ${table[entry * 3 + 1] ?? 0} ${table[entry * 3 + 2] ?? 0})`
}

/** Relative luminance of an entry (WCAG 2), 0 black … 1 white. */
function luminance(table: Uint8Array, entry: number): number {
  const linear = (channel: number) => {
    const value = (table[entry * 3 + channel] ?? 0) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(0) + 0.7152 * linear(1) + 0.0722 * linear(2)
}

/** All entries of a table as CSS colours, each with its ink. */
export function swatches(table: Uint8Array): { ground: string; ink: string }[] {
  return Array.from({ length: 256 }, (_, entry) => ({ ground: css(table, entry), ink: inkOn(table, entry) }))
}

/** The ink with more contrast on an entry: at least 4.5:1. */
export function inkOn(table: Uint8Array, entry: number): '#000000' | '#ffffff' {
  return luminance(table, entry) > 0.179 ? '#000000' : '#ffffff'
}
