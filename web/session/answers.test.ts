import { expect, it } from 'vitest'
import { AnswerCache, Answers, bytesOf } from './answers'

const map = (run: number, bytes: number) => ({ run, numbers: new Uint8Array(bytes) })

it('counts the bytes of all rows of numbers in an answer', () => {
  expect(bytesOf(new Float32Array(3))).toBe(12)
  expect(bytesOf([{ theta: new Float64Array(2), scores: new Float64Array(1) }])).toBe(24)
})

it('holds no more bytes than it may, and drops what was not looked at for longest', () => {
  const cache = new AnswerCache(100)
  cache.add('a', new Uint8Array(40), undefined)
  cache.add('b', new Uint8Array(40), undefined)
  expect(cache.get('a')).toBeDefined()
  cache.add('c', new Uint8Array(40), undefined)
  expect(['a', 'b', 'c'].map((name) => cache.get(name) !== undefined)).toEqual([true, false, true])
  expect(cache.bytes).toBe(80)
  cache.add('d', new Uint8Array(101), undefined)
  expect([cache.get('d'), cache.bytes]).toEqual([undefined, 80])
  cache.add('a', new Uint8Array(1), undefined)
  expect(cache.bytes).toBe(41)
})

it('drops answers of runs that are gone, and keeps those of none', () => {
  const cache = new AnswerCache(1000)
  cache.add('of none', new Uint8Array(1), undefined)
  for (const run of [1, 2, 3]) cache.add(`of ${run}`, map(run, 10), run)
  expect(cache.get('of 1')).toBeUndefined()
  cache.add('late', map(1, 10), 1)
  expect(cache.get('late')).toBeUndefined()
  expect([cache.get('of none'), cache.get('of 2'), cache.get('of 3')].every(Boolean)).toBe(true)
})

it('displaces nothing that was measured of a model, and forgets it with the worker', () => {
  const engine = { client: { ask: () => new Promise<never>(() => {}) }, generation: 1 }
  const answers = new Answers(engine)
  answers.addMeasured('losses', new Uint8Array(1), undefined)
  for (const run of [1, 2]) answers.addMeasured(`heads of ${run}`, new Uint8Array(64 << 20), run)
  expect(['losses', 'heads of 1', 'heads of 2'].map((name) => answers.measured(name) !== undefined)).toEqual([
    true,
    false,
    true,
  ])
  engine.generation++
  expect(answers.measured('losses')).toBeUndefined()
})
