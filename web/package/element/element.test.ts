import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { elementMessages as messages } from '../messages.en'
import { sequential } from '../../styles/colours'
import type { LoadOptions, Source } from '../load'
import type { Model } from '../model'
import { names, readAttributes, type Attributes, type ModelRequest } from './attributes'
import { firstCursor, backgroundOf, stopsOn } from './elementState.svelte'
import { SharedModels } from './models'
import { hostTheme } from './sheet'

const none = Object.fromEntries(names.map((name) => [name, null])) as Attributes
const complete = { ...none, model: 'models/a/', text: 'A text.' }

describe('attributes', () => {
  it('select the first head by default', () => {
    expect(readAttributes(complete)).toEqual({
      model: { source: 'models/a/', backend: 'auto', weights: 'auto', worker: undefined },
      text: 'A text.',
      layer: 0,
      head: 0,
      part: 'cross',
      cursor: {},
    })
  })

  it('name a head, a cell, a backend and a model of the hub', () => {
    const attributes = {
      ...complete,
      model: 'hub:owner/name@main',
      layer: '2',
      head: '6',
      key: '4',
      part: 'encoder',
      backend: 'cpu',
      weights: 'int8',
      worker: '/w.js',
    }
    expect(readAttributes(attributes)).toMatchObject({
      part: 'encoder',
      model: { source: { hub: 'owner/name@main' }, backend: 'cpu', weights: 'int8', worker: '/w.js' },
      layer: 2,
      head: 6,
      cursor: { key: 4 },
    })
  })

  it('are refused with a sentence', () => {
    expect(readAttributes({ ...complete, model: null })).toBe(messages.noModel)
    expect(readAttributes({ ...complete, text: '' })).toBe(messages.noText)
    for (const layer of ['two', '-1', '1.5', '', '1e3'])
      expect(readAttributes({ ...complete, layer })).toBe(messages.noNumber('layer', layer))
    expect(readAttributes({ ...complete, query: 'last' })).toBe(messages.noNumber('query', 'last'))
    expect(readAttributes({ ...complete, backend: 'tpu' })).toBe(messages.noBackend('tpu', 'auto, gpu, cpu'))
    expect(readAttributes({ ...complete, weights: 'int2' })).toBe(
      messages.noWeights('int2', 'auto, f32, f16, bf16, int8, int4'),
    )
  })
})

it('a map’s lowest colour is its background', () => {
  const paper = backgroundOf([253, 246, 227])
  expect(paper).toEqual({ scheme: 'light', card: '#fdf6e3' })
  expect(stopsOn(paper)).toEqual(['#fdf6e3', ...sequential.light.slice(1)])
  expect(backgroundOf([23, 26, 32])).toEqual({ scheme: 'dark', card: sequential.dark[0] })
  expect(stopsOn(backgroundOf([255, 255, 255]))).toEqual(sequential.light)
})

const numbers = {
  values: Float32Array.of(1, 0, 0, 0.2, 0.1, 0.7, 0.1, 0.8, 0.1),
  names: ['a', 'b', 'c'],
  causal: false,
}

it('the cursor begins at the requested cell, else at the greatest weight of the second token', () => {
  expect(firstCursor(numbers, {})).toEqual({ query: 1, key: 2 })
  expect(firstCursor(numbers, { query: 2 })).toEqual({ query: 2, key: 1 })
  expect(firstCursor(numbers, { query: 0, key: 1 })).toEqual({ query: 0, key: 1 })
  expect(firstCursor(numbers, { query: 9, key: 9 })).toEqual({ query: 2, key: 2 })
})

it('the cursor begins at no masked cell', () => {
  expect(firstCursor({ ...numbers, causal: true }, {})).toEqual({ query: 1, key: 0 })
  expect(firstCursor({ values: Float32Array.of(1), names: ['a'], causal: true }, {})).toEqual({ query: 0, key: 0 })
})

it('of cross-attention the cursor begins in a row of the text and a column of the source', () => {
  const values = new Float32Array(25)
  values[4 * 5 + 1] = 1
  const cross = { values, names: ['a', 'b', 'c', 'd', 'e'], causal: false, source: 3 }
  expect(firstCursor(cross, {})).toEqual({ query: 4, key: 1 })
  expect(firstCursor(cross, { query: 0, key: 4 })).toEqual({ query: 3, key: 2 })
})

it('the page’s theme becomes the host’s', () => {
  const theme = readFileSync('web/styles/theme.css', 'utf8')
  const css = hostTheme(theme)
  expect(css).toMatch(/^:host \{ display: block; color-scheme: light dark; /)
  expect(css).toContain('--ink: var(--rope-ink, light-dark(#1b1d22, #eceae4));')
  expect(css).toContain('--query: var(--rope-query, light-dark(#2a55c4, #8fb0ff));')
  expect(css).toMatch(/--mono: var\(--rope-mono, ui-monospace,[^;]*monospace\);/)
  const dark = /\n:root\[data-scheme='dark'\] \{([^}]*)\}/.exec(theme)?.[1]
  expect(css.match(/light-dark\(/g)).toHaveLength(dark?.match(/--/g)?.length ?? NaN)
})

const request = (source: string): ModelRequest => ({ source, backend: 'auto', weights: 'auto', worker: undefined })
const ignore = () => {}

function shared() {
  const loads: LoadOptions[] = []
  const later: (() => void)[] = []
  const dispose = vi.fn(async () => {})
  let failure: Error | undefined
  const load = async (_: Source, options: LoadOptions) => {
    loads.push(options)
    if (failure) throw failure
    return { dispose } as unknown as Model
  }
  return {
    models: new SharedModels(load, (work) => later.push(work)),
    loads,
    dispose,
    fail: (reason: Error | undefined) => (failure = reason),
    wait: async () => {
      for (const work of later.splice(0)) work()
      await Promise.resolve()
    },
  }
}

describe('models of several elements', () => {
  it('are loaded once, and tell all who wait for them', async () => {
    const { models, loads } = shared()
    const [one, other] = [vi.fn(), vi.fn()]
    const first = models.acquire(request('a/'), one)
    const second = models.acquire(request('a/'), other)
    models.acquire(request('b/'), ignore)
    expect(loads).toHaveLength(2)
    expect(await first.model).toBe(await second.model)
    const progress = { file: 'model.safetensors', loaded: 1, total: 2 }
    loads[0]?.onProgress?.(progress)
    expect(one).toHaveBeenCalledWith(progress)
    expect(other).toHaveBeenCalledWith(progress)
  })

  it('go when the last has gone, and not when one comes back at once', async () => {
    const { models, loads, dispose, wait } = shared()
    const [first, second] = [models.acquire(request('a/'), ignore), models.acquire(request('a/'), ignore)]
    await first.model
    first.release()
    await wait()
    expect(dispose).not.toHaveBeenCalled()
    second.release()
    const third = models.acquire(request('a/'), ignore)
    await wait()
    expect(dispose).not.toHaveBeenCalled()
    expect(loads).toHaveLength(1)
    third.release()
    await wait()
    expect(dispose).toHaveBeenCalledOnce()
    expect(loads[0]?.signal?.aborted).toBe(true)
    await models.acquire(request('a/'), ignore).model
    expect(loads).toHaveLength(2)
  })

  it('are tried again after a failure', async () => {
    const { models, loads, fail } = shared()
    fail(new Error('gone'))
    await expect(models.acquire(request('a/'), ignore).model).rejects.toThrow('gone')
    fail(undefined)
    await models.acquire(request('a/'), ignore).model
    expect(loads).toHaveLength(2)
  })
})
