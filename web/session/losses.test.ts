import { expect, it } from 'vitest'
import { addedBy, firstRound, meanOf, nextStep } from './losses'

it('a mean is weighted by the tokens it is over', () => {
  expect(meanOf([])).toBeUndefined()
  expect(meanOf([{ mean: NaN, labels: 0 }])).toBeUndefined()
  const steps = [
    { mean: 1, labels: 1 },
    { mean: NaN, labels: 0 },
    { mean: 5, labels: 3 },
  ]
  expect(meanOf(steps)).toEqual({ mean: 4, labels: 4 })
  expect(meanOf(steps, 2)).toEqual({ mean: 1, labels: 1 })
})

it('what a change adds is told of the tokens that both were measured on', () => {
  const fiveTimes = <T>(...steps: T[]) => Array.from({ length: 5 }, () => steps).flat()
  const baseline = [...fiveTimes({ mean: 1, labels: 10 }, { mean: 3, labels: 30 }), { mean: 100, labels: 10 }]
  const changed = fiveTimes({ mean: 2, labels: 10 }, { mean: 5, labels: 30 })
  // Steps of 10 and 30 labels add 1 and 2, 0.75 below and 0.25 above the mean.
  const error = Math.sqrt((10 / 9) * 5 * ((10 * 0.75) ** 2 + (30 * 0.25) ** 2)) / 200
  expect(addedBy(baseline, changed)).toEqual({
    before: 2.5,
    added: 4.25 - 2.5,
    error: expect.closeTo(error),
    labels: 200,
  })
  expect(addedBy(baseline, changed.slice(0, 9))?.error).toBeUndefined()
  const same = addedBy(
    baseline,
    baseline.map(({ mean, labels }) => ({ mean: mean + 0.5, labels })),
  )
  expect(same).toMatchObject({ added: 0.5, error: 0 })
  expect(addedBy([], changed)).toBeUndefined()
})

it('a first look at everything comes before a second at anything', () => {
  const input = new Map([
    ['', 12],
    ['a', 12],
    ['b', firstRound],
  ])
  const done = new Map<string, number>()
  const order: string[] = []
  for (;;) {
    const next = nextStep(input, (name) => done.get(name) ?? 0)
    if (!next) break
    expect(next.step).toBe(done.get(next.name) ?? 0)
    done.set(next.name, next.step + 1)
    order.push(next.name)
  }
  expect(order.slice(0, 3 * firstRound).sort()).toEqual(['', 'a', 'b'].flatMap((name) => Array(firstRound).fill(name)))
  expect(order.slice(3 * firstRound)).toEqual([...Array(8).fill(''), ...Array(8).fill('a'), '', '', 'a', 'a'])
  expect(Object.fromEntries(done)).toEqual({ '': 12, a: 12, b: firstRound })
})
