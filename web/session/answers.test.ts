import { expect, it } from 'vitest'
import { failure } from '../engine/protocol/failure'
import { Answers, bytesOf, type Listener } from './answers'
import { soon } from '../testing/fakeEngine'

it('counts the bytes of all rows of numbers in an answer', () => {
  expect(bytesOf(new Float32Array(3))).toBe(12)
  expect(bytesOf([{ theta: new Float64Array(2), scores: new Float64Array(1) }])).toBe(24)
  expect(bytesOf(new Map([['x', { small: new Uint8Array(5) }]]))).toBe(8 + 5)
  expect(bytesOf({ few: new Set([new Float32Array(2), new Float32Array(1)]), buffer: new ArrayBuffer(7) })).toBe(19)
})

it('holds no more bytes than it may, and drops what was not used for longest', () => {
  const answers = new Answers(100)
  const add = (name: string, bytes: number) => answers.add(name, undefined, new Uint8Array(bytes))
  add('a', 40)
  add('b', 40)
  add('a', 40)
  add('c', 40)
  expect([answers.names, answers.bytes]).toEqual([['a', 'c'], 80])
  add('a', 1)
  expect(answers.bytes).toBe(41)
})

it('counts what is on show: it stays, however large, and other answers give way to it', () => {
  const answers = new Answers(100)
  const [one, other] = [{}, {}]
  for (const name of ['a', 'b']) answers.add(name, undefined, new Uint8Array(40))
  answers.show(one, 'large')
  answers.add('large', undefined, new Uint8Array(130))
  expect([answers.names, answers.bytes]).toEqual([['large'], 130])
  answers.show(other, 'large')
  answers.show(one, 'a')
  answers.add('a', undefined, new Uint8Array(40))
  expect(answers.names).toEqual(['large', 'a'])
  answers.show(other, undefined)
  expect([answers.names, answers.bytes]).toEqual([['a'], 40])
})

it('drops answers of runs that are gone, and keeps those of none', () => {
  const answers = new Answers(1000)
  answers.add('of none', undefined, new Uint8Array(1))
  for (const run of [1, 2, 3]) answers.add(`of ${run}`, run, new Uint8Array(10))
  answers.add('late', 1, new Uint8Array(10))
  expect([answers.names, answers.bytes]).toEqual([['of none', 'of 2', 'of 3'], 21])
})

it('displaces nothing that was measured of a model, and forgets it with the worker', () => {
  const answers = new Answers(10)
  answers.ofModel.set('losses', new Uint8Array(1))
  for (const run of [1, 2]) answers.add(`heads of ${run}`, run, new Uint8Array(10))
  expect([answers.ofModel.get('losses') !== undefined, answers.names]).toEqual([true, ['heads of 2']])
  answers.forget()
  expect([answers.ofModel.get('losses'), answers.names, answers.bytes]).toEqual([undefined, [], 0])
})

it('fails for all that wait, and is measured again for the next', async () => {
  const answers = new Answers()
  const heard: string[] = []
  const listener = (name: string): Listener<number> => ({
    receive: (value) => heard.push(`${name} ${value}`),
    fail: ({ message }) => heard.push(`${name} ${message}`),
    lose: () => heard.push(`${name} lost`),
  })
  let broken = true
  const source = {
    run: undefined,
    once: true,
    async *measure() {
      if (broken) throw failure('gpu', 'refused')
      yield 7
    },
  }
  const ends = ['one', 'other'].map((name) => answers.follow('x', source, listener(name)))
  await soon()
  expect(heard).toEqual(['one refused', 'other refused'])
  for (const end of ends) end()
  expect(answers.names).toEqual([])
  broken = false
  answers.follow('x', source, listener('third'))
  await soon()
  expect(heard.slice(2)).toEqual(['third 7'])
})
