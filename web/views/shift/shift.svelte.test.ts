import { afterEach, describe, expect, it } from 'vitest'
import { ellipsis } from '../../charts/marks'
import { languages } from '../../i18n/language'
import { switchLanguage } from '../../i18n/messages.svelte'
import type { Bench } from '../../session/bench.svelte'
import { link, setUp, text } from '../../testing/fakeBench'
import { soon } from '../../testing/fakeEngine'
import type { Inputs } from '../module'
import {
  angleBetween,
  angleParams,
  dialsOf,
  fourPairs,
  isInvariant,
  largestOffset,
  measuredOf,
  moveOffset,
  offsetAt,
  sampleOffset,
  placeOf,
  rounding,
  shiftData,
  trailOffsets,
  valuesOf,
  withMeasured,
  type ShiftData,
} from './data'
import { t } from './messages.en'
import { itemOf } from '../../testing/outputs'
import { axisIn, drawShift, offsetUnder, topOf, yOf, type ShiftPicture } from './picture'
import * as shift from './view'
import { headlineOf, type ShiftFacts } from './view'

const turn = 2 * Math.PI
const theta = Array.from({ length: 16 }, (_, pair) => 10_000 ** (-pair / 16))

/** What the engine answers: (length, pairs) modulo 2π. */
function engine({ theta, length }: { theta: Float64Array; length: number }): Float32Array {
  return Float32Array.from({ length: length * theta.length }, (_, at) => {
    const angle = Math.floor(at / theta.length) * (theta[at % theta.length] ?? 0)
    return angle % turn
  })
}

function openShift(bench: Bench) {
  const inputs = {
    bench,
    get run() {
      return bench.run
    },
    get cursor() {
      return bench.cursor
    },
    width: 600,
    height: 400,
  } as Inputs<unknown>
  let data!: ShiftData
  const end = $effect.root(() => {
    data = shiftData(inputs)
    $effect(() => void [data.history.value, data.trail.latest])
  })
  return { data, output: () => shift.output(inputs as never, data).pictureFor(inputs.run), end }
}

const zero = { weight: 0, logit: 0, layer: 0, head: 0, query: 0, key: 0 }

describe('what a shift changes', () => {
  it('is rounding, or more: of a weight or of a logit', () => {
    expect(isInvariant({ ...zero, offset: 9, weight: 8e-7, logit: 2e-5 })).toBe(true)
    expect(isInvariant({ ...zero, offset: 9, weight: 8e-7, logit: 0.5 })).toBe(false)
    expect(isInvariant({ ...zero, offset: 9, weight: 0.01, logit: 2e-5 })).toBe(false)
    expect(isInvariant({ ...zero, offset: 9, weight: Number.NaN })).toBe(false)
  })

  it('depends on values: rotated by the model or by a setting, or rotated back', () => {
    const plain = { rotary_value: false }
    expect(valuesOf({ rotaryValue: false, rotatesValues: false }, plain)).toBe('unrotated')
    expect(valuesOf({ rotaryValue: true, rotatesValues: false }, plain)).toBe('rotated')
    expect(valuesOf({ rotaryValue: false, rotatesValues: false }, { rotary_value: true })).toBe('rotated')
    expect(valuesOf({ rotaryValue: true, rotatesValues: true }, plain)).toBe('rotatedBack')
  })
})

describe('the axis of offsets', () => {
  it('goes from 0 to 100,000 and back again', () => {
    expect(placeOf(0)).toBe(0)
    expect(placeOf(largestOffset)).toBe(1)
    for (const offset of [0, 1, 2, 3, 9, 57, 1234, 99_999, 100_000]) expect(offsetAt(placeOf(offset))).toBe(offset)
    expect(offsetAt(-1)).toBe(0)
    expect(offsetAt(2)).toBe(largestOffset)
  })

  it('is walked by keys: each step moves, both ways, and stays within', () => {
    let offset = 0
    for (let steps = 0; offset < largestOffset; steps++) {
      const next = moveOffset(offset, 'right') ?? -1
      expect(next).toBeGreaterThan(offset)
      offset = next
      expect(steps).toBeLessThan(300)
    }
    expect(moveOffset(offset, 'right')).toBe(largestOffset)
    expect(moveOffset(0, 'left')).toBe(0)
    expect(moveOffset(5, 'left')).toBe(4)
    expect(moveOffset(20_000, 'pageUp')).toBe(largestOffset)
    expect(moveOffset(57, 'pageDown')).toBe(5)
    expect(moveOffset(57, 'first')).toBe(0)
    expect(moveOffset(57, undefined)).toBeUndefined()
  })
})

