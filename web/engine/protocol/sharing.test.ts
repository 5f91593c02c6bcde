import { describe, expect, it } from 'vitest'
import { withSharedMemory, start, threadsFor } from './sharing'

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
      const response = withSharedMemory(arriving(...pieces), 3)
      expect(response.headers.get('content-type')).toBe('application/wasm')
      expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 97, 1, 3, 17])
    }
  })

  it('is none where the server has none', () => {
    const missing = new Response('none', { status: 404 })
    expect(withSharedMemory(missing, 3)).toBe(missing)
  })
})

describe('a module that the page compiled', () => {
  const place = { url: 'engine.wasm', sharedAt: 3 }
  // The smallest there is.
  const module = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))
  const memory = new WebAssembly.Memory({ initial: 0 })

  it('is started as it is', async () => {
    const started: unknown[] = []
    const init = ({ module_or_path: source }: { module_or_path: unknown }) => {
      started.push(source)
      return Promise.resolve({ memory })
    }
    expect(await start(init, place, module)).toBe(memory)
    expect(started).toEqual([module])
  })

  it('gives way to the file where it cannot be started', async () => {
    const init = ({ module_or_path: source }: { module_or_path: unknown }) =>
      source === place.url ? Promise.resolve({ memory }) : Promise.reject(new RangeError('no room'))
    expect(await start(init, place, module)).toBe(memory)
  })
})

it('threads are two where there are two cores, half of more, and four at most', () => {
  expect([1, 2, 3, 4, 6, 8, 64].map(threadsFor)).toEqual([1, 2, 2, 2, 3, 4, 4])
})
