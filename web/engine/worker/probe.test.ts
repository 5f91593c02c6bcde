import { describe, expect, it } from 'vitest'
import { adapterKey, chooseBackend, type Surroundings } from './probe'

const adapter = (info: Partial<GPUAdapterInfo>) => ({ info }) as GPUAdapter
const gpu = (found: GPUAdapter | null): Surroundings['gpu'] => ({ requestAdapter: async () => found })
const hardware = gpu(adapter({ vendor: 'nvidia', architecture: 'ampere', description: '', isFallbackAdapter: false }))
const software = gpu(adapter({ vendor: 'google', architecture: 'swiftshader', isFallbackAdapter: true }))
const world = (over: Partial<Surroundings>): Surroundings => ({
  gpu: hardware,
  secure: true,
  simulate: undefined,
  ...over,
})

describe('the backend that is chosen', () => {
  it.each([
    ['auto', {}, 'gpu', 'hardware-adapter'],
    ['gpu', {}, 'gpu', 'choice'],
    ['cpu', {}, 'cpu', 'choice'],
    ['auto', { gpu: undefined }, 'cpu', 'no-webgpu'],
    ['gpu', { gpu: undefined, secure: false }, 'cpu', 'insecure-context'],
    ['auto', { gpu: gpu(null) }, 'cpu', 'no-adapter'],
    ['auto', { gpu: software }, 'cpu', 'fallback-adapter'],
    ['gpu', { gpu: software }, 'gpu', 'choice'],
    ['auto', { simulate: 'no-webgpu' }, 'cpu', 'no-webgpu'],
    ['gpu', { simulate: 'no-adapter' }, 'cpu', 'no-adapter'],
    ['auto', { simulate: 'fallback-adapter' }, 'cpu', 'fallback-adapter'],
    ['auto', { gpu: gpu(null), simulate: 'fallback-adapter' }, 'cpu', 'fallback-adapter'],
    ['auto', { gpu: gpu(null), simulate: 'device-refused' }, 'gpu', 'hardware-adapter'],
    ['auto', { gpu: software, simulate: 'device-refused' }, 'gpu', 'hardware-adapter'],
  ] as const)('%s with %j: %s, %s', async (choice, over, backend, reason) => {
    expect(await chooseBackend(choice, world(over))).toMatchObject({ backend, reason })
  })

  it('names the adapter by what the browser gives, and by nothing else', async () => {
    const info = await chooseBackend('auto', world({}))
    expect(info).toEqual({ backend: 'gpu', reason: 'hardware-adapter', vendor: 'nvidia', architecture: 'ampere' })
    const bare = { requestAdapter: async () => ({}) as GPUAdapter }
    expect(await chooseBackend('auto', world({ gpu: bare }))).toEqual({ backend: 'gpu', reason: 'hardware-adapter' })
  })

  it('says what the browser said when it threw', async () => {
    const throwing = { requestAdapter: () => Promise.reject(new TypeError('blocklisted')) }
    expect(await chooseBackend('auto', world({ gpu: throwing }))).toEqual({
      backend: 'cpu',
      reason: 'no-adapter',
      detail: 'blocklisted',
    })
  })
})

describe('what an adapter is remembered by', () => {
  const names = { vendor: 'nvidia', architecture: 'ampere', device: '0x2684', adapter: 'RTX 4090' }

  it('is another for any other name, and for another build', () => {
    const keys = [
      adapterKey(names, 'a'),
      adapterKey(names, 'b'),
      ...Object.keys(names).map((name) => adapterKey({ ...names, [name]: 'other' }, 'a')),
      ...Object.keys(names).map((name) => adapterKey({ ...names, [name]: undefined }, 'a')),
    ]
    expect(new Set(keys).size).toBe(10)
    expect(keys).not.toContain(undefined)
    expect(adapterKey({ ...names }, 'a')).toBe(keys[0])
  })

  it('is nothing where the browser names nothing, and while the engine is developed', () => {
    expect(adapterKey({}, 'a')).toBeUndefined()
    expect(adapterKey({ vendor: '', architecture: '' }, 'a')).toBeUndefined()
    expect(adapterKey(names, undefined)).toBeUndefined()
  })
})
