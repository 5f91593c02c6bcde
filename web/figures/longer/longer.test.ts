import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ramp } from '../../charts/colour'
import { readHeldOut } from '../../session/heldOut'
import { sequential } from '../../styles/colours'
import { read as en } from '../../i18n/en/read'
import { read as hu } from '../../i18n/hu'
import { read as ko } from '../../i18n/ko'
import { beyond } from '../../i18n/facts'
import {
  alsoSpent,
  changeOf,
  changeOfRun,
  comparedLosses,
  drawLonger,
  keyOf,
  kindOf,
  lengths,
  secondsFor,
  shrunk,
  stretchAsks,
  textsOf,
  wayIds,
  waysOf,
  type Shown,
  type Spent,
  type Times,
  type WayId,
} from './model'

const model = { vocab_size: 8192, max_position_embeddings: 512 }
const file = readFileSync('models/roformer-english/held-out-long.json', 'utf8')
const held = readHeldOut(file, { ...model, max_position_embeddings: 4096 })

describe('texts beyond a length', () => {
  it('ask for the same tokens at every length, and none is longer than it says', () => {
    expect(file.length).toBeLessThanOrEqual(60_000)
    expect(held.masked).toBe(beyond.tokens)
    expect(beyond.context).toBe(model.max_position_embeddings)
    const asked = lengths.map((times) => {
      const { ids, labels, batch } = textsOf(held, 3, times)
      const length = ids.length / batch
      expect([batch, labels.length]).toEqual([4 / times, ids.length])
      expect(length).toBeLessThanOrEqual(times * model.max_position_embeddings)
      expect(length).toBeGreaterThan(times * model.max_position_embeddings - 10)
      for (let text = 0; text < batch; text++) {
        expect([ids[text * length], ids[(text + 1) * length - 1]]).toEqual([2, 3])
      }
      return Array.from(labels).filter((label) => label >= 0)
    })
    expect(asked[0]?.length).toBeGreaterThan(200)
    expect(asked[1]).toEqual(asked[0])
    expect(asked[2]).toEqual(asked[0])
  })

  it('change nothing at the model’s own length but the distances that count', () => {
    for (const way of wayIds) {
      const limit = way === 'clamp' || way === 'both'
      const part = way === 'partial' || way === 'proportional'
      if (!part) expect(changeOf(way, 1, model), way).toEqual(limit ? { reach: 128 } : {})
      expect(new Set(lengths.map((times) => keyOf(changeOf(way, times, model), times))).size, way).toBe(3)
    }
    expect(changeOf('yarnCode', 4, model).scaling).toEqual({
      rope_type: 'yarn',
      factor: 4,
      original_max_position_embeddings: 512,
    })
    expect(changeOf('both', 2, model)).toEqual({ reach: 128, logN: 512 })
    expect(waysOf(['logn', 'nothing', 'plain'])).toEqual(['plain', 'logn'])
  })

  it('turn a part of the pairs, or each by what the engine says', () => {
    const sizes = { ...model, head_size: 8, num_hidden_layers: 2 }
    const stopped = [0, 1].map((layer) => ({ layer, head: null, pairs: [1, 2, 3], fate: 'stop' }))
    expect(changeOfRun(changeOf('proportional', 4, model), sizes, undefined)).toEqual({ muted: stopped, off: [] })
    const { stretch } = changeOf('yarn', 4, model)
    expect(stretch && stretchAsks(stretch, sizes)).toEqual({
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
    const change = changeOfRun(changeOf('yarn', 4, model), sizes, [before, after])
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
    const kind = (times: Times, way: WayId) => kindOf(times, changeOf(way, times, model))
    const none: Spent = new Map()
    expect(secondsFor([kind(1, 'plain')], none)).toBeUndefined()
    const spent = alsoSpent(alsoSpent(none, kind(1, 'plain'), 900), kind(1, 'plain'), 1100)
    // Of the others nothing is known yet but that.
    expect(secondsFor([kind(1, 'plain'), kind(4, 'plain')], spent)).toBe(2)
    const more = alsoSpent(spent, kind(4, 'clamp'), 9000)
    expect(secondsFor([kind(1, 'logn'), kind(4, 'both'), kind(4, 'logn')], more)).toBe(19)
  })

  it('are measured by PyTorch in the same ways', () => {
    // Measured besides, for the words: LongRoPE with all factors at 1.
    expect(Object.keys(beyond.losses)).toEqual([...wayIds, 'magnitude'])
  })
})

describe('a map made small', () => {
  it('keeps the strongest weight under each cell', () => {
    const weights = Float32Array.of(0.5, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 0.2, 0.8, 0.1, 0.1, 0.1, 0.7)
    const { side, cells, strongest } = shrunk(weights, 4, 2)
    expect(side).toBe(2)
    expect(Array.from(cells, (cell) => Math.round(cell * 10) / 10)).toEqual([1, 0, 0.1, 0.8])
    expect(strongest).toBeCloseTo((0.5 + 1 + 0.8 + 0.7) / 4)
    expect(shrunk(weights, 4).side).toBe(4)
  })
})

describe('the figure', () => {
  const palette = ramp(sequential.light)
  const losses = (way: WayId, times: Times) => [
    { mean: beyond.losses[way][times], labels: 300 },
    ...(way === 'plain' ? [{ mean: 9, labels: 300 }] : []),
  ]
  const shown: Shown = {
    ways: wayIds,
    way: 'plain',
    context: 512,
    losses,
    map: (times) => (times === 4 ? undefined : shrunk(new Float32Array(16).fill(0.25), 4)),
  }

  it('compares losses of the same rows', () => {
    const { rows, of } = comparedLosses(shown)
    expect(rows).toBe(1)
    expect(of('plain', 4)?.mean).toBeCloseTo(beyond.losses.plain[4], 9)
    const none = comparedLosses({ ...shown, losses: () => [] })
    expect([none.rows, none.of('plain', 1)]).toEqual([0, undefined])
  })

  it('stays in its room, measured or not', () => {
    for (const { figures } of [en, ko, hu]) {
      for (const [width, height] of [
        [350, 360],
        [820, 620],
        [1700, 1000],
      ] as const) {
        for (const one of [shown, { ...shown, losses: () => [], map: () => undefined }]) {
          const scene = drawLonger(one, { width, height }, palette, figures.longer)
          for (const mark of scene.marks) {
            if (mark.kind !== 'text' && mark.kind !== 'raster' && mark.kind !== 'rect') continue
            expect(mark.x).toBeGreaterThanOrEqual(-1)
            const end = mark.kind === 'text' ? mark.x : mark.x + mark.width
            const below = mark.kind === 'text' ? mark.y : mark.y + mark.height
            expect(end).toBeLessThanOrEqual(width + 1)
            expect(below).toBeLessThanOrEqual(height + 1)
          }
        }
      }
    }
  })
})
