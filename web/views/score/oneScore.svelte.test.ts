import { flushSync } from 'svelte'
import { expect, it } from 'vitest'
import { Bench } from '../../session/bench.svelte'
import { EngineState } from '../../session/engine.svelte'
import { FakeWorker, soon } from '../../session/fakeEngine'
import { fakePlace } from '../../viewstate/fakePlace'
import { rooted } from '../../session/rooted.svelte'
import { OneScore } from './oneScore.svelte'

it('is dimmed from the choice of another key until that is explained, and shows the former meanwhile', async () => {
  const worker = new FakeWorker()
  const engine = new EngineState(() => worker)
  const link = new URLSearchParams({ text: 'the dog sat on the floor', query: '3', key: '2' })
  const bench = new Bench(engine, fakePlace(`#${link}`).place)
  engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: [] })
  await soon()
  await worker.loaded()
  await worker.ran()
  const { made: score, end } = rooted<undefined>(undefined).make(() => new OneScore(bench, () => false))
  let answered = 0
  const answer = async () => {
    flushSync()
    for (const asked of worker.asked('explain').slice(answered)) {
      const { maxDistance } = asked.params
      const parts = Float64Array.of(0.5)
      const sweep = new Float64Array(2 * maxDistance + 1)
      await worker.answer(asked, { parts, running: parts, score: 0.5, sweep, steepest: 0, maxDistance })
      answered++
    }
    flushSync()
  }
  expect([score.stale, score.explained]).toEqual([false, undefined])
  await answer()
  expect([score.stale, score.explained?.key]).toEqual([false, 2])
  bench.choose({ key: 4 })
  flushSync()
  expect([score.stale, score.explained?.key]).toEqual([true, 2])
  await answer()
  expect([score.stale, score.explained?.key]).toEqual([false, 4])
  end()
})
