// What all figures of Read hold to: marks within their room, whatever its size, in every edition; and their messages.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ramp } from '../charts/colour'
import type { Scene } from '../charts/marks'
import { diverging } from '../styles/colours'
import { read as en } from '../i18n/en/read'
import { read as hu } from '../i18n/hu'
import { read as ko } from '../i18n/ko'
import { languages } from '../i18n/language'
import { drawSpeeds, middleOf, pairAt, planSpeeds } from './speeds/draw'
import { edges, farthest, handsOf, mostDials, openPairs, paintMap, shownPairs } from './speeds/model'
import { drawDials, newAngles, reachesOf } from './stretch/dials'
import {
  compared,
  countsOf,
  drawScores,
  drawStretch,
  drawWavelengths,
  longRopeHead,
  numbersOf,
  unseen,
} from './stretch/model'

const editions = [en, ko, hu]
const rooms = [
  { width: 350, height: 330 },
  { width: 820, height: 620 },
  { width: 1700, height: 1000 },
]
const palette = ramp(diverging.light)
const theta = Float64Array.from({ length: 32 }, (_, pair) => 10_000 ** (-pair / 32))
const turn = 2 * Math.PI

function within({ width, height, marks }: Scene): void {
  for (const mark of marks) {
    if (mark.kind === 'text') {
      expect(mark.x).toBeGreaterThanOrEqual(-1)
      expect(mark.x).toBeLessThanOrEqual(width + 1)
      expect(mark.y).toBeGreaterThan(0)
      expect(mark.y).toBeLessThanOrEqual(height + 1)
    } else if (mark.kind === 'circle') {
      expect(mark.x + mark.r).toBeLessThanOrEqual(width + 1)
      expect(mark.y + mark.r).toBeLessThanOrEqual(height + 1)
    } else if (mark.kind === 'raster') {
      expect(mark.pixels.length).toBe(4 * mark.columns * mark.rows)
      expect(mark.x + mark.width).toBeLessThanOrEqual(width + 1)
    }
  }
}

const everywhere = (draw: (room: { width: number; height: number }, said: typeof en.figures) => Scene) => {
  for (const room of rooms) for (const { figures } of editions) within(draw(room, figures))
}

const folders = readdirSync('web/figures', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `web/figures/${name}`)
const messageFiles = folders
  .filter((folder) => existsSync(`${folder}/messages.en.ts`))
  .flatMap((folder) => languages.map((language) => `${folder}/messages.${language}.ts`))

