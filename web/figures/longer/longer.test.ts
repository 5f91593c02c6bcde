import { readFileSync } from 'node:fs'
import { flushSync } from 'svelte'
import { describe, expect, it } from 'vitest'
import { ramp } from '../../charts/colour'
import { EngineState } from '../../session/engine.svelte'
import { FakeWorker, headOf, soon } from '../../testing/fakeEngine'
import { readHeldOut } from '../../session/heldOut'
import { inRoot } from '../../testing/inRoot.svelte'
import { sequential } from '../../styles/colours'
import { beyond } from '../../i18n/facts'
import { misfits } from '../../testing/outputs'
import {
  LongTexts,
  type Selection,
  addDuration,
  lossesOnCommonRows,
  durationKind,
  maxPool,
  secondsLeft,
  splitRow,
  type Durations,
} from './data.svelte'
import { t } from './messages.en'
import * as module from './view'
import { drawLonger, type LongerNumbers } from './view'
import {
  changeOf,
  measurementKey,
  multiples,
  runChangeOf,
  stretchParams,
  wayIds,
  waysOf,
  type Multiple,
  type WayId,
} from './ways'

const model = { vocab_size: 8192, max_position_embeddings: 512 }
const file = readFileSync('models/roformer-english/held-out-long.json', 'utf8')
const heldOut = readHeldOut(file, { ...model, max_position_embeddings: 4096 })

describe('texts beyond a length', () => {
  it('ask for the same tokens at every length, and none is longer than it says', () => {
    expect(file.length).toBeLessThanOrEqual(60_000)
    expect(heldOut.masked).toBe(beyond.tokens)
    expect(beyond.context).toBe(model.max_position_embeddings)
    const requests = multiples.map((multiple) => {
      const { ids, labels, batch } = splitRow(heldOut, 3, multiple)
      const length = ids.length / batch
      expect([batch, labels.length]).toEqual([4 / multiple, ids.length])
      expect(length).toBeLessThanOrEqual(multiple * model.max_position_embeddings)
      expect(length).toBeGreaterThan(multiple * model.max_position_embeddings - 10)
      for (let text = 0; text < batch; text++) {
        expect([ids[text * length], ids[(text + 1) * length - 1]]).toEqual([2, 3])
      }
      return Array.from(labels).filter((label) => label >= 0)
    })
    expect(requests[0]?.length).toBeGreaterThan(200)
    expect(requests[1]).toEqual(requests[0])
    expect(requests[2]).toEqual(requests[0])
  })

  it('change nothing at the model’s own length but the distances that count', () => {
    for (const way of wayIds) {
      const limit = way === 'clamp' || way === 'both'
      const part = way === 'partial' || way === 'proportional'
      if (!part) expect(changeOf(way, 1, model), way).toEqual(limit ? { distanceClamp: 128 } : {})
      expect(
        new Set(multiples.map((multiple) => measurementKey(changeOf(way, multiple, model), multiple))).size,
        way,
      ).toBe(3)
    }
    expect(changeOf('yarnCode', 4, model).scaling).toEqual({
      rope_type: 'yarn',
      factor: 4,
      original_max_position_embeddings: 512,
    })
    expect(changeOf('both', 2, model)).toEqual({ distanceClamp: 128, logN: 512 })
    expect(waysOf(['logn', 'nothing', 'plain'])).toEqual(['plain', 'logn'])
  })

  it('turn a part of the pairs, or each by what the engine says', () => {
    const sizes = { ...model, head_size: 8, num_hidden_layers: 2 }
    const frozen = [0, 1].map((layer) => ({ layer, head: null, pairs: [1, 2, 3], kind: 'frozen' }))
    expect(runChangeOf(changeOf('proportional', 4, model), sizes, undefined)).toEqual({
      muted: frozen,
      ablatedHeads: [],
    })
    const { stretch } = changeOf('yarn', 4, model)
    expect(stretch && stretchParams(stretch, sizes)).toEqual({
      ways: ['trained', 'yarn'],
      headSize: 8,
      base: 10_000,
      context: 512,
      factor: 4,
      distances: 2,
    })
    const scores = new Float64Array(2)
    const [before, after] = [
      { theta: Float64Array.of(1, 0.1, 0.01, 0.001, 1), scores },
      { theta: Float64Array.of(1, 0.05, 0.0025, 0, 1.1), scores },
    ]
    const change = runChangeOf(changeOf('yarn', 4, model), sizes, [before, after])
    expect(change.muted).toEqual([])
    expect(JSON.parse(change.ropeScaling ?? '')).toEqual({
      rope_type: 'longrope',
      short_factor: [1, 2, 4, 1],
      long_factor: [1, 2, 4, 1],
      attention_factor: 1.1,
      original_max_position_embeddings: 512,
    })
    const searched = changeOf('longrope', 4, model).scaling as { long_factor: number[] }
    expect(searched.long_factor).toHaveLength(16)
    expect(searched.long_factor.every((factor, at, all) => factor >= (all[at - 1] ?? 1))).toBe(true)
  })

  it('take as long as those of their kind took', () => {
    const kind = (multiple: Multiple, way: WayId) => durationKind(multiple, changeOf(way, multiple, model))
    const none: Durations = new Map()
    expect(secondsLeft([kind(1, 'plain')], none)).toBeUndefined()
    const durations = addDuration(addDuration(none, kind(1, 'plain'), 900), kind(1, 'plain'), 1100)
    // Of the others nothing is known yet but that.
    expect(secondsLeft([kind(1, 'plain'), kind(4, 'plain')], durations)).toBe(2)
    const more = addDuration(durations, kind(4, 'clamp'), 9000)
    expect(secondsLeft([kind(1, 'logn'), kind(4, 'both'), kind(4, 'logn')], more)).toBe(19)
  })

  it('are measured by PyTorch in the same ways', () => {
    // Measured besides, for the words: LongRoPE with all factors at 1.
    expect(Object.keys(beyond.losses)).toEqual([...wayIds, 'magnitude'])
  })
})

