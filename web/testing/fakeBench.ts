// A bench with a fake worker and a loaded model, in a window with a link and a history that work.
import type { ModelInfo } from '../engine/protocol/protocol'
import { Bench } from '../session/bench.svelte'
import { EngineState } from '../session/engine.svelte'
import { FakeWorker, soon } from './fakeEngine'
import type { AddressWindow } from '../viewstate/address'

export const text = 'the dog sat on the floor'
export const link = (values: Record<string, string> = {}) => `#${new URLSearchParams({ text, ...values })}`

/** @param before runs before the model is there */
export async function setUp(hash = link(), model: Partial<ModelInfo> = {}, before: (bench: Bench) => void = () => {}) {
  const workers: FakeWorker[] = []
  const engine = new EngineState(() => {
    workers.push(new FakeWorker())
    return workers.at(-1) as FakeWorker
  })
  const history = fakePlace(hash)
  const bench = new Bench(engine, history.place)
  engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: [] })
  await soon()
  const worker = () => workers.at(-1) as FakeWorker
  before(bench)
  await worker().loaded(model)
  const runs = () => worker().requests('run')
  const tokens = () => bench.run?.reading.tokens.join(' ')
  const queryToken = () => bench.run?.reading.tokens[bench.cursor.query]
  return { bench, engine, worker, workers, runs, history, tokens, queryToken }
}

export function fakePlace(hash = '') {
  const entries: { hash: string; state: unknown }[] = [{ hash, state: null }]
  const listeners: Record<string, () => void> = {}
  let at = 0
  let refused = false
  const entry = () => entries[at] ?? { hash: '', state: null }
  const place: AddressWindow = {
    location: {
      get hash() {
        return entry().hash
      },
    },
    history: {
      get state() {
        return entry().state
      },
      pushState(state: unknown, _: string, url: string) {
        if (refused) throw new DOMException('', 'SecurityError')
        entries.splice(++at, Infinity, { hash: url, state })
      },
      replaceState(state: unknown, _: string, url: string) {
        if (refused) throw new DOMException('', 'SecurityError')
        entries[at] = { hash: url, state }
      },
    },
    addEventListener: (type, listener) => void (listeners[type] = listener),
  }
  /** Steps back or ahead. */
  const go = (steps: number) => {
    const before = entry().hash
    at += steps
    listeners['popstate']?.()
    if (entry().hash !== before) listeners['hashchange']?.()
  }
  /** Follows a link within the page. */
  const follow = (to: string) => {
    entries.splice(++at, Infinity, { hash: to, state: null })
    listeners['popstate']?.()
    listeners['hashchange']?.()
  }
  /** Whether the browser writes no entries, as Safari does after a hundred within half a minute. */
  const refuse = (now: boolean) => (refused = now)
  return { place, entries, go, follow, refuse, leave: () => listeners['pagehide']?.() }
}
