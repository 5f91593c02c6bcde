import { flushSync } from 'svelte'
import { describe, expect, it } from 'vitest'
import type { Mark } from '../../charts/marks'
import { fine, peakOf, spanOf } from '../../charts/sweep/model'
import { plainText } from '../../i18n/rich'
import { link, setUp } from '../../testing/fakeBench'
import { soon } from '../../testing/fakeEngine'
import { inRoot } from '../../testing/inRoot.svelte'
import { check, movePair, rangeOf, rivalOf, waterfall, type Check, type Explained } from './parts'
import { t } from './messages.en'
import { axisOf, captionOf, ceilingOf, curvesOf, drawScore, factsOf, pairAt, planScore } from './picture'
import * as view from './view'
import { drawWaterfall, planWaterfall, stepAt } from './waterfall'
import { plainHeadline } from '../../testing/outputs'

const wavelengths = Float64Array.of(6.28, 62.8, 628, 6283)

describe('the waterfall', () => {
  it('steps from pair to pair to the score', () => {
    const { steps, total, main } = waterfall(Float64Array.of(6, 1, -3, 0.5), wavelengths)
    expect(steps.map(({ from, to }) => [from, to])).toEqual([
      [0, 6],
      [6, 7],
      [7, 4],
      [4, 4.5],
    ])
    expect([total, main?.pair]).toEqual([4.5, 0])
  })

  it('goes from fast to slow, however pairs are numbered', () => {
    const { steps } = waterfall([1, 2, 4], [Infinity, 6.28, 62.8])
    expect(steps.map(({ pair, to }) => [pair, to])).toEqual([
      [1, 2],
      [2, 6],
      [0, 7],
    ])
  })

  it('sums the slowest pairs up where they are tiny', () => {
    expect(waterfall([10, 2, 0.1, -0.15], wavelengths).tail?.count).toBe(2)
    expect(waterfall([10, 2, 0.1, -0.15], wavelengths).tail?.sum).toBeCloseTo(-0.05, 12)
    expect(waterfall([10, 0.1, 2, -0.15], wavelengths).tail).toBeUndefined()
    expect(waterfall([0, 0, 0, 0], wavelengths)).toMatchObject({ tail: undefined, main: undefined, total: 0 })
  })
})

describe('the check against the model', () => {
  const row = { attention: Float32Array.of(0, 0, 0, 0.2, 0.7, 0.1, 0, 0, 0), length: 3 }

  it('takes the largest other weight of the row', () => {
    expect([rivalOf(row, 1, 0), rivalOf(row, 1, 1), rivalOf(row, 0, 1)]).toEqual([1, 0, undefined])
  })

  it('compares a difference of scores with the ratio of weights', () => {
    const other = { score: 3, weight: 0.2 }
    expect(check({ score: 3 + Math.log(3.5), weight: 0.7 }, other, false).state).toBe('agrees')
    const off = check({ score: 3.1 + Math.log(3.5), weight: 0.7 }, other, false)
    expect(off.state).toBe('differs')
    expect(off.by).toBeCloseTo(0.1, 9)
  })

  it('claims nothing where there is nothing to compare with', () => {
    expect(check({ score: 1, weight: 0 }, { score: 1, weight: 1 }, false).state).toBe('unchecked')
    expect(check({ score: 1, weight: 1 }, undefined, false).state).toBe('unchecked')
    expect(check({ score: 1, weight: 0 }, { score: 1, weight: 1 }, true).state).toBe('masked')
  })
})

it('keys walk the pairs by speed, and let go', () => {
  const order = [2, 0, 1]
  expect([movePair(null, 'right', order), movePair(null, 'left', order)]).toEqual([2, 2])
  expect([movePair(2, 'right', order), movePair(1, 'right', order)]).toEqual([0, 1])
  expect([movePair(0, 'leave', order), movePair(0, 'last', order), movePair(0, undefined, order)]).toEqual([
    null,
    1,
    undefined,
  ])
})

const parts = Float64Array.of(6, 1, -3, 0.5)
const turns = Float64Array.of(2, 20, 200, Infinity).map((turns) => turns * Math.PI)
const falling = waterfall(parts, turns)
const box = { x: 0, y: 0, width: 360, height: 200 }
const plan = planWaterfall(box, 4, rangeOf(falling.steps))
const agrees: Check = { state: 'agrees', by: 0 }

function drawn(over: { selected?: number | null; named?: number[]; check?: Check | undefined } = {}): Mark[] {
  return drawWaterfall(plan, falling, { selected: null, pointed: null, named: [], check: agrees, ...over })
}
const texts = (marks: readonly Mark[]) => marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
const filled = (marks: readonly Mark[], fill: string) =>
  marks.filter((mark) => mark.kind === 'rect' && mark.fill === fill)

