import { describe, expect, it, vi } from 'vitest'
import type { LoadOptions } from '../load'
import type { Model } from '../model'
import type { Source } from '../source'
import type { ModelWanted } from './attributes'
import { SharedModels } from './models'

const wanted = (source: string): ModelWanted => ({ source, backend: 'auto', worker: undefined })
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
    const first = models.hold(wanted('a/'), one)
    const second = models.hold(wanted('a/'), other)
    models.hold(wanted('b/'), ignore)
    expect(loads).toHaveLength(2)
    expect(await first.model).toBe(await second.model)
    const progress = { file: 'model.safetensors', loaded: 1, total: 2 }
    loads[0]?.onProgress?.(progress)
    expect(one).toHaveBeenCalledWith(progress)
    expect(other).toHaveBeenCalledWith(progress)
  })

  it('go when the last has gone, and not when one comes back at once', async () => {
    const { models, loads, dispose, wait } = shared()
    const [first, second] = [models.hold(wanted('a/'), ignore), models.hold(wanted('a/'), ignore)]
    await first.model
    first.release()
    await wait()
    expect(dispose).not.toHaveBeenCalled()
    second.release()
    const third = models.hold(wanted('a/'), ignore)
    await wait()
    expect(dispose).not.toHaveBeenCalled()
    expect(loads).toHaveLength(1)
    third.release()
    await wait()
    expect(dispose).toHaveBeenCalledOnce()
    expect(loads[0]?.signal?.aborted).toBe(true)
    await models.hold(wanted('a/'), ignore).model
    expect(loads).toHaveLength(2)
  })

  it('are tried again after a failure', async () => {
    const { models, loads, fail } = shared()
    fail(new Error('gone'))
    await expect(models.hold(wanted('a/'), ignore).model).rejects.toThrow('gone')
    fail(undefined)
    await models.hold(wanted('a/'), ignore).model
    expect(loads).toHaveLength(2)
  })
})
