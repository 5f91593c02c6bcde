import { flushSync } from 'svelte'
import { describe, expect, it } from 'vitest'
import { link, setUp } from '../../testing/fakeBench'
import { soon } from '../../testing/fakeEngine'
import { inRoot } from '../../testing/inRoot.svelte'
import type { Inputs } from '../../views/module'
import type { NearParams } from '.'
import { itemOf, misfits } from '../../testing/outputs'
import { curvesOf, nameOf, nearData, tooFine, type Curves } from './data.svelte'
import * as near from './view'
import { drawBases, drawNear, commandOf, tableOf } from './view'
import model from '../head.json'
import { alikeHands, arrowAt, countsAt, drawHands, handsOf, lengthAt, planHands, smallDialAt } from './hands'

const theta = Float64Array.from({ length: 32 }, (_, pair) => 10_000 ** (-pair / 32))
const rope = { headSize: 64, base: 10_000 }
const answer = [0, 1].map((at) => ({
  theta,
  bound: Float64Array.from({ length: 257 }, (_, distance) => 32 / (1 + distance + at)),
  cosines: Float64Array.from({ length: 257 }, (_, distance) => Math.cos(distance)),
  crossing: 725,
  score: new Float64Array(),
}))

function curvesWith(curve: 'bound' | 'base', marked: number): Curves | undefined {
  const latest = { request: { curve: 'bound', rope, params: { maxDistance: 256 } }, value: answer }
  return curvesOf({ params: { curve } } as never, { curves: { latest }, marked } as never)
}

describe('all distances', () => {
  const curves = curvesWith('bound', 999)
  if (!curves) throw new Error('no curves')

  it('stay in their room', async () => {
    expect(await misfits((room) => ({ ...room, marks: drawNear(curves, room).marks }))).toEqual([])
  })

  it('are marked up to the last one, and are not drawn where smallest bases are', () => {
    expect([curves.last, curves.marked]).toEqual([256, 256])
    expect(curvesWith('base', 1)).toBeUndefined()
  })

  it('are a table of ropes, and a command for a plain rope', () => {
    const { table } = tableOf(curves)
    expect(table.header.slice(1)).toEqual([nameOf(rope), nameOf({ headSize: 128, base: 10_000 })])
    expect(table.row(1)).toEqual([1, 16, 32 / 3])
    expect(commandOf(curves)).toContain('--curve bound')
    expect(commandOf({ ...curves, alike: true })).toBeUndefined()
    expect(commandOf({ ...curves, rope: undefined })).toBeUndefined()
  })

  it('say which tables are too coarse for the slowest pair', () => {
    // θ of the last is 1.3e-4: below 2⁻¹¹ and 2⁻⁸, above 2⁻²⁴.
    expect(tooFine(theta)).toEqual({ f16: 5, bf16: 12, f32: 0 })
    expect(tooFine(Float64Array.of(1, 0.5, 0))).toEqual({ f16: 0, bf16: 0, f32: 0 })
  })
})

