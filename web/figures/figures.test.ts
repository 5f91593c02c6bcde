// What all figures of Read hold to: marks within their room, whatever its size, in every edition; and their messages.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { positionEncodings } from '../engine/protocol/mathematics'
import { ramp } from '../charts/colour'
import type { Scene } from '../charts/marks'
import { diverging, sequential } from '../styles/colours'
import { read as en } from '../i18n/en/read'
import { read as hu } from '../i18n/hu'
import { read as ko } from '../i18n/ko'
import { trained, training } from '../i18n/facts'
import { languages } from '../i18n/language'
import { drawCost, kinds } from './cost/draw'
import { drawHand, drawMasks, ordered, readRows, seen, usual } from './hand/model'
import { drawBases, drawNear, tooFine } from './near/model'
import { drawNorms, lengthsOf, mostChanged } from './norms/draw'
import { drawQueue, drawWeights, namesOf } from './queue/draw'
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
import { drawTurn, moved, planTurn, vectorAt } from './turn/draw'
import { changed, drawWays, panelsOf, summed, termsOf } from './ways/model'

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
        .split('\n')
        .filter((line) => {
          if (/source: |^const |^import /.test(line)) return false
          const words = line
            .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
            .replace(/decimal\([^()]*\)/g, '')
            .replace(/Llama 3\.1|Phi-3|T5|b?f(16|32)|: 1 |1-nél|1이면|10분의 1|seconds [</] \d+/g, '')
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

describe('the figure of all distances', () => {
  const curves = [0, 1].map((at) => ({
    theta,
    bound: Float64Array.from({ length: 257 }, (_, distance) => 32 / (1 + distance + at)),
    cosines: Float64Array.from({ length: 257 }, (_, distance) => Math.cos(distance)),
    crossing: 725,
    score: new Float64Array(),
  }))

  it('stays in its room', () => {
    everywhere((room, { near }) => {
      const labels = [near.rope(64, 10_000), near.rope(128, 500_000)]
      return {
        ...room,
        marks: drawNear(curves, 'bound', 12, room, { distance: near.distance, up: near.up.bound, labels }).marks,
      }
    })
  })

  it('says which tables are too coarse for the slowest pair', () => {
    // θ of the last is 1.3e-4: below 2⁻¹¹ and 2⁻⁸, above 2⁻²⁴.
    expect(tooFine(theta)).toEqual({ f16: 5, bf16: 12, f32: 0 })
    expect(tooFine(Float64Array.of(1, 0.5, 0))).toEqual({ f16: 0, bf16: 0, f32: 0 })
  })
})

describe('the smallest bases', () => {
  it('stay in their room, with those that are not there left out', () => {
    const bases = Float64Array.of(500, 2000, 4300, 12_400, 28_600, NaN)
    everywhere((room, { near }) => {
      const own = { context: 131_072, base: 1e8, name: near.rope(64, 1e8) }
      const scene = drawBases(bases, own, room, { context: near.context, up: near.base, least: near.leastBase })
      expect(scene.marks.filter(({ kind }) => kind === 'circle')).toHaveLength(6)
      return scene
    })
  })
})

describe('the figure of two arrows', () => {
  it('stays in its room, and reads a vector back from where it is drawn', () => {
    everywhere((room, { turn: said }) => {
      const plan = planTurn(room.width, room.height)
      expect(vectorAt(plan, plan.x + 0.5 * plan.unit, plan.y - 0.25 * plan.unit)).toEqual([0.5, 0.25])
      expect(Math.hypot(...vectorAt(plan, plan.x + 9999, plan.y))).toBeCloseTo(1)
      const sweep = Float64Array.from({ length: 97 }, (_, at) => Math.cos(at / 4))
      const arrow = { before: [1, 0], after: [0, 1] } as const
      return drawTurn(
        plan,
        { query: arrow, key: arrow, m: 9, n: 8, sweep, fine: 4, reach: 12, score: 0.4, halves: true },
        said,
      )
    })
  })

  it('turns by keys, and keeps a length above 0', () => {
    const [x, y] = moved([1, 0], { turn: 90 })
    expect([x, y]).toEqual([0, 1])
    expect(Math.hypot(...moved([0.05, 0], { longer: -1 }))).toBeCloseTo(0.05)
  })
})

describe('attention by hand', () => {
  it('reads any link, and puts rows in the order of the tokens', () => {
    expect(readRows('x,,99')).toEqual(readRows('1,0.5,9'))
    expect(readRows('').join()).toBe(usual)
    const rows = readRows('')
    expect(Array.from(ordered(rows, [1, 0, 2]).slice(0, 4))).toEqual([rows[2], rows[3], rows[0], rows[1]])
    expect(seen('causal').filter(Boolean)).toHaveLength(6)
    expect(seen('padding')).toEqual(seen('cross'))
  })

  it('stays in its room', () => {
    const told = {
      scores: Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9),
      weights: new Float64Array(9).fill(1 / 3),
      outputs: new Float64Array(6),
    }
    everywhere((room, { hand }) => drawHand(told, hand.tokens, seen('none'), room, hand, ramp(sequential.dark), 'dark'))
    everywhere(({ width }, { hand }) => drawMasks('causal', hand.masks, width))
  })
})

describe('lengths of pairs', () => {
  it('are kept by turning, and stay in their room', () => {
    const before = Float64Array.of(3, 4, 0, 1)
    const lengths = {
      before: lengthsOf(before),
      turned: lengthsOf(Float64Array.of(-4, 3, 1, 0)),
      added: lengthsOf(Float64Array.of(3, 5, 0, 2)),
    }
    expect(lengths.before.pairs).toEqual([5, 1])
    expect(lengths.before.whole).toBeCloseTo(Math.hypot(5, 1), 12)
    expect(mostChanged(lengths.before, lengths.turned)).toBe(0)
    expect(mostChanged(lengths.before, lengths.added)).toBe(1)
    everywhere((room, { norms }) => drawNorms(lengths, room, norms))
  })
})

describe('the queue', () => {
  it('keeps contents and neighbours while every number changes', () => {
    const { queue } = en.figures
    expect(namesOf(2, 0, queue)).toEqual({ number: 'no. 3', neighbour: 'behind suitcase' })
    expect(namesOf(2, 1, queue)).toEqual({ number: 'no. 2', neighbour: 'behind suitcase' })
    expect(namesOf(1, 1, queue).neighbour).toBe(queue.first)
  })

  it('stays in its room', () => {
    everywhere((room, { queue }) => drawQueue(1, room, queue))
    const tokens = 'he wrote a book about deep learning'.split(' ')
    everywhere(({ width }) => drawWeights({ tokens, weights: [0, 1, 0.5, 2, 0, 0, 0], query: 6, key: 5 }, width))
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

describe('other ways', () => {
  it('are summed, compared and drawn term by term', () => {
    const terms = new Float64Array(128).fill(1)
    const there = Float64Array.from(terms, (value, at) => value + (at === 3 ? 0.5 : 0))
    expect(summed(terms)[0]).toBe(2)
    expect(changed(summed(terms), summed(there))).toBe(0.5)
    expect(changed(summed(terms), summed(there.map(() => NaN)))).toBeNaN()
    expect(positionEncodings.every((way) => termsOf[way].length > 0)).toBe(true)
    everywhere(({ width, height }, { ways }) => {
      const panels = panelsOf(terms, there, 'alibi', ways)
      expect(panels).toHaveLength(4)
      return drawWays(panels, width, height, palette, ways)
    })
  })
})

describe('three kinds trained alike', () => {
  it('stay in their room, and a kind that ends says so', () => {
    everywhere((room, { cost }) => {
      const scene = drawCost(trained, kinds, training.tokens, room, cost)
      const texts = scene.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
      expect(texts.some((text) => text.includes(cost.ends))).toBe(true)
      return scene
    })
  })
})