describe('the waterfall as marks', () => {
  it('draws each part from the sum before it to the sum after it', () => {
    const bars = drawn().filter((mark) => mark.kind === 'rect')
    falling.steps.forEach(({ from, to }, rank) => {
      const bar = bars[rank]
      expect(bar).toMatchObject({ x: plan.left + rank * plan.pitch, y: Math.min(plan.y(from), plan.y(to)) })
      expect(bar?.kind === 'rect' && bar.height).toBeCloseTo(Math.abs(plan.y(from) - plan.y(to)), 9)
    })
    expect([filled(bars, 'positive').length, filled(bars, 'negative').length]).toEqual([3, 1])
  })

  it('ends at the total, and says whether it is the model’s', () => {
    expect(texts(drawn())).toEqual(expect.arrayContaining(['4.50', ...t().agrees]))
    const off = texts(drawn({ check: { state: 'differs', by: 0.25 } }))
    expect(off).toContain('0.25')
    expect(off).not.toContain(t().agrees[1])
    expect(texts(drawn({ check: { state: 'unchecked', by: 0 } }))).not.toContain(t().agrees[1])
  })

  it('numbers its pairs, and writes the parts of those that are named', () => {
    expect(texts(drawn({ named: [2] }))).toEqual(expect.arrayContaining(['0', '1', '2', '3', '−3.00']))
    expect(texts(drawn())).not.toContain('−3.00')
    expect(filled(drawn({ named: [0, 2] }), 'token')).toHaveLength(2)
  })

  it('outlines the selected pair', () => {
    expect(drawn({ selected: 2 }).filter((mark) => mark.kind === 'rect' && mark.stroke === 'ink')).toHaveLength(1)
  })

  it('does not say that a sum is the model’s where the model has no such key', () => {
    expect(texts(drawn({ check: undefined }))).not.toContain(t().agrees[1])
  })

  it('finds the pair under the pointer', () => {
    expect(stepAt(plan.left, plan, falling)?.pair).toBe(0)
    expect(stepAt(plan.right - 1, plan, falling)?.pair).toBe(3)
    expect(stepAt(plan.left - 1, plan, falling)).toBeUndefined()
    expect(stepAt(plan.right, plan, falling)).toBeUndefined()
  })

  it('writes the sum of the slowest at their end, and never on the zero line', () => {
    const parts = [5, 0.9, 0.7, 0.8, 0.9, 1.6, 1.2, 0.5, 0.6, -0.1, 0, -0.1, 0, 0.05, 0.02, 0.02]
    const sums = waterfall(
      parts,
      parts.map((_, pair) => 6.28 * 2 ** pair),
    )
    for (const height of [70, 110, 260]) {
      const room = planWaterfall({ ...box, width: 360, height }, parts.length, [-6, rangeOf(sums.steps)[1]])
      const marks = drawWaterfall(room, sums, { selected: null, pointed: null, named: [0, 5, 15], check: undefined })
      const notes = marks.flatMap((mark) => (mark.kind === 'text' && mark.text.startsWith('the 7') ? [mark.y] : []))
      for (const y of notes) {
        expect(y - 11 > room.y(0) || y + 3 < room.y(0)).toBe(true)
        expect(Math.abs(y - room.y(sums.total))).toBeLessThan(32)
      }
      if (height > 70) expect(notes).toHaveLength(1)
    }
  })

  it('has an axis for a score of nothing', () => {
    const none = waterfall([0, 0], [6.28, 62.8])
    const marks = drawWaterfall(planWaterfall(box, 2, rangeOf(none.steps)), none, {
      selected: null,
      pointed: null,
      named: [],
      check: agrees,
    })
    expect(texts(marks)).toContain('0.00')
  })
})

/** A score whose curve is highest where `peak` says. */
function explained(query: number, key: number, peak: number | undefined, second?: number): Explained {
  const reach = 32
  const height = (distance: number) => (distance === peak ? 9 : distance === second ? 8.9 : 1)
  const values = Float64Array.from({ length: 2 * reach * fine + 1 }, (_, index) => height(index / fine - reach))
  return {
    run: {
      id: 1,
      head: { layer: 2, head: 6, length: 4 },
      model: { info: { is_decoder: false } },
      reading: { display: ['[CLS]', 'and', 'looked', 'at'] },
    },
    query,
    key,
    score: 9,
    weight: 0.5,
    check: { state: 'agrees', by: 0 },
    waterfall: waterfall([8, 1], [6.28, 62.8]),
    wavelengths: Float64Array.of(6.28, 62.8),
    hands: [
      { pair: 0, theta: 1, query: 2, key: 3, angle: 1.04 },
      { pair: 1, theta: 0.1, query: 1, key: 1, angle: 0 },
    ],
    sweep: { values, reach },
    scale: 1,
    path: [2, 1, 0, -1],
    peak: peakOf({ values, reach }, false),
    span: spanOf({ values, reach }),
    pair: 0,
    pairSweep: undefined,
    bound: undefined,
  } as unknown as Explained
}

