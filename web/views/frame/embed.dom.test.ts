import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ModelSource } from '../../engine/protocol/protocol'
import type { Run } from '../../session/runs.svelte'
import type { Reading } from '../../text/reading'
import { elementSnippet, embeddingOf, obstacleOf, packedBytes, scriptSnippet, type Embedding } from './embed'

const url: ModelSource = { kind: 'url', base: 'https://page.example/models/a/', name: 'a' }

const cursor = { layer: 2, head: 6, query: 9, key: 8, pair: null }
const page = 'https://page.example/at/#/explorer'

const runOf = (
  text: string,
  source: ModelSource = url,
  reading: Partial<Reading> = { ids: new Uint32Array(9) },
  model: object = {},
) =>
  ({
    ...{ text, reading, head: { layer: 2, head: 6 } },
    model: { source, tokenizer: { cutsWords: false }, fullInfo: { max_position_embeddings: 9 }, ...model },
  }) as unknown as Run

const embedding = (text: string, source: ModelSource = url): Embedding =>
  embeddingOf(runOf(text, source), cursor, 'auto', page)

/** The element as a browser reads the snippet. */
function parsed(snippet: string): Record<string, string> {
  const { body, head } = new DOMParser().parseFromString(snippet, 'text/html')
  const [element, ...others] = document.importNode(body, true).querySelectorAll('rope-attention')
  expect(others).toEqual([])
  expect(head.querySelectorAll('script').length + body.querySelectorAll('script').length).toBe(1)
  return Object.fromEntries([...(element?.attributes ?? [])].map(({ name, value }) => [name, value]))
}

/** What the snippet passes to the package. */
function called(snippet: string): { model: unknown; text: unknown; place: unknown } {
  const calls: { model?: unknown; text?: unknown; place?: unknown } = {}
  const lines = snippet.split('\n')
  const load = (model: unknown) => (calls.model = model)
  const attention = (text: unknown, place: unknown) => Object.assign(calls, { text, place })
  const [, source = ''] = /load\((.*)\)$/.exec(lines[1] ?? '') ?? []
  const [, place = ''] = /= (.*)$/.exec(lines[2] ?? '') ?? []
  const [, text = ''] = /attention\((.*), place\)$/.exec(lines[3] ?? '') ?? []
  new Function('load', 'attention', `load(${source}); attention(${text}, ${place})`)(load, attention)
  return calls as { model: unknown; text: unknown; place: unknown }
}

test('the element has the model, the text, the head and the cell', () => {
  expect(parsed(elementSnippet(embedding('the dog')))).toEqual({
    model: 'https://page.example/models/a/',
    text: 'the dog',
    layer: '2',
    head: '6',
    query: '9',
    key: '8',
  })
})

test('a text comes back from both snippets, whatever it holds', () => {
  const texts = [
    'a "b" <c> & \'d\'',
    '</script><script>x',
    '>>hu<<23\thuszon',
    'one\ntwo\r\nthree',
    '`${1}` \\ \u2028 😀',
  ]
  const back = (text: string) => {
    const of = embedding(text)
    expect(parsed(elementSnippet(of))['text']).toBe(text)
    expect(called(scriptSnippet(of)).text).toBe(text)
    expect(scriptSnippet(of)).not.toContain('</')
  }
  texts.forEach(back)
  // NUL and lone halves of a pair are no text that a page could hold.
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), back))
})

test('a model of the hub is named by its commit, the visitor’s own by a folder', () => {
  const hub = embedding('a', { kind: 'hub', name: 'owner/name', revision: '0f', files: [] })
  expect(parsed(elementSnippet(hub))['model']).toBe('hub:owner/name@0f')
  expect(called(scriptSnippet(hub)).model).toEqual({ hub: 'owner/name@0f' })
  const own = embedding('a', { kind: 'files', name: 'my "model"/2', files: [] })
  expect(parsed(elementSnippet(own))['model']).toBe('models/my%20%22model%22%2F2/')
})

