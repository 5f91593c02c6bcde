import { expect, it, vi } from 'vitest'
import type { HelperRequest, HelperStart } from '../protocol/messages'
import { provideHelpers } from './helpers'

/** Enough of a worker; `fails`: its code does not load. */
class FakeWorker extends EventTarget {
  onmessage: (() => void) | null = null
  onerror: ((event: { message: string; preventDefault(): void }) => void) | null = null
  readonly postMessage = vi.fn()
  readonly terminate = vi.fn()

  constructor(fails?: boolean) {
    super()
    if (fails !== undefined)
      queueMicrotask(() =>
        fails ? this.onerror?.({ message: 'no code', preventDefault: () => {} }) : this.onmessage?.(),
      )
  }
}

/** An engine's worker whose page creates helpers, of which some fail. */
function setUp(fails: boolean[]) {
  const worker = new FakeWorker()
  // `provideHelpers` replaces it.
  const { terminate } = worker
  const helpers: FakeWorker[] = []
  const provided = provideHelpers(worker as unknown as Worker, () => {
    helpers.push(new FakeWorker(fails[helpers.length]))
    return helpers.at(-1) as unknown as Worker
  })
  const request = async (data: HelperRequest) => {
    worker.dispatchEvent(new MessageEvent('message', { data }))
    await new Promise((resolve) => setTimeout(resolve))
  }
  const ended = () => helpers.map(({ terminate }) => terminate.mock.calls.length)
  return { worker, terminate, provided, helpers, request, ended }
}

it('creates helpers, starts each with its message, and ends them with the worker', async () => {
  const { worker, terminate, provided, helpers, request, ended } = setUp([false, false])
  // As the worker itself sees it: the host's messages go by.
  await request({ type: 'threads' } as unknown as HelperRequest)
  expect(helpers).toHaveLength(0)
  await request({ type: 'createHelpers', count: 2 })
  expect(worker.postMessage.mock.calls).toEqual([[{ type: 'helpers', created: true }]])
  const starts = [1, 2].map((thread) => ({ thread, pool: 8 }) as HelperStart)
  await request({ type: 'startHelpers', starts })
  expect(helpers.map(({ postMessage }) => postMessage.mock.calls)).toEqual(starts.map((start) => [[start]]))
  expect(ended()).toEqual([0, 0])
  provided.terminate()
  expect(ended()).toEqual([1, 1])
  expect(terminate).toHaveBeenCalledOnce()
})

it('leaves no helper behind where one has no code, or the engine refuses them', async () => {
  const oneFails = setUp([false, true, false])
  await oneFails.request({ type: 'createHelpers', count: 3 })
  expect(oneFails.worker.postMessage.mock.calls).toEqual([[{ type: 'helpers', created: false }]])
  expect(oneFails.ended()).toEqual([1, 1, 1])
  const refused = setUp([false])
  await refused.request({ type: 'createHelpers', count: 1 })
  await refused.request({ type: 'endHelpers' })
  expect(refused.ended()).toEqual([1])
})

it('reports that it can create none, as under a policy that forbids workers', async () => {
  const worker = new FakeWorker()
  provideHelpers(worker as unknown as Worker, () => {
    throw new Error('refused by the policy')
  })
  worker.dispatchEvent(new MessageEvent('message', { data: { type: 'createHelpers', count: 1 } }))
  await new Promise((resolve) => setTimeout(resolve))
  expect(worker.postMessage.mock.calls).toEqual([[{ type: 'helpers', created: false }]])
})
