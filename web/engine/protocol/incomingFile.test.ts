import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { IncomingFile } from './incomingFile'

function arriving(pieces: number[][], length = 0) {
  const progress: [number, boolean][] = []
  const stream = new ReadableStream<Uint8Array>({
    start(to) {
      for (const piece of pieces) to.enqueue(Uint8Array.from(piece))
      to.close()
    },
  })
  const abort = new AbortController()
  const options = {
    name: 'f',
    length,
    signal: abort.signal,
    onProgress: (...report: [number, boolean]) => void progress.push(report),
  }
  return { file: new IncomingFile(stream, options), progress, abort }
}

async function listed(file: IncomingFile): Promise<number[][]> {
  const pieces: number[][] = []
  for await (const piece of file.rest()) pieces.push(Array.from(piece))
  return pieces
}

describe('a file that arrives', () => {
  it('gives each byte once, however its pieces lie', async () => {
    const cuts = [[[1, 2, 3, 4, 5, 6]], [[1], [2], [3], [4], [5], [6]], [[1, 2], [], [3, 4, 5], [6]]]
    for (const pieces of cuts) {
      const { file } = arriving(pieces)
      expect(Array.from(await file.take(2))).toEqual([1, 2])
      expect(Array.from(await file.take(0))).toEqual([])
      expect(Array.from(await file.take(2))).toEqual([3, 4])
      expect((await listed(file)).flat()).toEqual([5, 6])
    }
  })

  it('is fetched ahead of who reads it, and no further than 16 MiB', async () => {
    const piece = new Uint8Array(1 << 20)
    let pieces = 0
    const stream = new ReadableStream<Uint8Array>({
      pull(to) {
        pieces++
        to.enqueue(piece)
      },
    })
    const { signal } = new AbortController()
    const file = new IncomingFile(stream, { name: 'f', length: 0, signal, onProgress: () => {} })
    for (let before = -1; before < pieces;) {
      before = pieces
      await turn()
    }
    expect(pieces).toBeGreaterThanOrEqual(16)
    expect(pieces).toBeLessThanOrEqual(18)
    file.close()
  })

  it('gives fewer bytes than were asked for only at its end', async () => {
    const { file } = arriving([[1, 2], [3]])
    expect(Array.from(await file.take(9))).toEqual([1, 2, 3])
    expect(await listed(file)).toEqual([])
  })

  it('tells how far it is, and of its end', async () => {
    const { file, progress } = arriving([[1, 2], [3]])
    await file.take(1)
    await file.all()
    expect(progress).toEqual([
      [2, false],
      [3, false],
      [3, true],
    ])
  })

  it('gives nothing any more once it is cancelled', async () => {
    const { file, abort } = arriving([[1], [2]])
    await file.take(1)
    abort.abort()
    await expect(file.take(1)).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('that breaks off is said in words', async () => {
    const broken = new ReadableStream<Uint8Array>({ start: (to) => to.error(new Error('gone')) })
    const options = { name: 'f', length: 0, signal: new AbortController().signal, onProgress: () => {} }
    await expect(new IncomingFile(broken, options).all()).rejects.toMatchObject({
      code: 'read-failed',
      retryable: true,
    })
  })
})