describe('measured offsets', () => {
  it('are in order, each once with its newest numbers', () => {
    const one = (offset: number, weight: number) => ({ ...zero, offset, weight })
    const measured = [one(100, 1), one(10, 2), one(100, 3)].reduce(withMeasured, [])
    expect(measured).toEqual([one(10, 2), one(100, 3)])
  })

  it('stay while the text stays, and the present one is of the run on show', async () => {
    const { bench, worker } = await setUp(link({ offset: '10' }))
    await worker().ran()
    await worker().ran()
    const { data, end } = openShift(bench)
    await soon()
    const now = () => measuredOf(bench.run!, data)
    const answerWith = async (weight: number) => {
      await worker().answer(worker().requests('differences').at(-1)!, { ...zero, weight })
      await soon()
    }
    await answerWith(1)
    expect(now().current).toMatchObject({ offset: 10, weight: 1 })
    bench.choose({ offset: 20 })
    await soon()
    await worker().ran()
    expect(now()).toMatchObject({ current: undefined, measured: [{ offset: 10 }] })
    await answerWith(2)
    expect(now().measured.map(({ offset, weight }) => [offset, weight])).toEqual([
      [10, 1],
      [20, 2],
    ])
    bench.choose({ offset: 0 })
    await soon()
    await worker().ran()
    expect([now().current, now().measured.length]).toEqual([undefined, 2])
    // Unshifted: a sample says what a shift would change.
    await answerWith(3e-7)
    expect(now().current).toMatchObject({ offset: sampleOffset, weight: 3e-7 })
    const facts = {
      shift: undefined,
      measured: now().current,
      failure: undefined,
      values: 'unrotated',
      heads: 1,
      weights: 1,
      place: '',
    } as const
    expect(headlineOf(facts).title).toMatch(/^With 100 added to every position, no weight would move by more than/)
    bench.choose({ text: `${text} again` })
    await soon()
    await worker().ran()
    expect(now().measured).toEqual([])
    end()
  })
})

it('offsets of every size are measured after the run’s own', async () => {
  const { bench, worker } = await setUp(link({ offset: '10' }))
  await worker().ran()
  await worker().ran()
  const { data, end } = openShift(bench)
  await soon()
  expect(worker().requests('differences')).toHaveLength(1)
  for (let at = 0; at <= trailOffsets.length; at++) {
    const request = worker().requests('differences')[at]
    // What is measured already is not asked for again.
    if (request) await worker().answer(request, { ...zero, weight: at })
    await soon()
  }
  expect(measuredOf(bench.run!, data).measured.map(({ offset }) => offset)).toEqual(trailOffsets)
  end()
})

describe('the dials', () => {
  it('are of four pairs, fast to slow, and of the selected one', () => {
    expect(fourPairs(theta, null)).toEqual([0, 5, 10, 15])
    expect(fourPairs(theta, 6)).toEqual([0, 6, 10, 15])
    expect(fourPairs([1, 0.5, 0, 0], null)).toEqual([0, 1])
    expect(fourPairs([1, 0.5, 0, 0], 3)).toEqual([0, 1])
    expect(fourPairs([0, 0], null)).toEqual([])
  })

  it('stand at their positions’ angles, and the angle between two does not change with the shift', () => {
    const pairs = fourPairs(theta, null)
    for (const offset of [0, 57, 100_000]) {
      const of = { theta: Float64Array.from(theta), pairs, query: 9 + offset, key: 8 + offset, offset }
      const dials = dialsOf(of, engine(angleParams(of)))
      expect(dials[0]?.query).toBeCloseTo((9 + offset) % turn, 4)
      expect(dials[0]?.unshifted.query).toBeCloseTo(9 % turn, 4)
      expect(dials[0]?.turns).toBeCloseTo((9 + offset) / turn)
      for (const dial of dials) expect(angleBetween(dial)).toBeCloseTo(theta[dial.pair] ?? 0, 5)
    }
  })
})