const sentences = (of: Explained) => {
  const facts = factsOf(of)
  return { ...plainHeadline(t().headline(facts))!, highest: plainText(t().highest(facts)) }
}

describe('the headline', () => {
  it('says where the curve is highest', () => {
    expect(sentences(explained(2, 1, 1))).toEqual({
      title: 'The score of looked 2 and and 1 is highest at their own distance: one token back.',
      line: 'Head L2·H6: score 9.00, 50.0\u00a0% of the row’s weight; pair 0 of 2 adds most: +8.00.',
      highest: 'Highest exactly one token back.',
    })
    const elsewhere = sentences(explained(2, 1, -3))
    expect(elsewhere.title).toBe(
      'The score of looked 2 and and 1 would be highest three tokens ahead; the key is one token back.',
    )
    expect(elsewhere.line).toContain('Three tokens ahead it would be 9.00.')
    expect(elsewhere.highest).toBe('Highest three tokens ahead.')
  })

  it('does not stress a small difference', () => {
    expect(sentences(explained(2, 1, 0, 1))).toMatchObject({
      title: 'The score of looked 2 and and 1 is almost highest at their own distance: one token back.',
      line: expect.stringMatching(/ Highest at the query’s own position: 9\.00\.$/),
    })
  })

  it('names no distance where all are equal', () => {
    expect(sentences(explained(2, 1, undefined)).title).toBe(
      'The score of looked 2 and and 1 is the same at every distance.',
    )
  })
})

describe('why a key is found', () => {
  const why = (of: Explained) => plainText(t().why(factsOf(of)) ?? [])

  it('is that the fastest hands are in line there, where that is measured', () => {
    expect(why(explained(2, 1, 1))).toBe(
      'Why looked 2 finds and 1: there the hands of pair 0, the fastest, are 2° apart and add +8.00 of 9.00.',
    )
    expect(why(explained(3, 1, 1))).toBe('For at 3 and and 1 pair 0 adds most, +8.00 of 9.00.')
  })

  it('is not said where all distances are equal', () => {
    expect(why(explained(2, 1, undefined))).toBe('')
  })
})

describe('the whole picture', () => {
  const planned = (one: Explained, height = 410) => planScore(one, { width: 350, height, selected: null })

  it('is inside its edges, with the same left and right edge for parts and curve', () => {
    for (const height of [260, 410, 900]) {
      const one = explained(2, 1, 1)
      const plan = planned(one, height)
      const scene = drawScore(one, plan, { selected: null, pointed: {}, walking: undefined })
      for (const mark of scene.marks) if (mark.kind === 'text') expect(mark.y).toBeLessThanOrEqual(scene.height)
      expect([plan.sweep.left, plan.sweep.right]).toEqual([plan.waterfall.left, plan.waterfall.right])
      expect(plan.dials.map(({ pair }) => pair)).toEqual([0, 1])
    }
    expect(curvesOf(explained(2, 1, 1)).peak).toBeUndefined()
    expect(curvesOf(explained(2, 1, 5)).peak).toBe(5)
  })

  it('has the paper’s bound as high as the highest score, and says how high it is', () => {
    const one = explained(2, 1, 1)
    const bound = { ...one.sweep, values: one.sweep.values.map((_, index) => 450 - Math.abs(index - 32 * fine)) }
    const ceiling = ceilingOf({ ...one, bound })
    expect(ceiling).toEqual({ here: 450 - fine, times: 50 })
    const drawn = curvesOf({ ...one, bound }).curves.at(-1)?.scores
    expect(Math.max(...(drawn?.values ?? []))).toBe(9)
    expect(t().ceiling(440, '#/read/6')).toContainEqual({ text: 'Long-term decay', href: '#/read/6' })
    expect(plainText(t().ceiling(440, ''))).toContain('no score of this query and key can exceed 440 here')
  })

  it('has the bars of every place of a walk on its axis', () => {
    const one = explained(2, 1, 1)
    const [least, most] = axisOf(one)
    // At its own place: 2 · 3 · cos 2.3° and 1 · 1 · cos 5.7°, which is less than the parts that the test gives.
    expect(most).toBe(9)
    // Two back the fastest pair adds 6 · cos(1.04 − 2).
    expect(axisOf({ ...one, path: [2], waterfall: waterfall([0, 0], [6.28, 62.8]) })[1]).toBeCloseTo(
      6 * Math.cos(-0.96) + Math.cos(-0.2),
    )
    expect(axisOf({ ...one, path: [4] })[0]).toBeCloseTo(6 * Math.cos(1.04 - 4))
    expect(least).toBeLessThanOrEqual(0)
  })

  it('finds the pair of a dial and of a bar', () => {
    const one = explained(2, 1, 1)
    const plan = planned(one)
    const { x, y } = plan.dialsPlan.middle(1)
    expect(pairAt(plan, one, x, y)).toBe(1)
    const { left, pitch, bottom } = plan.waterfall
    expect(pairAt(plan, one, left + 1.5 * pitch, bottom - 2)).toBe(1)
    expect(pairAt(plan, one, left, plan.sweep.bottom)).toBeUndefined()
  })

  it('shows the parts and the curve as far as the key has walked', () => {
    const one = explained(2, 1, 1)
    const plan = planned(one)
    const at = (position: number, parts: number[]) => {
      const walking = { position, moved: { distance: position, parts: Float64Array.from(parts) } }
      return { scene: drawScore(one, plan, { selected: null, pointed: {}, walking }), walking }
    }
    const { scene, walking } = at(0, [-2, 1])
    expect(texts(scene.marks)).toEqual(expect.arrayContaining(['−1.00', '−2.00']))
    expect(texts(scene.marks)).not.toContain(t().agrees[1])
    const curve = scene.marks.find((mark) => mark.kind === 'path' && mark.weight === 1.7)
    // From two back to the query, four points a token.
    expect(curve?.kind === 'path' && curve.d.split(/[ML]/).length - 1).toBe(2 * fine + 1)
    expect(plainText(t().caption(captionOf(one, walking) as never))).toBe(
      'same place, where looked 2 is, the fastest hands are 60° apart: pair 0 would add −2.00 (at its own place +8.00).',
    )
    expect(captionOf(one, { ...walking, moved: undefined })).toBeUndefined()
    const own = captionOf(one, { position: 1, moved: undefined })
    expect(own && plainText(t().caption(own))).toBe(
      '1 back, where and 1 is, the fastest hands are 2° apart: pair 0 adds +8.00. Score 9.00.',
    )
  })
})

