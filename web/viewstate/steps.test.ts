import { describe, expect, it } from 'vitest'
import { Steps } from './steps.svelte'

describe('what was chosen', () => {
  it('is undone and done again, step by step', () => {
    const steps = new Steps<string>()
    steps.add('a', 'head')
    steps.add('b', 'text')
    expect([steps.undo('c'), steps.undo('b'), steps.undo('a')]).toEqual(['b', 'a', undefined])
    expect([steps.redo('a'), steps.redo('b'), steps.redo('c')]).toEqual(['b', 'c', undefined])
    expect(steps.undo('c')).toBe('b')
  })

  it('is one step where changes of one kind follow each other', () => {
    const steps = new Steps<number>()
    for (const state of [1, 2, 3]) steps.add(state, 'query')
    steps.add(4, 'text')
    steps.beginStep()
    steps.add(5, 'text')
    expect([steps.undo(6), steps.undo(5), steps.undo(4), steps.undoable.undo]).toEqual([5, 4, 1, false])
  })

  it('is not done again after something else was chosen', () => {
    const steps = new Steps<string>()
    steps.add('a', 'x')
    expect(steps.undo('b')).toBe('a')
    steps.add('a', 'y')
    expect([steps.undoable.redo, steps.undo('c')]).toEqual([false, 'a'])
  })
})
