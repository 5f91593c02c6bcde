import { describe, expect, it } from 'vitest'
import { decode, encode } from '../../viewstate/codec'
import type { Choice } from '../../viewstate/choice'
import { plainText } from '../../i18n/rich'
import { t as stories } from './stories.en'
import { begin, ended, left, stepOf, steps, turn } from './tour'

const choice: Choice = {
  ...decode(''),
  text: 'Something of one’s own.',
  layer: 1,
  head: 3,
  pair: 5,
  offset: 40,
  ablated: [{ layer: null, head: null, pairs: [2] }],
  ablatedHeads: [{ layer: 0, head: 1 }],
  open: ['lines', 'shift'],
  viewParams: { 'map.kind': 'score', later: 'x' },
}

describe('the tour', () => {
  it('has four steps, each two sentences and a link that opens it', () => {
    expect(steps.map(({ id }) => id)).toEqual(Object.keys(stories().tour.steps))
    for (const { id, scene } of steps) {
      expect(decode(encode({ ...decode(''), ...scene }))).toMatchObject(scene)
      // A decimal point ends no sentence.
      expect(plainText(stories().tour.steps[id].text).match(/\.(?!\d)/g)).toHaveLength(2)
    }
    expect(steps).toHaveLength(4)
  })

  it('goes on and back and stops at its ends', () => {
    const first = begin(choice)
    expect(stepOf(first).id).toBe('map')
    expect(stepOf(turn(first, 2)).id).toBe('mute')
    expect(turn(first, -1).at).toBe(0)
    expect(turn(first, 4).at).toBe(3)
    expect(turn(turn(first, 3), 2).before).toBe(first.before)
  })

  it('leaves no trace, whichever step it is closed at', () => {
    for (const at of steps.keys()) {
      const tour = turn(begin(choice), at)
      const steps = { ...choice, ...stepOf(tour).scene }
      expect(left(tour, steps)).toBe(false)
      expect({ ...steps, ...ended(tour, steps) }).toEqual(choice)
    }
  })

  it('leaves chosen what the visitor chose on the way', () => {
    const tour = turn(begin(choice), 1)
    const steps = { ...choice, ...stepOf(tour).scene, head: 7, viewParams: { 'score.bound': 'on' } }
    expect({ ...steps, ...ended(tour, steps) }).toEqual({
      ...choice,
      head: 7,
      viewParams: { ...choice.viewParams, 'score.bound': 'on' },
    })
  })

  it('is over when another text is written, and gives nothing of it up', () => {
    const tour = turn(begin(choice), 2)
    const written = { ...choice, ...stepOf(tour).scene, text: 'Typed by hand', query: 2 }
    expect(left(tour, written)).toBe(true)
    const after = { ...written, ...ended(tour, written) }
    expect([after.text, after.layer, after.head, after.query]).toEqual(['Typed by hand', 2, 6, 2])
    expect([after.ablated, after.open, after.ablatedHeads]).toEqual([choice.ablated, choice.open, choice.ablatedHeads])
  })
})
