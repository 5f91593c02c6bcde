import { describe, expect, it } from 'vitest'
import { threadsFor } from './cores'
import { shared } from './sharing'

/** A module that arrives in these pieces. */
const arriving = (...pieces: number[][]) =>
  new Response(
    new ReadableStream({
      start(stream) {
        for (const piece of pieces) stream.enqueue(Uint8Array.from(piece))
        stream.close()
      },
    }),
    { headers: { 'content-type': 'application/wasm' } },
  )

describe('a module whose memory is shared', () => {
  it('differs by one byte, in whichever piece it comes', async () => {
    for (const pieces of [
      [[0, 97, 1, 1, 17]],
      [[0, 97], [1], [1, 17]],
      [
        [0, 97, 1],
        [1, 17],
      ],
    ]) {
      const response = shared(arriving(...pieces), 3)
      expect(response.headers.get('content-type')).toBe('application/wasm')
      expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 97, 1, 3, 17])
    }
  })

  it('is none where the server has none', () => {
    const missing = new Response('none', { status: 404 })
    expect(shared(missing, 3)).toBe(missing)
  })
})

it('threads are two where there are two cores, half of more, and four at most', () => {
  expect([1, 2, 3, 4, 6, 8, 64].map(threadsFor)).toEqual([1, 2, 2, 2, 3, 4, 4])
})