test('the script is a few lines, and names the part of an encoder–decoder', () => {
  const snippet = scriptSnippet({ ...embedding('a\tb'), part: 'decoder' })
  expect(snippet.split('\n')).toHaveLength(11)
  expect(called(snippet)).toEqual({
    model: url.base,
    text: 'a\tb',
    place: { layer: 2, head: 6, part: 'decoder' },
  })
  expect(snippet).toContain("from 'https://page.example/at/embed/index.js'")
})

test('of cross-attention the rows of the text are read, and the columns of the source', () => {
  const place = (part: Embedding['part']) => scriptSnippet({ ...embedding('a\tb'), part })
  // Two tokens of the source, two of the text.
  const tokens = ['s', 't', 'x', 'y']
  const data = Float32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0.25, 0.75, 0, 0, 0.625, 0.375, 0, 0)
  const lines = (snippet: string, source?: number) => {
    const said: string[] = []
    const loop = snippet.slice(snippet.indexOf('for ('))
    const names = ['tokens', 'weights', 'source', 'console']
    new Function(...names, loop)(tokens, { data }, source, { log: (line: string) => said.push(line) })
    return said
  }
  expect(place('cross')).toContain('{ tokens, weights, source }')
  expect(lines(place('cross'), 2)).toEqual(['x 2 → t 1: 0.75', 'y 3 → s 0: 0.625'])
  expect(place('cross').split('\n')).toHaveLength(11)
  expect(lines(place('decoder'))).toHaveLength(4)
})

test('a text that the page shortened ends at the last token that was read', () => {
  const words = (text: string): Reading => {
    const spans = [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({ start: index, end: index + word.length }))
    const all = [...spans.keys()]
    return {
      ...{ ids: Uint32Array.from(all), tokens: all.map(String), display: all.map(String), spans },
      ...{ before: 0, after: 0, truncated: false },
    }
  }
  const short = { spans: [null, { start: 0, end: 3 }, { start: 4, end: 7 }, null], truncated: true }
  expect(embeddingOf(runOf('the dog sat', url, short), cursor, 'auto', page).text).toBe('the dog')
  const model = { tokenizer: { encode: words, display: String }, fullInfo: { encoder: {}, decoder_start_token_id: 0 } }
  const pair = { source: Uint32Array.of(0, 1), text: Uint32Array.of(0, 0), part: 'cross' as const }
  const run = (text: string) => runOf(text, url, { truncated: true, spans: [], pair }, model)
  expect(embeddingOf(run('a bb ccc\td'), cursor, 'auto', page).text).toBe('a bb\td')
  expect(embeddingOf(run('a\td e f'), cursor, 'auto', page).text).toBe('a\td')
})

test('the format that the visitor chose is in both snippets', () => {
  const int8 = embeddingOf(runOf('a'), cursor, 'int8', page)
  expect(parsed(elementSnippet(int8))['weights']).toBe('int8')
  expect(scriptSnippet(int8)).toContain(`await load('${url.base}', { weights: 'int8' })`)
  expect(parsed(elementSnippet(embedding('a')))).not.toHaveProperty('weights')
})

test('what the package cannot open has no snippets', () => {
  const own = (name: string, file: string): ModelSource => ({ kind: 'files', name, files: [new File([], file)] })
  expect(obstacleOf(runOf('a'))).toBeUndefined()
  expect(obstacleOf(runOf(''))).toBe('text')
  expect(obstacleOf(runOf('a', own('mine', 'model.safetensors')))).toBeUndefined()
  expect(obstacleOf(runOf('a', own('mine', 'pytorch_model.bin')))).toBe('files')
  expect(obstacleOf(runOf('a', own('roformer-notebook', 'model.safetensors')))).toBe('random')
  expect(obstacleOf(runOf('a', url, { ids: new Uint32Array(10) }))).toBe('length')
  expect(obstacleOf(runOf('a', url, {}, { tokenizer: { cutsWords: true } }))).toBe('words')
})

test('packed sizes are summed for engine, element and shaders', () => {
  const sizes = {
    'index.js': 1,
    'worker.js': 2,
    'ropescope_bg.wasm': 4,
    'element.js': 8,
    'shaders.wgsl': 16,
    'helper.js': 32,
  }
  expect(packedBytes(sizes)).toEqual({ engine: 7, element: 8, shaders: 16 })
})
