import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { withResolution } from './export'

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