describe('messages of figures', () => {
  it.each([...messageFiles, ...['en/read', 'ko', 'hu'].map((edition) => `web/i18n/${edition}/figures.ts`)])(
    'have no number but in sources and names: %s',
    (file) => {
      const typed = readFileSync(file, 'utf8')
        .replace(/source:\s*(?:'[^']*'|`[^`]*`)/g, '')
        .split('\n')
        .filter((line) => {
          if (/source: |^const |^import /.test(line)) return false
          const words = line
            .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
            .replace(/decimal\([^()]*\)/g, '')
            .replace(/Llama 3\.1|Phi-3|T5|b?f(16|32)|: 1 |1-nél|1이면|10분의 1|(?:seconds [</]|===) \d+/g, '')
          return /\d/.test(words)
        })
      expect(typed).toEqual([])
    },
  )
})

describe('the figure of many speeds', () => {
  const turning = { theta, m: 18, n: 6, context: 512, rows: undefined, most: 32 }

  it('has hands at their positions’ angles, and counts those that never close', () => {
    const hands = handsOf(turning)
    expect(hands[0]?.query.angle).toBe(18)
    expect(hands[0]?.wavelength).toBeCloseTo(turn)
    expect(openPairs(theta, 512)).toBe(16)
    expect(hands.filter(({ reach }) => reach < turn - 1e-9).length).toBe(16)
    expect(shownPairs(64, 32)).toHaveLength(32)
    expect(shownPairs(32, mostDials(350))).toHaveLength(16)
    const rows = { query: Float32Array.of(0, 2, 1, 0), key: Float32Array.of(1, 0, 0, 4), rotated: true }
    const [first] = handsOf({ ...turning, theta: theta.slice(0, 2), rows })
    expect([first?.query.angle, first?.query.length, first?.key.length]).toEqual([Math.PI / 2, 1, 0.25])
  })

  it('paints angles, and one colour where a pixel holds many turns', () => {
    const tables = { cyclic: palette, diverging: palette, sequential: palette }
    const painted = paintMap(Float64Array.of(1), Float64Array.of(0, 0.001, 1000, 2000), 'angle', tables)
    expect(Array.from(painted.slice(0, 3))).toEqual(Array.from(palette.slice(0, 3)))
    const two = paintMap(Float64Array.of(1), Float64Array.of(3000, 4000, 5000), 'cos', tables)
    expect(Array.from(two.slice(0, 4))).toEqual(Array.from(two.slice(4, 8)))
    expect(edges(4, false, 64)[4]).toBe(64)
    expect(edges(5, true, farthest)[0]).toBe(1)
  })

  it('stays in its room, and knows the pair under the pointer', () => {
    const hands = handsOf(turning)
    const wavelengths = theta.map((speed) => turn / speed)
    const pixels = { columns: 1, rows: 32, pixels: new Uint8ClampedArray(4 * 32) }
    everywhere((room, { speeds }) => {
      const plan = planSpeeds(room.width, room.height, hands.length, theta.length)
      const middle = middleOf(plan, 7)
      expect(pairAt(plan, hands, 32, middle.x, middle.y)).toBe(7)
      expect(pairAt(plan, hands, 32, plan.map.left + 1, plan.map.top + 3.5 * plan.map.row)).toBe(3)
      expect(pairAt(plan, hands, 32, 0, plan.height + 500)).toBeUndefined()
      return drawSpeeds(
        plan,
        { hands, wavelengths, chosen: 3, context: 512, m: 18, n: 6, log: true, last: farthest, pixels },
        speeds,
      )
    })
  })
})

describe('stretched ropes', () => {
  const scores = Float64Array.from({ length: 1025 }, (_, at) => Math.cos(at / 40))
  const before = { theta: Float64Array.of(1, 0.1, 0.01, 1), scores }
  const after = { theta: Float64Array.of(1, 0.05, 0.0025, 1.2), scores }

  it('count what is kept, blended, divided, and what stands still', () => {
    const [one] = compared([before, after], [4], 4)
    expect(one).toMatchObject({ kept: 1, divided: 1, still: 0, magnitude: 1.2 })
    expect(one && countsOf(one, en.figures.stretch)).toBe('keeps 1, blends 1, divides 1')
    expect(unseen(before.theta, 100)).toBe(1)
    expect(numbersOf(['llama', 'trained', 'nothing', 'ntk', 'longrope'], 64)).toEqual([2, 6])
    expect(numbersOf(['longrope'], longRopeHead)).toEqual([9])
    const [searched, clamped] = compared([before, after, before], [9, 10], 4)
    expect(searched && countsOf(searched, en.figures.stretch)).toMatch(/1\.00 to 4\.00$/)
    expect(clamped && countsOf(clamped, en.figures.stretch)).toBe(en.figures.stretch.same)
    expect(compared([], [1], 2)).toEqual([])
  })

  it('bring angles that the context had not shown, unless they are divided or not counted', () => {
    const of = { context: 512, factor: 4 }
    const divided = { theta: Float64Array.of(0.25, 0.025, 0.0025, 1), scores }
    const [way, limit] = compared([before, divided, before], [1, 10], 4)
    const slow = Float64Array.of(1, 0.01, 0.001, 1)
    expect(newAngles(reachesOf(slow, undefined, of))).toBe(2)
    expect(newAngles(reachesOf(slow, way, of))).toBe(0)
    expect(newAngles(reachesOf(slow, limit, of))).toBe(0)
    expect(reachesOf(slow, limit, of)[2]?.reached).toBeCloseTo(0.128)
  })

  it('stay in their room', () => {
    everywhere((room, { stretch }) => drawStretch(compared([before, after], [4], 4), before.theta, 1, 4, room, stretch))
    const of = { context: 512, factor: 4 }
    for (const ways of [[4], [4, 5, 6, 7, 8, 10, 11]]) {
      everywhere((room, { stretch }) => {
        const all = compared([before, ...ways.map(() => after)], ways, 4)
        const reaches = all.map((way) => ({ name: stretch.ways[way.way] ?? '', reaches: reachesOf(theta, way, of) }))
        return drawDials(reaches, room, stretch)
      })
    }
    everywhere((room, { stretch }) => drawScores(scores, compared([before, after], [4], 4), of, room, stretch))
    everywhere((room, { stretch }) =>
      drawWavelengths(compared([before, after], [4], 4), before.theta, of, room, stretch),
    )
  })
})
