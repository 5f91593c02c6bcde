import { expect, it } from 'vitest'
import { next, type Point, type Hold, type Touching } from './pointer'

const at = (x: number, y = 0): Point => ({ x, y })
const down = (...fingers: Point[]): Touching => ({ type: 'down', fingers })
const move = (...fingers: Point[]): Touching => ({ type: 'move', fingers })
const up = (...fingers: Point[]): Touching => ({ type: 'up', fingers })
const rested: Touching = { type: 'rested' }
const after = (...all: Touching[]) => all.reduce<Hold>(next, { is: 'none' })

it('a finger that rests holds, and goes on holding where it is moved then', () => {
  expect(after(down(at(5))).is).toBe('waiting')
  expect(after(down(at(5)), move(at(9)), rested)).toEqual({ is: 'hovering', x: 5, y: 0 })
  expect(after(down(at(5)), rested, move(at(200, 80)))).toEqual({ is: 'hovering', x: 200, y: 80 })
})

it('a finger that goes on before scrolls, and a tap chooses', () => {
  expect(after(down(at(5)), move(at(16)), rested).is).toBe('none')
  expect(after(down(at(5)), up(), rested).is).toBe('none')
  expect(after(down(at(5)), rested, up()).is).toBe('none')
})

it('two fingers never hold, nor the one that stays of them', () => {
  expect(after(down(at(5)), down(at(5), at(90)), rested).is).toBe('none')
  expect(after(down(at(5)), rested, down(at(5), at(90))).is).toBe('none')
  expect(after(down(at(5)), down(at(5), at(90)), up(at(5)), move(at(5)), rested).is).toBe('none')
})
