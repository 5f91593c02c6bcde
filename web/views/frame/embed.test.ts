// @vitest-environment happy-dom
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ModelSource } from '../../engine/protocol/protocol'
import type { Run } from '../../session/runs.svelte'
import { elementSnippet, embeddingOf, scriptSnippet, weighed, type Embedding } from './embed'

const url: ModelSource = { kind: 'url', base: 'https://page.example/models/a/', name: 'a' }

function embedding(text: string, source = url): Embedding {
  const run = { text, reading: {}, head: { layer: 2, head: 6 }, model: { source } } as unknown as Run
  return embeddingOf(run, { layer: 2, head: 6, query: 9, key: 8, pair: null }, 'https://page.example/at/#/explorer')
}

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

test('the script is ten lines, and names the part of an encoder–decoder', () => {
  const snippet = scriptSnippet({ ...embedding('a\tb'), part: 'decoder' })
  expect(snippet.split('\n')).toHaveLength(10)
  expect(called(snippet)).toEqual({
    model: url.base,
    text: 'a\tb',
    place: { layer: 2, head: 6, part: 'decoder' },
  })
  expect(snippet).toContain("from 'https://page.example/at/embed/index.js'")
})

test('the engine weighs what every page fetches', () => {
  const sizes = {
    'index.js': 1,
    'worker.js': 2,
    'ropescope_bg.wasm': 4,
    'element.js': 8,
    'shaders.wgsl': 16,
    'helper.js': 32,
  }
  expect(weighed(sizes)).toEqual({ engine: 7, element: 8, shaders: 16 })
})