describe('a map made small', () => {
  it('keeps the strongest weight under each cell', () => {
    const weights = Float32Array.of(0.5, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 0.2, 0.8, 0.1, 0.1, 0.1, 0.7)
    const { side, cells, strongest } = maxPool(weights, 4, 2)
    expect(side).toBe(2)
    expect(Array.from(cells, (cell) => Math.round(cell * 10) / 10)).toEqual([1, 0, 0.1, 0.8])
    expect(strongest).toBeCloseTo((0.5 + 1 + 0.8 + 0.7) / 4)
    expect(maxPool(weights, 4).side).toBe(4)
  })
})

describe('the figure', () => {
  const palette = ramp(sequential.light)
  const losses = (way: WayId, multiple: Multiple) => [
    { mean: beyond.losses[way][multiple], labels: 300 },
    ...(way === 'plain' ? [{ mean: 9, labels: 300 }] : []),
  ]
  const numbers: LongerNumbers = {
    ways: wayIds,
    context: 512,
    loss: lossesOnCommonRows(wayIds, losses).of,
    map: (multiple) => (multiple === 4 ? undefined : maxPool(new Float32Array(16).fill(0.25), 4)),
  }

  it('compares losses of the same rows', () => {
    const { rows, of } = lossesOnCommonRows(wayIds, losses)
    expect(rows).toBe(1)
    expect(of('plain', 4)?.mean).toBeCloseTo(beyond.losses.plain[4], 9)
    const none = lossesOnCommonRows(wayIds, () => [])
    expect([none.rows, none.of('plain', 1)]).toEqual([0, undefined])
  })

  it('stays in its room, measured or not', async () => {
    for (const one of [numbers, { ...numbers, loss: () => undefined, map: () => undefined }])
      expect(await misfits((room) => drawLonger(one, room, palette))).toEqual([])
  })

  it('publishes a row for each loss that is measured', () => {
    const output = module
      .output(
        {
          params: { ways: wayIds, way: 'plain' },
          bench: { engine: { model: { info: { max_position_embeddings: 512 } } } },
          width: 820,
          height: 620,
          scheme: 'light',
          cursor: { layer: 0, head: 1 },
        } as never,
        { commonLosses: { of: numbers.loss }, map: numbers.map, progress: { done: 0, total: 3 } } as never,
      )
      .pictureFor(undefined)
    const published = output.published
    expect(published?.tables?.[0]?.table.length).toBe(3 * wayIds.length)
    expect(published?.tables?.[0]?.table.row(1)).toEqual([t().ways.plain, 1024, beyond.losses.plain[2], 300])
    expect(published?.subject).toBe('beyond-the-length')
  })
})

