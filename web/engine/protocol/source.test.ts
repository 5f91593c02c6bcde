import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openSource, IncomingFile } from './source'

const quiet = () => {}
const live = () => new AbortController().signal

describe('files that were opened', () => {
  it('are read with progress', async () => {
    const calls: string[] = []
    const model = openSource(
      {
        kind: 'files',
        name: 'mine',
        files: [
          new File(['{}'], 'config.json'),
          new File(['abc'], 'model.safetensors'),
          new File(['[UNK]'], 'vocab.txt'),
        ],
      },
      (file, loaded, total) => calls.push(`${file} ${loaded}/${total}`),
      live(),
    )
    expect(await model.config).toBe('{}')
    expect(await model.tokenizer).toEqual({ vocabulary: '[UNK]' })
    const weights = await model.weights
    expect(weights.length).toBe(3)
    expect(new TextDecoder().decode(await weights.all())).toBe('abc')
    expect(calls).toContain('model.safetensors 3/3')
  })

  it('come with the heads described beside them, where there are any', async () => {
    const parts = [
      new File(['{}'], 'config.json'),
      new File(['abc'], 'model.safetensors'),
      new File(['[UNK]'], 'vocab.txt'),
    ]
    const open = (files: File[]) => openSource({ kind: 'files', name: 'mine', files }, quiet, live())
    expect(await open(parts).describedHeads).toBeUndefined()
    expect(await open([...parts, new File(['{"heads":[]}'], 'heads.json')]).describedHeads).toBe('{"heads":[]}')
  })

  it('come with what names the mask token, where there is any', async () => {
    const parts = ['config.json', 'model.safetensors', 'tokenizer.json'].map((name) => new File(['{}'], name))
    const open = (...more: File[]) =>
      openSource({ kind: 'files', name: 'mine', files: [...parts, ...more] }, quiet, live()).tokenizer
    const config = new File(['{"mask_token":"<mask>"}'], 'tokenizer_config.json')
    const map = new File(['{"mask_token":"<m>"}'], 'special_tokens_map.json')
    const both = { config: '{"mask_token":"<mask>"}', specialTokens: '{"mask_token":"<m>"}' }
    expect(await open(config, map)).toEqual({ tokenizer: '{}', ...both })
    expect(await open(config)).toEqual({ tokenizer: '{}', config: both.config })
    expect(await open(map)).toEqual({ tokenizer: '{}', specialTokens: '{"mask_token":"<m>"}' })
    expect(await open()).toEqual({ tokenizer: '{}' })
  })

  it('that lack something reject everything with words', async () => {
    const model = openSource({ kind: 'files', name: 'mine', files: [new File(['{}'], 'config.json')] }, quiet, live())
    await expect(model.config).rejects.toMatchObject({ code: 'missing-weights' })
    await expect(model.weights).rejects.toMatchObject({ code: 'missing-weights' })
  })
})

describe('files from the page’s own host', () => {
  afterEach(() => vi.unstubAllGlobals())

  const serve = (answers: Record<string, () => Response | Promise<Response>>) =>
    vi.stubGlobal('fetch', async (url: URL, { signal }: { signal: AbortSignal }) => {
      const answer = answers[url.pathname.split('/').at(-1) ?? '']
      if (signal.aborted) throw new DOMException('aborted', 'AbortError')
      return answer ? answer() : new Response('', { status: 404 })
    })
  const open = (files: string[] = [], signal = live(), progress: (...calls: unknown[]) => void = quiet) =>
    openSource({ kind: 'url', base: 'http://host/models/one/', name: 'one', files }, progress, signal)

  it('are asked for only where they lie there', async () => {
    const requests: string[] = []
    vi.stubGlobal('fetch', async (url: URL) => {
      requests.push(url.pathname.split('/').at(-1) ?? '')
      return new Response('{}')
    })
    const model = open(['config.json', 'model.safetensors', 'vocab.txt'])
    expect(await model.tokenizer).toEqual({ vocabulary: '{}' })
    expect([await model.generation, await model.describedHeads]).toEqual([undefined, undefined])
    expect(requests.sort()).toEqual(['config.json', 'model.safetensors', 'vocab.txt'])
  })

  it('need no small ones beside them, whatever the server answers for those', async () => {
    const names = ['tokenizer.json', 'tokenizer_config.json', 'heads.json', 'generation_config.json']
    serve({ 'tokenizer.json': () => new Response('{}') })
    const bare = open(names)
    expect(await bare.tokenizer).toEqual({ tokenizer: '{}' })
    expect([await bare.generation, await bare.describedHeads]).toEqual([undefined, undefined])
    serve({
      'tokenizer.json': () => new Response('{}'),
      'tokenizer_config.json': () => new Response('{"mask_token":null}'),
      'heads.json': () => new Response('', { status: 503 }),
      'generation_config.json': () => new Response('{"eos_token_id":2}'),
    })
    const full = open(names)
    expect(await full.tokenizer).toEqual({ tokenizer: '{}', config: '{"mask_token":null}' })
    expect([await full.generation, await full.describedHeads]).toEqual(['{"eos_token_id":2}', undefined])
  })

  it('are missing where a server answers with a page', async () => {
    serve({ 'config.json': () => new Response('<html>', { headers: { 'content-type': 'text/html; charset=utf-8' } }) })
    await expect(open().config).rejects.toMatchObject({ code: 'missing-file' })
  })

  it('say what failed and whether trying again can help', async () => {
    serve({ 'config.json': () => new Response('', { status: 503 }) })
    const model = open()
    await expect(model.config).rejects.toMatchObject({ code: 'fetch-failed', retryable: true })
    await expect(model.weights).rejects.toMatchObject({ code: 'missing-file', retryable: true })
  })

  it('may be longer than the server said, or of a length that it did not say', async () => {
    const bytes = new Uint8Array(200_000).fill(7)
    for (const headers of [{ 'content-length': '10' }, { 'content-length': '10', 'content-encoding': 'gzip' }]) {
      serve({ 'model.safetensors': () => new Response(bytes, { headers: headers as HeadersInit }) })
      const progress = vi.fn()
      const weights = await open([], live(), progress).weights
      expect(weights.length).toBe('content-encoding' in headers ? 0 : 10)
      const read = await weights.all()
      expect(read.length).toBe(200_000)
      expect(read.every((byte) => byte === 7)).toBe(true)
      const [, , first] = progress.mock.calls[0] ?? []
      expect(first === 0).toBe(weights.length === 0)
      expect(progress.mock.lastCall).toEqual(['model.safetensors', 200_000, 200_000])
    }
  })

  it('can be cancelled in the middle', async () => {
    let closed = false
    let pulls = 0
    const abort = new AbortController()
    const endless = new ReadableStream<Uint8Array>({
      async pull(to) {
        if (++pulls === 5) abort.abort()
        await turn()
        if (!closed) to.enqueue(new Uint8Array(8))
      },
      cancel: () => void (closed = true),
    })
    serve({ 'model.safetensors': () => new Response(endless) })
    const weights = (await open([], abort.signal).weights).all()
    await expect(weights).rejects.toMatchObject({ code: 'cancelled' })
    expect(closed).toBe(true)
  })
})

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
