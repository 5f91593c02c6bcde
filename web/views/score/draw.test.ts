import { describe, expect, it } from 'vitest'
import type { Mark } from '../../charts/marks'
import { en } from '../../i18n/en'
import { drawFall, planFall, stepAt } from './draw'
import { waterfall, type Check } from './model'

const parts = Float64Array.of(6, 1, -3, 0.5)
const wavelengths = Float64Array.of(2, 20, 200, Infinity).map((turns) => turns * Math.PI)
const fall = waterfall(parts, wavelengths)
const box = { x: 0, y: 0, width: 360, height: 200 }
const plan = planFall(box, fall)
const agrees: Check = { state: 'agrees', by: 0 }

function drawn(over: { chosen?: number | null; pointed?: number | null; check?: Check } = {}): Mark[] {
  return drawFall(plan, fall, { chosen: null, pointed: null, check: agrees, ...over }, en.score)
}
const texts = (marks: readonly Mark[]) => marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
const filled = (marks: readonly Mark[], fill: string) =>
  marks.filter((mark) => mark.kind === 'rect' && mark.fill === fill)

describe('the waterfall as marks', () => {
  it('draws each part from the sum before it to the sum after it', () => {
    const bars = drawn().filter((mark) => mark.kind === 'rect')
    fall.steps.forEach(({ from, to }, rank) => {
      const bar = bars[rank]
      expect(bar).toMatchObject({ x: plan.left + rank * plan.pitch, y: Math.min(plan.y(from), plan.y(to)) })
      expect(bar?.kind === 'rect' && bar.height).toBeCloseTo(Math.abs(plan.y(from) - plan.y(to)), 9)
    })
    expect([filled(bars, 'positive').length, filled(bars, 'negative').length]).toEqual([3, 1])
  })

  it('ends at the total, and says whether it is the model’s', () => {
    expect(texts(drawn())).toEqual(expect.arrayContaining(['4.50', ...en.score.agrees]))
    const off = texts(drawn({ check: { state: 'differs', by: 0.25 } }))
    expect(off).toContain('0.25')
    expect(off).not.toContain(en.score.agrees[1])
    expect(texts(drawn({ check: { state: 'unchecked', by: 0 } }))).not.toContain(en.score.agrees[1])
  })

  it('has its wavelengths at decades, and a place for what does not turn', () => {
    expect(texts(drawn())).toEqual(expect.arrayContaining(['6.3', '63', '628', '∞']))
  })

  it('names the pair that does most, or the chosen one', () => {
    expect(texts(drawn())).toContain('pair 0 alone: +6.00')
    const chosen = drawn({ chosen: 2 })
    expect(texts(chosen)).toContain('pair 2 alone: −3.00')
    expect(chosen.filter((mark) => mark.kind === 'rect' && mark.stroke === 'ink')).toHaveLength(1)
  })

  it('finds the pair under the pointer', () => {
    expect(stepAt(plan.left, plan, fall)?.pair).toBe(0)
    expect(stepAt(plan.right - 1, plan, fall)?.pair).toBe(3)
    expect(stepAt(plan.left - 1, plan, fall)).toBeUndefined()
    expect(stepAt(plan.right, plan, fall)).toBeUndefined()
  })

  it('has an axis for a score of nothing', () => {
    const none = waterfall([0, 0], [6.28, 62.8])
    const marks = drawFall(planFall(box, none), none, { chosen: null, pointed: null, check: agrees }, en.score)
    expect(texts(marks)).toContain('0.00')
  })
})
