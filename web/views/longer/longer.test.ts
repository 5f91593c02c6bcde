import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ramp } from '../../elements/colour'
import { readHeldOut } from '../../state/heldOut'
import { sequential } from '../../styles/colours'
import { read as en } from '../../words/en/read'
import { read as hu } from '../../words/hu'
import { read as ko } from '../../words/ko'
import { beyond } from '../../words/facts'
import {
  changeOf,
  comparedLosses,
  drawLonger,
  keyOf,
  lengths,
  shrunk,
  textsOf,
  wayIds,
  waysOf,
  type Shown,
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
      expect(changeOf(way, 1, model), way).toEqual(limit ? { reach: 128 } : {})
      expect(new Set(lengths.map((times) => keyOf(changeOf(way, times, model), times))).size, way).toBe(3)
    }
    expect(JSON.parse(changeOf('yarn', 4, model).ropeScaling ?? '')).toEqual({
      rope_type: 'yarn',
      factor: 4,
      original_max_position_embeddings: 512,
    })
    expect(changeOf('both', 2, model)).toEqual({ reach: 128, logN: 512 })
    expect(waysOf(['logn', 'nothing', 'plain'])).toEqual(['plain', 'logn'])
  })

  it('are measured by PyTorch in the same ways', () => {
    expect(Object.keys(beyond.losses)).toEqual([...wayIds])
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
