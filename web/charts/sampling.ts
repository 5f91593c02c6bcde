/** The first and one past the last of `count` items in this pixel: several where there are more items than pixels. */
export function covered(pixel: number, pixels: number, count: number): [number, number] {
  const from = Math.floor((pixel * count) / pixels)
  return [from, Math.max(from + 1, Math.floor(((pixel + 1) * count) / pixels))]
}
