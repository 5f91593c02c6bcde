import { describe, expect, it } from 'vitest'
import { setUp } from '../../testing/fakeBench'
import { soon } from '../../testing/fakeEngine'
import { largestDifference, longestPair, predictedMilliseconds, Trials, type Point } from './measure.svelte'
import { t } from './messages.en'
import { drawPanels, exponent, panelsOf, type Panel, lengthsModule, rotationsModule } from './view'

const power = (by: number) => [64, 128, 256, 512].map((length) => [length, 3e-4 * length ** by] as const)
const panel: Panel = {
  title: 'CPU',
  name: 'milliseconds',
  empty: 'not measured yet',
  lines: [
    { label: 'softmax', stroke: 'strong', points: power(2) },
    { label: 'linear', stroke: 'dashed', points: power(1) },
  ],
}
const texts = (panels: readonly Panel[], width = 900) =>
  drawPanels(panels, 'tokens', { width, height: 260 }).marks.flatMap((mark) =>
    mark.kind === 'text' ? [mark.text] : [],
  )

describe('a plot of powers', () => {
  it('fits the exponent of the longer half of a line', () => {
    expect(exponent({ points: power(1.75) })).toBeCloseTo(1.75, 9)
    // What is short is mostly overhead.
    const [first, ...rest] = power(2)
    expect(exponent({ points: [[first?.[0] ?? 64, 9], ...rest] })).toBeCloseTo(2, 9)
    expect(exponent({ points: power(2).slice(0, 1) })).toBeUndefined()
    expect(exponent({ points: [] })).toBeUndefined()
  })

  it('says each exponent, and what is missing', () => {
    expect(texts([panel])).toEqual(
      expect.arrayContaining(['CPU', 'softmax ∝ T^2', 'linear ∝ T^1', 'tokens', '64', '512']),
    )
    expect(texts([{ ...panel, lines: [] }])).toEqual(['CPU', 'milliseconds', 'not measured yet'])
  })

  it('leaves a backend out that the browser has not', () => {
    const titles = (missing: readonly ('gpu' | 'cpu')[]) =>
      panelsOf({ points: [], missing }, ['softmax'], 'bytes').map(({ title }) => title)
    expect(titles([])).toEqual([t().backends.gpu, t().backends.cpu, t().memory])
    expect(titles(['gpu'])).toEqual([t().backends.cpu, t().memory])
  })

  it('lies within its room, its panels below each other where that is narrow', () => {
    for (const width of [330, 620, 1800]) {
      const scene = drawPanels([panel, { ...panel, title: 'GPU' }, { ...panel, lines: [] }], 'tokens', {
        width,
        height: 260,
      })
      for (const mark of scene.marks) {
        const places =
          mark.kind === 'line'
            ? [
                [mark.x1, mark.y1],
                [mark.x2, mark.y2],
              ]
            : 'x' in mark
              ? [[mark.x, mark.y]]
              : []
        for (const [x = 0, y = 0] of places) {
          expect(x >= 0 && x <= width && y >= 0 && y <= scene.height, `${mark.kind} at ${x}, ${y} of ${width}`).toBe(
            true,
          )
        }
      }
      expect(scene.width).toBe(width)
    }
  })
})

const line = (what: Point['what'], ...milliseconds: number[]): Point[] =>
  milliseconds.map((milliseconds, at) => ({
    backend: 'cpu',
    what,
    headSize: 64,
    length: 64 * 2 ** at,
    milliseconds,
    bytes: 1,
    deviation: 0,
  }))

describe('a line of trials', () => {
  it('is predicted by its growth, and never to be quicker', () => {
    expect(predictedMilliseconds(line('softmax', 1))).toBeUndefined()
    expect(predictedMilliseconds(line('softmax', 1, 4))).toBe(16)
    expect(predictedMilliseconds(line('softmax', 9, 10, 40))).toBe(160)
    expect(predictedMilliseconds(line('softmax', 4, 2))).toBe(2)
  })

  it('gives the largest difference of numbers', () => {
    expect(largestDifference(Float64Array.of(1, -2, 3), Float64Array.of(1, -2.5, 3))).toBe(0.5)
    expect(largestDifference(Float64Array.of(1), Float64Array.of(1, 2))).toBe(Infinity)
  })

  it('is compared at the longest text that both attentions were measured at', () => {
    const points = [...line('softmax', 1, 4, 16), ...line('linear', 1, 2)]
    expect(longestPair(points)?.softmax.length).toBe(128)
    expect(longestPair(line('softmax', 1))).toBeUndefined()
  })
})