describe('the measuring', () => {
  async function setUp(way: WayId) {
    const worker = new FakeWorker()
    const engine = new EngineState(() => worker)
    engine.start('cpu', 'auto')
    engine.load({ kind: 'url', base: 'http://host/m/', name: 'm', files: ['held-out-long.json'] })
    await worker.loaded({ vocab_size: 8192, head_size: 4, stretches: true })
    const selection = inRoot<Selection>({ ways: [way], way, place: { layer: 0, head: 1 } })
    const make = () =>
      selection.make(
        () =>
          new LongTexts(
            engine,
            () => selection.value,
            async () => file,
          ),
      )
    const { result: texts, end } = make()
    const settleRuns = async () => {
      flushSync()
      await soon()
    }
    const select = (change: Partial<Selection>) => {
      selection.value = { ...selection.value, ...change }
      return settleRuns()
    }
    const start = () => {
      texts.start()
      return settleRuns()
    }
    const stop = () => {
      texts.stop()
      return settleRuns()
    }
    /** Answers the newest request for a map, and gives its head. */
    const answerMap = async () => {
      const request = worker.requests('comparisonHead').at(-1)!
      const { layer, head, ids } = request.params
      await worker.answer(request, headOf(request.id, layer, head, ids.length))
      await settleRuns()
      return head
    }
    const answerLoss = async (mean: number) => {
      await worker.answer(worker.requests('loss').at(-1)!, { mean, labels: 10 })
      await settleRuns()
    }
    await settleRuns()
    return { worker, texts, select, start, stop, answerMap, answerLoss, settleRuns, make, end }
  }

  it('asks nothing before it is started', async () => {
    const { worker, texts, select, end } = await setUp('plain')
    await select({ place: { layer: 0, head: 3 } })
    expect([texts.isServed, texts.isMeasuring, worker.requests('comparisonHead'), worker.requests('loss')]).toEqual([
      true,
      false,
      [],
      [],
    ])
    end()
  })

  it('caches a map under the head that was requested, whatever is selected meanwhile', async () => {
    const { worker, texts, select, start, answerMap, end } = await setUp('partial')
    await start()
    const [stretched] = worker.requests('contextExtensions')
    await select({ place: { layer: 0, head: 3 } })
    const rope = { theta: Float64Array.of(1, 0.1, 1), scores: new Float64Array(2) }
    await worker.answer(stretched!, [rope, rope])
    expect(await answerMap()).toBe(1)
    expect(texts.map(1)).toBeUndefined()
    await select({ place: { layer: 0, head: 1 } })
    expect(texts.map(1)).toBeDefined()
    end()
  })

  it('goes on with another way when the figure was closed in between', async () => {
    const { worker, texts, select, start, answerMap, answerLoss, settleRuns, make, end } = await setUp('plain')
    await start()
    for (let map = 0; map < 3; map++) await answerMap()
    while (texts.isMeasuring) await answerLoss(4)
    end()
    await select({ ways: ['plain', 'clamp'] })
    const { result: later, end: endLater } = make()
    expect([later.hasLosses, later.isComplete]).toEqual([true, false])
    const before = worker.requests('loss').length
    later.start()
    await settleRuns()
    expect([later.isMeasuring, worker.requests('loss').length]).toEqual([true, before + 1])
    endLater()
  })

  it('drops the answer to a request before the last start', async () => {
    const { texts, start, stop, worker, end } = await setUp('plain')
    await start()
    const [first] = worker.requests('comparisonHead')
    await stop()
    expect([texts.isMeasuring, worker.requests('comparisonHead').length]).toEqual([false, 1])
    await start()
    await worker.answer(first!, headOf(first!.id, 0, 1, first!.params.ids.length))
    expect(texts.map(1)).toBeUndefined()
    end()
  })

  it('measures maps before losses, continues after a stop, and a way that is added later waits for a start', async () => {
    const { worker, texts, select, start, stop, answerMap, answerLoss, end } = await setUp('plain')
    await start()
    for (let map = 0; map < 3; map++) await answerMap()
    const batches = () => worker.requests('loss').map(({ params }) => params.batch)
    for (let row = 0; row < 2; row++) await answerLoss(3)
    expect(batches()).toEqual([4, 2, 1])
    await stop()
    await start()
    expect([batches(), texts.progress.done]).toEqual([[4, 2, 1, 1], 2])
    while (texts.isMeasuring) await answerLoss(4)
    expect([texts.isComplete, texts.progress.done]).toEqual([true, heldOut.rows * 3])
    const count = batches().length
    await select({ ways: ['plain', 'clamp'] })
    expect([texts.isComplete, texts.isMeasuring, batches().length]).toEqual([false, false, count])
    // Another head gets its maps at once.
    await select({ place: { layer: 0, head: 2 } })
    expect([texts.isMeasuring, await answerMap(), batches().length]).toEqual([false, 2, count])
    end()
  })
})
