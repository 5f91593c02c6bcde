// The size on paper in a PNG file, which browsers do not write.

const signature = 8
/** Length, name and checksum around the bytes of a chunk. */
const around = 12

/** The same file with its resolution behind the header, in pixels a metre. */
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
