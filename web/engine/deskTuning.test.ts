import { expect, it, vi } from 'vitest'
import { known, soon, started } from './fakeDesk'

/** Names of calls, without the runs whose number is the clock's. */
const tuned = (calls: readonly { name: string }[]) =>
  calls.map(({ name }) => name).filter((name) => /^(forms|tuning|try|learn|tuner|run)/.test(name))

it('a new engine takes the forms that are known of its adapter', async () => {
  const forms = [
    { adapter: 'another', forms: 'of another' },
    { adapter: known, forms: 'known' },
  ]
  const { calls } = await started({ forms })
  expect(tuned(calls)).toEqual(['forms known'])
})

it('forms are tried one by one, and whatever else is asked for goes in between', async () => {
  const { ask, run, runs, posted, calls } = await started({
    texts: [
      [32, 0],
      [1, 63],
    ],
  })
  ask(2, 'tune', { model: 1, anew: false })
  run(3)
  await vi.waitFor(() => expect(runs.length).toBe(1))
  await soon()
  // The run that was asked for meanwhile goes before the next trial.
  expect(tuned(calls)).toEqual(['tuning', 'try', 'learn 5 true', 'run'])
  runs[0]?.end.resolve()
  await vi.waitFor(() => expect(posted.at(-1)).toMatchObject({ type: 'answer', id: 2, answer: { left: 0 } }))
  expect(tuned(calls).slice(4)).toEqual(['try', 'learn 5 true', 'try', 'tuner freed', 'forms of 0'])
  // Each text is as long as the engine says.
  const texts = calls.map(({ name }) => name).filter((name) => name.startsWith('made-up'))
  const zeros = (count: number, from: string) => `made-up ${new Array(count).fill(0).join()} 1 ${from} 0 `
  expect(texts.length).toBeGreaterThanOrEqual(8)
  expect(texts[0]?.startsWith(zeros(32, ''))).toBe(true)
  expect(texts.at(-1)?.startsWith(zeros(64, '63'))).toBe(true)
})

it('what was found is used where trials are stopped', async () => {
  const { ask, desk, posted, calls } = await started({
    texts: [
      [32, 0],
      [64, 0],
      [128, 0],
    ],
    takesIn: false,
  })
  ask(2, 'tune', { model: 1, anew: false })
  await vi.waitFor(() => expect(posted.at(-1)).toMatchObject({ type: 'part', id: 2 }))
  desk.receive({ type: 'stop', id: 2 })
  await vi.waitFor(() => expect(posted.at(-1)).toMatchObject({ id: 2, why: 'stopped' }))
  await soon()
  expect(tuned(calls).slice(-2)).toEqual(['tuner freed', 'forms of 2'])
})

it('a form that fails is dropped; anew, nothing is known; of a model that is not there nothing is tried', async () => {
  const { ask, posted, calls } = await started({ texts: [[7, 0]] })
  ask(2, 'tune', { model: 1, anew: true })
  await vi.waitFor(() => expect(posted.at(-1)).toMatchObject({ type: 'answer', id: 2 }))
  expect(tuned(calls)).toEqual(['forms ', 'tuning', 'try', 'learn  false', 'try', 'tuner freed', 'forms of 0'])
  ask(3, 'tune', { model: 7, anew: false })
  await vi.waitFor(() => expect(posted.at(-1)).toMatchObject({ id: 3, why: 'gone' }))
  expect(tuned(calls).length).toBe(7)
})