describe('the output', () => {
  async function open() {
    const { bench, worker } = await setUp(link({ headSize: '64', vectors: 'random' }))
    const params = inRoot<NearParams>({ curve: 'bound', at: 20, hands: 'alike', alike: false, aligned: 0, seed: 1 })
    const inputs = {
      bench,
      get params() {
        return params.value
      },
      width: 600,
      height: 300,
    } as Inputs<NearParams>
    const { result: data, end } = params.make(() => nearData(inputs))
    const set = (change: Partial<NearParams>) => {
      params.value = { ...params.value, ...change }
      flushSync()
    }
    flushSync()
    const output = () => near.output(inputs as never, data).pictureFor(undefined)
    const published = () => output().published
    return { bench, worker, set, output, published, end }
  }

  it('has the command and the file of the curves on show, while others are loading', async () => {
    const { bench, worker, set, output, published, end } = await open()
    await worker().answer(worker().requests('distanceCurves')[0]!, answer)
    const command = 'ropescope decay --head-dim 64 --base 10000 --max-distance 256 --curve bound'
    expect(published()).toMatchObject({ command, subject: '64-10000' })
    set({ alike: true })
    bench.choose({ headSize: 32 })
    flushSync()
    expect(output().stale).toBe(true)
    expect(published()).toMatchObject({ command, subject: '64-10000' })
    await worker().answer(worker().requests('distanceCurves').at(-1)!, answer)
    expect([output().stale, published()?.command, published()?.subject]).toEqual([false, undefined, '32-10000'])
    end()
  })

  it('reads the distance below the pointer, or that keys move to', async () => {
    const { bench, worker, set, output, end } = await open()
    await worker().answer(worker().requests('distanceCurves')[0]!, answer)
    const slider = () => output().sliders![0]!
    expect(slider()).toMatchObject({ max: 256, now: 1, follows: 'pointer' })
    slider().hit(9999, 0)?.act?.()
    expect(slider().now).toBe(256)
    slider().onAction('left')?.act?.()
    expect(slider()).toMatchObject({ now: 255, text: expect.stringContaining('distance 255: ') })
    expect(itemOf(output().above, 'slider').to(512)).toEqual({ choice: { maxDistance: 512 } })
    set({ curve: 'score' })
    const { to } = itemOf(output().above, 'number')
    expect([to(9999.4), to(NaN)]).toEqual([{ params: { aligned: 8192 } }, { params: { aligned: 0 } }])
    bench.choose({ vectors: 'equal' })
    expect(output().above?.[0]?.filter(Boolean)).toHaveLength(4)
    end()
  })

  it('says why there is no random row, instead of the curves before', async () => {
    const { worker, set, output, end } = await open()
    await worker().answer(worker().requests('distanceCurves')[0]!, answer)
    set({ curve: 'score' })
    const { id } = worker().requests('randomNumbers')[0]!
    worker().say({ type: 'failed', id, failure: { code: 'gpu', message: 'refused', retryable: true } })
    await soon()
    expect([output().message, output().scene]).toEqual(['refused', undefined])
    expect(output().above).toBeDefined()
    set({ curve: 'bound' })
    expect(output().scene).toBeDefined()
    end()
  })
})

describe('hands on one dial', () => {
  const hands = alikeHands(theta)

  it('fan out: the arrow is long where they point one way, and short where they do not', () => {
    expect([1, 20, 200].map((distance) => Number(lengthAt(hands, distance).toFixed(3)))).toEqual([0.973, 0.624, 0.39])
    expect([1, 20, 200].map((distance) => countsAt(hands, distance).near)).toEqual([29, 19, 11])
    expect(countsAt(hands, 20).round).toBe(5)
    // The upright part of the mean hand is the mean cosine.
    const cosines = theta.reduce((sum, speed) => sum + Math.cos(50 * speed), 0) / theta.length
    expect(arrowAt(hands, 50).along).toBeCloseTo(cosines, 12)
  })

  it('of the model stand upright where the head looks: one token back', () => {
    const own = handsOf(model.theta, model.query.row, model.key.row)
    const at = (distance: number) => arrowAt(own, distance).along
    for (const distance of [0, 2, 3, 10, 100]) expect(at(1)).toBeGreaterThan(at(distance))
    // Parts of the score are hands: the score of the two rows, rotated to their distance, is their sum.
    const lengths = model.theta.map((_, pair) => {
      const [a, b] = model.query.row.slice(2 * pair, 2 * pair + 2) as [number, number]
      const [c, d] = model.key.row.slice(2 * pair, 2 * pair + 2) as [number, number]
      return Math.hypot(a, b) * Math.hypot(c, d)
    })
    const sum = lengths.reduce((sum, length) => sum + length, 0)
    const product = model.query.row.reduce((sum, number, index) => sum + number * (model.key.row[index] ?? 0), 0)
    expect(at(0) * sum).toBeCloseTo(product, 6)
  })

  it('stay in their room, and a small dial is chosen', async () => {
    expect(
      await misfits((room) => {
        const plan = planHands(room.width, room.height)
        expect(smallDialAt(plan, room.width - 2, plan.strip.y + 5)).toBe(200)
        expect(smallDialAt(plan, 1, 5)).toBeUndefined()
        return drawHands(plan, hands, 20)
      }),
    ).toEqual([])
  })
})

it('smallest bases stay in their room, and those that are not there are left out', async () => {
  const bases = Float64Array.of(500, 2000, 4300, 12_400, 28_600, NaN)
  const own = { context: 131_072, base: 1e8, rope: { headSize: 64, base: 1e8 } }
  expect(
    await misfits((room) => {
      const scene = drawBases(bases, own, room)
      expect(scene.marks.filter(({ kind }) => kind === 'circle')).toHaveLength(6)
      return scene
    }),
  ).toEqual([])
})
