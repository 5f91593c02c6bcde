import { afterEach, describe, expect, it, vi } from 'vitest'
import { chooseFiles, openSource } from './source'

const files = (...paths: string[]) => paths.map((path) => ({ path }))
const code = (paths: string[]) => {
  try {
    chooseFiles(files(...paths))
  } catch (error) {
    return (error as { code: string; message: string }).code
  }
  return 'none'
}

describe('the files of a folder', () => {
  it('are those beside the topmost config.json', () => {
    const chosen = chooseFiles(
      files(
        'm/old/config.json',
        'm/old/model.safetensors',
        'm/model.safetensors',
        'm/config.json',
        'm/old/tokenizer.json',
        'm/vocab.txt',
      ),
    )
    expect(chosen.config.path).toBe('m/config.json')
    expect(chosen.weights.path).toBe('m/model.safetensors')
    expect(chosen.tokenizer).toBeUndefined()
    expect(chosen.vocabulary?.path).toBe('m/vocab.txt')
  })

  it('prefer tokenizer.json', () => {
    const chosen = chooseFiles(files('config.json', 'model.safetensors', 'vocab.txt', 'tokenizer.json'))
    expect(chosen.tokenizer?.path).toBe('tokenizer.json')
  })

  it.each([
    [[], 'no-files'],
    [['m/readme.txt'], 'missing-weights'],
    [['m/config.json', 'm/vocab.txt'], 'missing-weights'],
    [['m/model.safetensors', 'm/vocab.txt'], 'missing-config'],
    [['m/config.json', 'm/model.safetensors'], 'missing-tokenizer'],
    [['m/config.json', 'm/pytorch_model.bin', 'm/vocab.txt'], 'pickled-weights'],
    [['m/config.json', 'm/model-00001-of-00002.safetensors', 'm/model.safetensors.index.json'], 'sharded-weights'],
    [['m/config.json', 'm/tf_model.h5'], 'other-weights'],
    [['m/config.json', 'm/weights.safetensors', 'm/vocab.txt'], 'missing-weights'],
  ])('%j: %s', (paths, expected) => {
    expect(code(paths)).toBe(expected)
  })

  it('of a pickle come with the command that converts it', () => {
    expect(() => chooseFiles(files('config.json', 'pytorch_model.bin'))).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/python3 -c ".*torch\.load\('pytorch_model\.bin'/) }),
    )
  })
})

const quiet = () => {}
const live = () => new AbortController().signal

describe('files that were opened', () => {
  it('are read with progress', async () => {
    const seen: string[] = []
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
      (file, loaded, total) => seen.push(`${file} ${loaded}/${total}`),
      live(),
    )
    expect(await model.config).toBe('{}')
    expect(await model.tokenizer).toEqual({ vocabulary: '[UNK]' })
    expect(new TextDecoder().decode(await model.weights)).toBe('abc')
    expect(seen).toContain('model.safetensors 3/3')
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
    expect(await open(config, map)).toEqual({ tokenizer: '{}', config: '{"mask_token":"<mask>"}' })
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
  const open = (signal = live(), progress: (...seen: unknown[]) => void = quiet) =>
    openSource({ kind: 'url', base: 'http://host/models/one/', name: 'one' }, progress, signal)

  it('fall back to vocab.txt, also where a server answers a missing file with a page', async () => {
    serve({
      'config.json': () => new Response('{}'),
      'tokenizer.json': () => new Response('<html>', { headers: { 'content-type': 'text/html; charset=utf-8' } }),
      'vocab.txt': () => new Response('[UNK]\na'),
      'model.safetensors': () => new Response('w'),
    })
    expect(await open().tokenizer).toEqual({ vocabulary: '[UNK]\na' })
  })

  it('need no tokenizer_config.json', async () => {
    const one = { 'tokenizer.json': () => new Response('{}') }
    serve(one)
    expect(await open().tokenizer).toEqual({ tokenizer: '{}' })
    serve({ ...one, 'tokenizer_config.json': () => new Response('{"mask_token":null}') })
    expect(await open().tokenizer).toEqual({ tokenizer: '{}', config: '{"mask_token":null}' })
  })

  it('need no heads.json, whatever the server answers for it', async () => {
    serve({ 'heads.json': () => new Response('{}') })
    expect(await open().describedHeads).toBe('{}')
    serve({ 'heads.json': () => new Response('', { status: 503 }) })
    expect(await open().describedHeads).toBeUndefined()
    serve({})
    expect(await open().describedHeads).toBeUndefined()
  })

  it('say what failed and whether trying again can help', async () => {
    serve({ 'config.json': () => new Response('', { status: 503 }) })
    const model = open()
    await expect(model.config).rejects.toMatchObject({ code: 'fetch-failed', retryable: true })
    await expect(model.weights).rejects.toMatchObject({ code: 'missing-file', retryable: true })
  })

  it('grow where the length is not known, or wrong', async () => {
    const bytes = new Uint8Array(200_000).fill(7)
    serve({ 'model.safetensors': () => new Response(bytes, { headers: { 'content-length': '10' } }) })
    const progress = vi.fn()
    const weights = await open(live(), progress).weights
    expect(weights.length).toBe(200_000)
    expect(weights.every((byte) => byte === 7)).toBe(true)
    const [, loaded, total] = progress.mock.lastCall ?? []
    expect(loaded).toBe(total)
  })

  it('can be cancelled in the middle', async () => {
    let closed = false
    const endless = new ReadableStream<Uint8Array>({
      async pull(to) {
        await new Promise((resolve) => setTimeout(resolve, 1))
        if (!closed) to.enqueue(new Uint8Array(8))
      },
      cancel: () => void (closed = true),
    })
    serve({ 'model.safetensors': () => new Response(endless) })
    const abort = new AbortController()
    const { weights } = open(abort.signal)
    setTimeout(() => abort.abort(), 20)
    await expect(weights).rejects.toMatchObject({ code: 'cancelled' })
    expect(closed).toBe(true)
  })
})
