import { expect, it } from 'vitest'
import { known, soon, started } from './fakeDesk'
import type { TuningStep } from './protocol'

const gains = [{ tokens: 32, before: 2, after: 1, changed: 1 }]
const step = (left: number, texts: number, forms: string, of = gains): TuningStep => ({ left, texts, forms, gains: of })

it('a new engine takes the forms that are known of its adapter', async () => {
  const forms = [
    { adapter: 'another', forms: 'of another' },
    { adapter: known, forms: 'known' },
  ]
  const { calls } = await started({ forms })
  expect(calls.map(({ name }) => name).filter((name) => name.startsWith('forms'))).toEqual(['forms known'])
})

it('forms are tried one by one, and whatever else is asked for goes in between', async () => {
  const { ask, run, runs, steps, posted, said, calls } = await started()
  ask(2, 'tune', { model: 1, anew: false })
  await soon()
  run(3)
  steps[0]?.resolve(JSON.stringify(step(1, 1, 'a', [])))
  await soon()
  // The run that was asked for meanwhile goes before the next trial.
  expect(steps.length).toBe(1)
  runs[0]?.end.resolve()
  await soon()
  expect(said().slice(-2)).toEqual(['tune 2 part', 'run 3'])
  steps[1]?.resolve(JSON.stringify(step(0, 1, 'b')))
  await soon()
  steps[2]?.resolve(JSON.stringify(step(0, 0, 'c')))
  await soon()
  expect(posted.at(-1)).toMatchObject({ type: 'answer', id: 2, answer: step(0, 0, 'c') })
  expect(calls.slice(-2).map(({ name }) => name)).toEqual(['tuner freed', 'forms c'])
})

it('what was found is used where trials are stopped', async () => {
  const { ask, desk, steps, posted, calls } = await started()
  ask(2, 'tune', { model: 1, anew: false })
  await soon()
  steps[0]?.resolve(JSON.stringify(step(3, 1, 'so far')))
  await soon()
  desk.receive({ type: 'stop', id: 2 })
  steps[1]?.resolve(JSON.stringify(step(2, 1, 'later')))
  await soon()
  expect(posted.at(-1)).toMatchObject({ type: 'answer', id: 2, answer: null })
  const names = calls.map(({ name }) => name)
  expect(names.slice(-2)).toEqual(['tuner freed', 'forms later'])
})

it('anew, nothing is known; of a model that is not there nothing is tried', async () => {
  const { ask, steps, posted, calls } = await started()
  ask(2, 'tune', { model: 1, anew: true })
  await soon()
  expect(calls.slice(-3).map(({ name }) => name)).toEqual(['forms ', 'tuning', 'try'])
  steps[0]?.resolve(JSON.stringify(step(0, 0, '')))
  await soon()
  ask(3, 'tune', { model: 7, anew: false })
  await soon()
  expect(posted.at(-1)).toMatchObject({ type: 'answer', id: 3, answer: null })
  expect(steps.length).toBe(1)
})