it('dials of an earlier run are stale until those of the run on show come', async () => {
  const { bench, worker } = await setUp(link({ layer: '0', query: '3', key: '2' }))
  await worker().ran()
  const { output, end } = openShift(bench)
  await soon()
  const answer = async () => {
    const request = worker().requests('angles').at(-1)!
    await worker().answer(request, engine(request.params))
  }
  await answer()
  expect(output().stale).toBe(false)
  bench.choose({ text: `look : ${text}` })
  await soon()
  await worker().ran()
  expect([bench.current, bench.cursor.query, output().stale]).toEqual([true, 5, true])
  await answer()
  expect(output().stale).toBe(false)
  end()
})

it('an offset is typed, chosen or dragged', async () => {
  const { bench, worker } = await setUp(link({ layer: '0' }))
  await worker().ran()
  const { output, end } = openShift(bench)
  bench.choose({ offset: 100 })
  await soon()
  const { above, sliders: [slider] = [] } = output()
  const { value, to } = itemOf(above, 'number')
  expect([value, to(7), to(NaN)]).toEqual([100, { choice: { offset: 7 } }, undefined])
  expect(itemOf(above, 'buttons').buttons[1]).toMatchObject({ pressed: true, to: { choice: { offset: 100 } } })
  const axis = axisIn({ width: 600, height: 400 })
  expect(slider?.hit(axis.right, 0)).toEqual({ choice: { offset: largestOffset } })
  expect(slider?.onAction('first')).toEqual({ choice: { offset: 0 } })
  expect(slider?.box?.x).toBe(axis.left - 12)
  end()
})

it('the output says why there are no dials', async () => {
  const { bench, worker } = await setUp(link({ layer: '0' }))
  await worker().ran()
  const { output, end } = openShift(bench)
  await soon()
  const { id } = worker().requests('angles')[0]!
  worker().say({ type: 'failed', id, failure: { code: 'gpu', message: 'refused', retryable: true } })
  await soon()
  const { scene, above, failure } = output()
  expect(scene?.width).toBe(600)
  expect(above?.[0]?.at(-1)).toEqual({ kind: 'text', role: 'status', text: 'refused' })
  expect(failure).toBe('refused')
  end()
})

it('the output says why nothing is measured', async () => {
  const { bench, worker } = await setUp(link({ layer: '0' }))
  await worker().ran()
  const { output, end } = openShift(bench)
  await soon()
  expect(output().failure).toBeUndefined()
  const { id } = worker().requests('differences')[0]!
  worker().say({ type: 'failed', id, failure: { code: 'memory', message: 'too long', retryable: false } })
  await soon()
  expect(output().failure).toBe('too long')
  end()
})

