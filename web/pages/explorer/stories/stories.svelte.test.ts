// The stories as data, and their captions with the engine behind them: the WASM on the CPU, and the models that come with the page.
import { afterAll, describe, expect, it, vi } from 'vitest'
import { languages } from '../../../i18n/language'
import { plainText } from '../../../i18n/rich'
import { InThreadWorker, openBench } from '../../../testing/inThreadWorker'
import { viewOf } from '../../../views'
import { decode, encode } from '../../../viewstate/codec'
import { stories as ofAll } from './Chips.svelte'
import { atDistance, followers, largestIn, partBelow, strongestBack } from './measures'
import { numbersHu, numbersKo } from './numbers'
import { leader, overlap, placeCaption, scrollFor } from './place'
import { isOf, replaced, sceneAt } from './story.svelte'

vi.hoisted(() => {
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('matchMedia', () => new EventTarget())
})
afterAll(() => vi.unstubAllGlobals())

const stories = [...ofAll, numbersKo, numbersHu]
const mostWords = 20

it('are six, and one for each language that the first model does not read, each with three or four captions, in views that exist', () => {
  expect(new Set(stories.map(({ id }) => id)).size).toBe(8)
  for (const { captions, scene, name } of stories) {
    expect([3, 4]).toContain(captions.length)
    expect(new Set(languages.map((language) => name[language])).size).toBe(languages.length)
    for (const { view } of captions) expect(view === undefined || scene.open.includes(view)).toBe(true)
    for (const id of scene.open) expect(viewOf(id)?.id).toBe(id)
  }
})

it('are links to their scenes', () => {
  for (const { scene } of stories) expect(decode(encode({ ...decode('#text=mine'), ...scene }))).toMatchObject(scene)
})

it('open the view of a caption alone on a phone, and know what is no longer theirs', () => {
  const [story] = stories
  const at = story!.captions.findIndex(({ view }) => view === 'score')
  expect(sceneAt(story!, at, false).open).toEqual(['map', 'score'])
  expect(sceneAt(story!, at, true).open).toEqual(['score'])
  const scene = sceneAt(story!, 0, false)
  const choice = { ...decode(''), ...scene }
  expect(isOf(scene, choice)).toBe(true)
  expect(isOf(scene, { ...choice, open: ['lines'], pair: 3 })).toBe(true)
  expect(isOf(scene, { ...choice, key: 2 })).toBe(false)
  expect(isOf(scene, { ...choice, ablated: [{ layer: 0, head: 0, pairs: [1] }] })).toBe(false)
  expect(replaced(scene, { ...choice, key: 2 })).toEqual({})
  expect(replaced(scene, { ...choice, model: 'marian-numbers' })).toEqual({ model: 'marian-numbers' })
  expect(replaced(scene, { ...choice, text: 'mine', query: 1 })).toMatchObject({ text: 'mine', query: 1, key: 8 })
})

/** Its numbers, without signs of digits' groups. */
const numbersIn = (text: string) => [...text.matchAll(/[\d.,]*\d/g)].map(([number]) => number).sort()

const models = [...new Set(stories.map(({ scene }) => scene.model))]

describe.each(models)('captions on %s', (model) => {
  it('say in each language the same numbers, in at most twenty words', { timeout: 240_000 }, async () => {
    const ofModel = stories.filter(({ scene }) => scene.model === model)
    const { bench, complete } = await openBench(new InThreadWorker(), model, ofModel[0]!.scene.text)
    for (const story of ofModel) {
      let sources: unknown
      const close = $effect.root(() => {
        sources = story.sources(bench)
      })
      for (const [at, caption] of story.captions.entries()) {
        bench.showStory(sceneAt(story, at, false))
        // The story's model is here already, from files.
        bench.linkedModel.release()
        await complete()
        const said = caption.say(sources)
        expect(said, `${story.id} ${at}`).toBeDefined()
        const texts = languages.map((language) => plainText(said![language]))
        for (const text of texts) {
          expect(text.split(/\s+/).length, text).toBeLessThanOrEqual(mostWords)
          expect(numbersIn(text), text).toEqual(numbersIn(texts[0]!))
        }
        expect(new Set(texts).size).toBe(languages.length)
        expect(numbersIn(texts[0]!).length, 'what was measured').toBeGreaterThan(0)
      }
      if ([numbersKo, numbersHu].includes(story)) {
        const { run, cursor } = bench
        expect(run?.reading.display[cursor.key], 'the digit of the first caption').toMatch(/^\d$/)
        expect(largestIn(run!.head, cursor.query)).toBe(cursor.key)
      }
      close()
    }
    bench.endStory()
    expect(bench.inStory).toBe(false)
  })
})

