// The next tokens and their sums while newer ones are on their way.
import { flushSync } from 'svelte'
import { afterAll, expect, it, vi } from 'vitest'
import type { Candidate } from '../../engine/protocol/generation'
import type { RunResult } from '../../engine/protocol/protocol'
import { link, setUp } from '../../testing/fakeBench'
import { soon } from '../../testing/fakeEngine'
import { openView } from '../../testing/openView.svelte'
import type { View } from '../view'
import { predictions } from '.'
import { t } from './messages.en'
import type { PredictionsDrawing } from './picture'

vi.hoisted(() => {
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('matchMedia', () => new EventTarget())
})
afterAll(() => vi.unstubAllGlobals())

/** A causal model's run without logits: the next tokens have a request of their own. */
const result = { rows: Uint32Array.of(1), topIds: new Uint32Array(), topProbabilities: new Float32Array() }

it('says that next tokens and their sums are of an earlier text, or of earlier sampling settings', async () => {
  const { bench, worker } = await setUp(link({ text: 'the dog', 'predictions.sums': 'on' }), { is_decoder: true })
  const run = () => worker().ran(undefined, result as Partial<RunResult>)
  const answer = (...candidates: Candidate[]) =>
    worker().answer(worker().requests('candidates').at(-1)!, { candidates, left: candidates.length })
  const id = (word: string) => bench.engine.model?.tokenizer.encode(word).ids[1] ?? 0
  await run()
  const view = await openView({ bench, complete: soon }, predictions as View)
  const state = () => {
    flushSync()
    const { next, more } = view.picture().drawing as PredictionsDrawing
    return {
      stale: [next?.stale, more?.sums.stale],
      tokens: more?.sums.options.map(({ token }) => token),
      isSaved: view.published()?.tables?.some(({ name }) => name === t().tables.candidates),
    }
  }
  await answer({ id: id('sat'), before: 0.75, after: 0.5 })
  const current = { stale: [false, false], tokens: ['sat'], isSaved: true }
  const stale = { stale: [true, true], tokens: ['sat'], isSaved: false }
  expect(state()).toEqual(current)
  bench.choose({ text: 'the dog on' })
  await soon()
  await run()
  expect(state()).toEqual(stale)
  await answer({ id: id('sat'), before: 0.75, after: 0.5 })
  expect(state()).toEqual(current)
  bench.choose({ temperature: 0.1 })
  await soon()
  expect(state()).toEqual(stale)
  view.close()
})