describe('measuring', () => {
  it('is done in workers of its own, which end with it; what was measured stays until the next start', async () => {
    const { engine, worker, workers } = await setUp()
    const plan = { kinds: ['softmax', 'linear'], headSizes: [64], lengths: [64] } as const
    let trials!: Trials
    const end = $effect.root(() => void (trials = new Trials(engine, plan)))
    const answer = async (milliseconds: number) => {
      const trial = worker().requests('trial').at(-1)!
      await worker().answer(trial, { milliseconds, bytes: 8, numbers: Float64Array.of(milliseconds) })
    }
    trials.start()
    await soon()
    expect([workers.length, trials.step?.what, trials.step?.backend]).toEqual([2, 'softmax', 'gpu'])
    await answer(2)
    expect([trials.step?.what, trials.points.length]).toEqual(['linear', 1])
    trials.stop()
    await soon()
    expect([trials.step, trials.points.length]).toEqual([undefined, 1])
    trials.start()
    await soon()
    expect([workers.length, trials.points.length, trials.step?.what]).toEqual([3, 0, 'softmax'])
    for (const milliseconds of [1, 2, 3, 4]) await answer(milliseconds)
    expect(trials.points.map(({ backend, what, deviation }) => [backend, what, deviation])).toEqual([
      ['gpu', 'softmax', 0],
      ['gpu', 'linear', 1],
      ['cpu', 'softmax', 0],
      ['cpu', 'linear', 1],
    ])
    expect([trials.step, workers.length]).toEqual([undefined, 4])
    end()
  })

  it('goes on, and is not done again, when the page’s engine restarts or changes its backend', async () => {
    const { engine, worker, workers } = await setUp()
    const plan = { kinds: ['softmax'], headSizes: [64], lengths: [64] } as const
    let trials!: Trials
    const end = $effect.root(() => void (trials = new Trials(engine, plan)))
    const [page] = workers
    trials.start()
    await soon()
    const [, gpu] = workers
    page!.say({ type: 'crashed', message: 'unreachable' })
    await soon()
    const numbers = Float64Array.of(1)
    await gpu!.answer(gpu!.requests('trial')[0]!, { milliseconds: 1, bytes: 8, numbers })
    expect([trials.points.length, trials.step?.backend]).toEqual([1, 'cpu'])
    await worker().answer(worker().requests('trial')[0]!, { milliseconds: 1, bytes: 8, numbers })
    const all = workers.length
    engine.start('gpu', 'auto')
    await soon()
    expect([trials.points.length, trials.step, workers.length]).toEqual([2, undefined, all + 1])
    end()
  })
})

describe('the output', () => {
  const room = { width: 900, height: 400 }

  it('of rotations is of the selected head size, its table of all', () => {
    const points = [...line('blocks', 1, 2), { ...line('fused', 3)[0]!, headSize: 32, deviation: 1e-6 }]
    const output = (size: string) =>
      rotationsModule
        .output({ params: { size }, ...room } as never, { points, missing: ['gpu'], endedLines: [] } as never)
        .pictureFor(undefined)
    const dots = (size: string) => output(size).scene?.marks.filter(({ kind }) => kind === 'circle').length
    expect([dots('64'), dots('32')]).toEqual([4, 2])
    const published = output('64').published
    expect(published?.tables?.[0]?.table.length).toBe(3)
    expect(published?.headline?.title).toBe(t().rotations.headline(1e-6, 3).title)
  })

  it('of lengths has a headline once a pair is measured', () => {
    const headline = (points: readonly Point[]) =>
      lengthsModule
        .output({ params: {}, ...room } as never, { points, missing: [], endedLines: [] } as never)
        .pictureFor(undefined).published?.headline
    expect(headline(line('softmax', 1))).toBeUndefined()
    expect(headline([...line('softmax', 4), ...line('linear', 2)])?.line).toContain('softmax takes 2.0 times')
  })
})