describe('measures', () => {
  const map = { length: 3, attention: Float32Array.of(1, 0, 0, 0.75, 0.25, 0, 0.5, 0.25, 0.25) }

  it('know what keys at a distance get', () => {
    expect(atDistance(map, 1)).toEqual({ distance: 1, of: 2, largest: 1, mean: 0.5 })
    expect(atDistance(map, -1)).toEqual({ distance: -1, of: 2, largest: 0, mean: 0 })
    expect(atDistance(map, 9)).toEqual({ distance: 9, of: 0, largest: 0, mean: 0 })
    expect(
      strongestBack({ length: 4, attention: Float32Array.from([4, 0, 0, 0, 1, 0, 0, 0, 0, 9, 0, 0, 0, 0, 9, 0]) })
        .distance,
    ).toBe(1)
  })

  it('know the key that a row looks at most', () => {
    expect([0, 1, 2].map((row) => largestIn(map, row))).toEqual([0, 0, 0])
    expect(largestIn({ length: 2, attention: Float32Array.of(1, 0, 0.25, 0.75) }, 1)).toBe(1)
  })

  it('find what followed a phrase, and what lies below a limit', () => {
    expect(followers([7, 1, 2, 5, 1, 2, 6, 3, 2, 1, 2], 10)).toEqual([3, 6])
    expect(followers([1, 2, 3], 2)).toEqual([])
    expect(partBelow(map, Float32Array.of(0, -9, -9, 0, -9, 0, 0, 0, 0), -5)).toEqual({
      cells: 3 / 9,
      weight: 0.25 / 3,
    })
  })
})

describe('the place of a caption', () => {
  const [size, screen] = [
    { width: 300, height: 120 },
    { width: 1280, height: 720 },
  ]

  it.each([
    ['at the left', { x: 20, y: 300, width: 400, height: 300 }],
    ['at the right', { x: 850, y: 300, width: 420, height: 100 }],
    ['in a corner', { x: 1270, y: 0, width: 10, height: 10 }],
    ['as wide as the screen', { x: 10, y: 90, width: 1260, height: 60 }],
    ['as wide as the screen at its end', { x: 10, y: 640, width: 1260, height: 60 }],
  ])('is on the screen and not on an anchor %s', (_, anchor) => {
    const at = placeCaption(anchor, size, screen)
    expect(overlap(anchor, { ...at, ...size })).toBe(0)
    expect(Math.min(at.x, at.y, screen.width - at.x - size.width, screen.height - at.y - size.height)).toBeGreaterThan(
      0,
    )
  })

  it('covers least of an anchor that leaves no room', () => {
    const at = placeCaption({ x: 0, y: 0, width: 1280, height: 660 }, size, screen)
    expect(at.y).toBe(720 - 120 - 8)
  })

  it('is joined with the anchor by the shortest line', () => {
    const anchor = { x: 0, y: 0, width: 100, height: 100 }
    expect(leader({ x: 200, y: 50, width: 50, height: 100 }, anchor)).toEqual({ x1: 200, y1: 75, x2: 100, y2: 75 })
    expect(leader({ x: 200, y: 200, width: 50, height: 50 }, anchor)).toEqual({ x1: 200, y1: 200, x2: 100, y2: 100 })
  })

  it('is scrolled to where it is read', () => {
    expect(scrollFor({ x: 0, y: 100, width: 1, height: 100 }, 40, 600)).toBe(0)
    expect(scrollFor({ x: 0, y: 700, width: 1, height: 60 }, 40, 600)).toBe(410)
    expect(scrollFor({ x: 0, y: 700, width: 1, height: 900 }, 40, 600)).toBe(660)
  })
})