describe('the picture', () => {
  const picture: ShiftPicture = {
    dials: fourPairs(theta, null).map((pair) => {
      return { pair, wavelength: 6.3, query: 1, key: 0.5, unshifted: { query: 0.4, key: 0 }, turns: 15_916.2 }
    }),
    measured: [
      { ...zero, offset: 0 },
      { ...zero, offset: 100_000, weight: 4e-7, logit: 0.9 },
    ],
    current: { ...zero, offset: 100_000, weight: 4e-7, logit: 0.9 },
    offset: 100_000,
    query: { token: 'looked', position: 100_009 },
    key: { token: 'and', position: 100_008 },
  }

  it('keeps its marks within its room', () => {
    for (const [width, height] of [
      [350, 390],
      [850, 390],
      [358, 520],
      [860, 1040],
    ] as const) {
      const scene = drawShift(picture, { width, height })
      for (const mark of scene.marks) {
        if (mark.kind === 'circle') {
          expect(mark.x + mark.r).toBeLessThanOrEqual(width)
          expect(mark.y + mark.r).toBeLessThanOrEqual(height)
        }
        if (mark.kind === 'text') expect(mark.y).toBeLessThanOrEqual(height)
      }
      const axis = axisIn({ width, height })
      expect(axis.bottom - axis.top).toBeGreaterThan(60)
    }
  })

  afterEach(() => switchLanguage('en'))

  it.each(languages)('cuts no word, in %s', async (language) => {
    await switchLanguage(language)
    const slow = { ...picture, dials: picture.dials.map((dial) => ({ ...dial, pair: 127, wavelength: 999_999 })) }
    for (let width = 340; width <= 1400; width += 40)
      for (const height of width < 600 ? [460, 520] : [390, 520, 900])
        for (const mark of drawShift(slow, { width, height }).marks)
          if (mark.kind === 'text') expect(ellipsis(mark), `${width} × ${height}`).toBe(mark.text)
  })

  it('has the chart below the dials in a high room, and an axis as long as what is measured needs', () => {
    const room = { width: 700, height: 640 }
    const { left, right, top, bottom } = axisIn(room)
    expect(right - left).toBeGreaterThan(600)
    expect(bottom - top).toBeLessThan(360)
    const high = axisIn({ width: 860, height: 1040 })
    expect(high.bottom - high.top).toBeLessThan(450)
    const most = (weight: number, logit: number) => topOf([{ ...zero, offset: 1, weight, logit }])
    expect([most(1e-6, 1e-4), most(1e-6, 0.5), most(0.9, 30), most(Number.NaN, 0)]).toEqual([-2, 0, 2, 2])
  })

  it('is dragged by what stands under the pointer', () => {
    const axis = axisIn({ width: 440, height: 390 })
    expect(offsetUnder(axis.left, axis)).toBe(0)
    expect(offsetUnder(axis.right, axis)).toBe(largestOffset)
    expect(offsetUnder(-50, axis)).toBe(0)
  })

  it('puts no change at all on the axis, and a change of 100 or of no number on top', () => {
    const axis = { left: 0, right: 100, top: 10, bottom: 90 }
    expect(yOf(0, axis)).toBe(90)
    expect(yOf(1e-12, axis)).toBe(90)
    expect(yOf(100, axis)).toBe(10)
    expect(yOf(1e6, axis)).toBe(10)
    expect(yOf(Number.NaN, axis)).toBe(10)
    expect(yOf(1e-3, axis)).toBeCloseTo(50)
    expect(yOf(rounding, axis)).toBeLessThan(90)
  })
})

describe('the headline', () => {
  const facts: ShiftFacts = {
    shift: 'Shifted by 10,000 positions',
    measured: undefined,
    failure: undefined,
    values: 'unrotated',
    heads: 32,
    weights: 15_488,
    place: 'looked 9 → and 8',
  }
  const measured = { ...zero, layer: 2, head: 6, offset: 10_000, weight: 3.4e-7, logit: 6e-6 }
  const broken = { ...measured, weight: 0.2, logit: 1.5 }
  const { headline } = t()

  it('bounds the changes of all heads and logits', () => {
    const { title, line } = headlineOf({ ...facts, measured })
    expect(title).toBe('Shifted by 10,000 positions, no weight moves by more than 0.0000004.')
    expect(line).toContain('15,488 weights of all 32 heads were compared, and no logit moves by more than 0.000006.')
  })

  it('says why weights move, with the place, and why they stay', () => {
    const { title, line } = headlineOf({ ...facts, measured: broken, values: 'rotated' })
    expect(title).toBe('Shifted by 10,000 positions, a weight moves by 0.20 and a logit by 1.50.')
    expect(line).toBe(headline.rotatedLine('L2·H6', 'looked 9 → and 8', 0.2))
    expect(line).toMatch(/not rotated back.*[.] .*head L2·H6, looked 9 → and 8[.]$/)
    expect(headlineOf({ ...facts, measured, values: 'rotatedBack' }).line).toContain('rotated back by the query’s')
    expect(headlineOf({ ...facts, measured: broken }).line).toContain('more than rounding')
  })

  it('names other interventions, no offset, a measurement that is loading, and one that failed', () => {
    const shift = 'Without head L2·H6, shifted by 1 position'
    expect(headlineOf({ ...facts, measured, shift }).title).toMatch(/^Without head/)
    for (const values of ['unrotated', 'rotated', 'rotatedBack'] as const) {
      const { title, line } = headlineOf({ ...facts, shift: undefined, values })
      expect([title, line]).toEqual([headline.unshifted, headline.unshiftedLine[values]])
    }
    expect(headlineOf(facts)).toEqual({ title: 'Shifted by 10,000 positions.', line: headline.loading })
    expect(headlineOf({ ...facts, failure: 'It is too long.' }).line).toMatch(/not measured: It is too long[.]$/)
  })
})