it('is stale from the choice of another key until that is explained, or says why it is not', async () => {
  const { bench, worker } = await setUp(link({ query: '3', key: '2' }))
  await worker().ran()
  const inputs: Parameters<typeof view.output>[0] = {
    bench,
    get run() {
      return bench.run
    },
    baseline: undefined,
    get cursor() {
      return bench.cursor
    },
    params: { bound: 'off' },
    palette: undefined,
    scheme: 'light',
    width: 400,
    height: 400,
    phone: false,
    isPictureOnly: false,
    pointer: undefined,
  }
  const { result: data, end } = inRoot(undefined).make(() => view.data(inputs))
  let answered = 0
  const answer = async () => {
    flushSync()
    for (const request of worker().requests('explain').slice(answered)) {
      const { maxDistance } = request.params
      const parts = Float64Array.of(0.5)
      const sweep = new Float64Array(2 * maxDistance + 1)
      await worker().answer(request, { parts, running: parts, score: 0.5, sweep, hands: [], steepest: 0, maxDistance })
      answered++
    }
    flushSync()
  }
  const state = () => [view.output(inputs, data).pictureFor(inputs.run).stale, data.drawn.explained?.key]
  expect(state()).toEqual([undefined, undefined])
  await answer()
  expect(state()).toEqual([false, 2])
  bench.choose({ key: 4 })
  flushSync()
  expect(state()).toEqual([true, 2])
  await answer()
  expect(state()).toEqual([false, 4])
  bench.choose({ key: 3 })
  flushSync()
  const { id } = worker().requests('explain')[answered]!
  worker().say({ type: 'failed', id, failure: { code: 'gpu', message: 'refused', retryable: true } })
  await soon()
  expect([view.output(inputs, data).pictureFor(inputs.run).failure, ...state()]).toEqual(['refused', true, 4])
  end()
})

it('says of a score without rotating pairs that it is the same at every distance', () => {
  expect(plainText(t().highest(factsOf(explained(2, 1, undefined))))).toBe('The same at every distance.')
})

it('names every curve that is drawn beside the score’s own', () => {
  const { sweep } = explained(2, 1, 1)
  const bound = { ...sweep, values: sweep.values.map((value) => value * 50) }
  const notes = (over: Partial<Explained>) => {
    const of = { ...explained(2, 1, 1), ...over }
    const plan = planScore(of, { width: 900, height: 450, selected: null })
    return texts(drawScore(of, plan, { selected: null, pointed: {}, walking: undefined }).marks)
  }
  expect(notes({ pairSweep: sweep })).toContain(t().dashed(0))
  const { times } = ceilingOf({ ...explained(2, 1, 1), bound })!
  expect(notes({ pairSweep: sweep, bound })).toContain(`${t().dashed(0)} · ${t().dotted(times)}`)
})
