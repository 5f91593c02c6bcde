import { describe, expect, it } from 'vitest'
import { buildOf } from '../../testing/fakeCaches'
import { modelStores, outdated, ownCaches, pageStore, placeOf, type PageRequest } from './stores'

const scope = new URL('https://host.example/some/deep%20path/')
const build = buildOf('one', {
  '': '<p>page</p>',
  'assets/index-1.js': 'index()',
  'models/tiny/config.json': '{}',
  'models/tiny/model.safetensors': 'weights',
  'docs/index.html': '<h1>Learn</h1>',
  'docs/reference/links.html': '<h1>Links</h1>',
})
const ask = (url: string, change: Partial<PageRequest> = {}) =>
  placeOf({ method: 'GET', mode: 'cors', url: new URL(url, scope).href, range: null, ...change }, build, scope)

describe('a request', () => {
  it('for a listed file is answered from the store that the file belongs to', () => {
    expect(ask('assets/index-1.js')).toMatchObject({
      store: pageStore(build, scope),
      file: { path: 'assets/index-1.js' },
    })
    expect(ask('models/tiny/config.json')?.store.name).toBe(modelStores(build, scope)[0]?.name)
  })

  it('for the page is answered with it, by either of its addresses', () => {
    for (const url of ['', './index.html', './#/explorer?text=a']) {
      expect(ask(url, { mode: 'navigate' })?.file.path).toBe('')
    }
  })

  it('for a page of the documentation is answered with it', () => {
    expect(ask('docs/reference/links.html#views', { mode: 'navigate' })?.file.path).toBe('docs/reference/links.html')
    for (const url of ['docs/', 'docs/index.html'])
      expect(ask(url, { mode: 'navigate' })?.file.path).toBe('docs/index.html')
  })

  it('has a query that changes nothing', () => {
    expect(ask('./?from=afar', { mode: 'navigate' })?.file.path).toBe('')
    expect(ask('assets/index-1.js?x')).toEqual(ask('assets/index-1.js'))
  })

  it('is left to the network where it is for anything else', () => {
    expect(ask('assets/index-2.js')).toBeUndefined()
    expect(ask('sw.js')).toBeUndefined()
    expect(ask('/assets/index-1.js')).toBeUndefined()
    expect(ask('/some/')).toBeUndefined()
    expect(ask('https://other.example/some/deep%20path/assets/index-1.js')).toBeUndefined()
    expect(ask('models/tiny/config.json', { mode: 'navigate' })).toBeUndefined()
    expect(ask('assets/index-1.js', { method: 'POST' })).toBeUndefined()
    expect(ask('models/tiny/model.safetensors', { range: 'bytes=0-3' })).toBeUndefined()
  })
})

describe('caches', () => {
  const names = (of: typeof build, at = scope) => [pageStore(of, at), ...modelStores(of, at)].map(({ name }) => name)

  it('of a build before are outdated, but for models that did not change', () => {
    const next = buildOf('two', {
      '': '<p>new</p>',
      'models/tiny/config.json': '{}',
      'models/tiny/model.safetensors': 'weights',
    })
    expect(outdated(names(build), next, scope)).toEqual([pageStore(build, scope).name])
    const retrained = buildOf('three', { '': '<p>new</p>', 'models/tiny/model.safetensors': 'other weights' })
    expect(outdated(names(build), retrained, scope)).toEqual(names(build))
    expect(outdated(names(build), build, scope)).toEqual([])
  })

  it('of other sites of the origin are none of ours', () => {
    const others = [new URL('/', scope), new URL('/some/', scope), new URL('below/', scope)]
    const all = [...others.flatMap((at) => names(build, at)), 'somebody else’s']
    expect(ownCaches([...all, ...names(build)], scope)).toEqual(names(build))
    expect(outdated(all, buildOf('two', {}), scope)).toEqual([])
  })
})
