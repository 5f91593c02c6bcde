import { beforeAll, afterAll, describe, expect, it } from 'vitest'
import type { ModelInfo } from '../../engine/protocol/protocol'
import { languages } from '../../i18n/language'
import { switchLanguage } from '../../i18n/messages.svelte'
import { plainText } from '../../i18n/rich'
import { goldenFiles } from '../../testing/goldenModel'
import { InThreadWorker, openBench } from '../../testing/inThreadWorker'
import { openView } from '../../testing/openView.svelte'
import { itemOf, misfits } from '../../testing/outputs'
import { runOf } from '../../session/reading'
import type { Run } from '../../session/runs.svelte'
import { weightAt } from '../../charts/matrix'
import { viewOf } from '..'
import { lesson } from '.'
import { t, type Facts } from './messages.en'
import { drawLesson } from './picture'
import { Progress } from './progress.svelte'
import { questionOf } from './questions'
import { settledAt } from './scenes/guess'
import { positionsOf, scoreAt, turnAt, turningPairs } from './scenes/rotation'
import { rankedKeys, scoreOf } from './scenes/scores'
import { steps, stepAt } from './steps'
import { sitesOf, subjectOf, type Subject } from './subject'
import { Tower } from './tower'

const facts: Facts = {
  vocabulary: 250_000,
  embedding: 128,
  hidden: 1024,
  heads: 16,
  headSize: 64,
  sharing: 4,
  neurons: 4096,
  rotates: true,
  rotatesValues: true,
  causal: true,
  cross: true,
  predicts: true,
  masks: true,
}

describe('the texts', () => {
  it.each(languages)('have at most 60 words in %s, whatever the model is', async (language) => {
    await switchLanguage(language)
    const flags = ['rotates', 'rotatesValues', 'causal', 'cross', 'predicts', 'masks'] as const
    for (let mask = 0; mask < 1 << flags.length; mask++) {
      const of = { ...facts, sharing: mask & 1 ? 1 : 4, embedding: mask & 2 ? 1024 : 128 }
      flags.forEach((flag, at) => (of[flag] = (mask & (1 << at)) !== 0))
      const { texts } = t()
      const all = [
        texts.tokens(of),
        texts.vectors(of),
        texts.projections(of, { layer: 2, head: 6 }),
        texts.rotation(of),
        texts.positions(),
        texts.scores({ text: 'table', position: 3 }, of),
        texts.weights(of),
        texts.values(of),
        texts.feedForward(of),
        texts.guess(of),
      ]
      for (const text of all) expect(plainText(text).split(/\s+/).length, plainText(text)).toBeLessThanOrEqual(60)
    }
    expect(t().names(true)).toHaveLength(steps.length)
    expect(t().titles(false)).toHaveLength(steps.length)
    await switchLanguage('en')
  })
})

/** Of the small models. */
const words = 'w5 w9 w14 w23 w7 w11 w30 w8'

const models = [
  ['an encoder', 'roformer-english', 'The little dog sat on the [MASK] by the door.'],
  ['a decoder', 'roformer-english-causal', 'The old man looked at the sea'],
  ['an encoder–decoder', 'marian-numbers', '>>hu<<1984\tezerkilencszáz'],
  ['a gated decoder with grouped heads', 'decoders/llama', words],
  ['a decoder with a sliding window', 'decoders/qwen2_window', words],
  ['a decoder that norms queries and keys', 'decoders/qwen3', words],
  ['a decoder with two kinds of layers', 'decoders/gemma3', words],
] as const

describe.each(models)('with %s', (_, folder, text) => {
  let opened: Awaited<ReturnType<typeof openBench<InThreadWorker>>>
  let view: Awaited<ReturnType<typeof openView>>
  beforeAll(async () => {
    const files = text === words ? goldenFiles(folder) : undefined
    opened = await openBench(new InThreadWorker(), folder, text, files)
    view = await openView(opened, lesson)
  }, 60_000)
  afterAll(() => view.close())

  const subject = () => subjectOf(opened.bench.run!, opened.bench.cursor)

  async function openStep(step: number, answer = 0) {
    opened.bench.choose({ viewParams: { 'lesson.step': String(step), 'lesson.answer': String(answer) } })
    await view.settled()
    return view.picture()
  }

  it('asks one question a step, and says whether the answer is right', async () => {
    for (let step = 1; step <= steps.length; step++) {
      const before = await openStep(step)
      const status = (picture: typeof before) =>
        picture.above!.flat().find((item) => item && item.kind === 'text' && item.name === 'status')
      expect(status(before)).toMatchObject({ text: '' })
      expect(before.below!.flat().some((item) => item && item.kind === 'slider')).toBe(false)
      const after = await openStep(step, 1)
      expect(plainText((status(after) as { text: string }).text)).toMatch(/ by hand now\.$/)
      const slider = itemOf(after.below, 'slider')
      expect(slider.value).toBe(40)
      // By hand the picture goes back to its beginning.
      slider.to(0).act!()
      await view.settled()
      expect(itemOf(view.picture().below, 'slider').value).toBe(0)
      slider.to(40).act!()
    }
  })

  it('explains the number that a step is about, and the engine knows it', async () => {
    const sites: string[] = []
    for (let step = 1; step <= steps.length; step++) {
      const { explains } = await openStep(step)
      if (explains !== undefined) sites.push(explains)
    }
    expect(sites.length).toBeGreaterThanOrEqual(5)
    const { run } = opened.bench
    const reply = await run!.model.ask('explanations', { ...runOf(run!), sites }, {})
    expect(reply).toMatchObject({ status: 'ok' })
  })

  it('shows the scores that softmax turns into the weights of the run', () => {
    const of = subject()
    const ranked = rankedKeys(of)
    const exponentials = ranked.map(({ score }) => Math.exp(score - ranked[0]!.score))
    const sum = exponentials.reduce((sum, one) => sum + one, 0)
    ranked.forEach(({ key, weight }, at) => {
      expect(weight).toBe(weightAt(of.run.head, of.query, key))
      expect(exponentials[at]! / sum).toBeCloseTo(weight, 4)
    })
  })

  it('goes from step to step by keys, and selects tokens', async () => {
    const picture = await openStep(5)
    expect(picture.onAction!('right')?.params).toEqual({ step: 6, answer: 0 })
    expect(picture.onAction!('left')?.params).toEqual({ step: 4, answer: 0 })
    expect(picture.onAction!('last')?.params).toEqual({ step: 9, answer: 0 })
    opened.bench.choose({ key: subject().keys.from })
    await view.settled()
    const below = view.picture().onAction!('down')?.cursor?.key
    expect(subject().keys.to - subject().keys.from).toBeGreaterThan(1)
    expect(below).toBe(subject().keys.from + 1)
    const tower = view.picture().hit!(150, 60)?.cursor
    expect(tower).toMatchObject({ layer: expect.any(Number), query: expect.any(Number) })
  })

  it('leads into the Explorer, and stays beside the view that opens', async () => {
    for (let step = 1; step <= steps.length; step++) {
      const { below } = await openStep(step, 1)
      const leave = below!.flat().find((item) => item && item.kind === 'button' && item.label === t().leave)
      if (!leave || leave.kind !== 'button') throw new Error(`no way out of step ${step}`)
      const { choice, explain } = leave.to
      const id = explain === undefined ? choice?.open?.[0] : 'explain'
      expect(viewOf(id!), id).toBeDefined()
      if (explain === undefined) expect(choice?.open?.[1]).toBe('lesson')
    }
  })

  it('draws each step within its room, before, while and after it moves', async () => {
    for (let step = 1; step <= steps.length; step++) {
      const of = subject()
      const numbers = numbersOf(of, step)
      for (const at of [0, 0.4, 0.7, 1]) {
        const inputs = { subject: of, numbers, lens: undefined, at, scheme: 'light' as const }
        const tower = towerOf(of)
        expect(
          await misfits((room) => drawLesson(stepAt(step), inputs, tower, new Uint8Array(768), room).scene),
          `step ${step} at ${at}`,
        ).toEqual([])
      }
    }
  })
})

/** Numbers of the sizes that the model has. */
function numbersOf(subject: Subject, step: number) {
  const { info } = subject
  const length = subject.rows.to
  const matrix = (columns: number, rows = length) => ({
    values: Float32Array.from({ length: columns * rows }, (_, at) => Math.sin(at)),
    columns,
  })
  const names = Object.keys(sitesOf(subject, stepAt(step)))
  return Object.fromEntries(
    names.map((name) => {
      if (name === 'inner' || name === 'activated') return [name, matrix(info.intermediate_size, 1)]
      return [name, matrix(['word', 'position', 'stream'].includes(name) ? info.hidden_size : info.head_size)]
    }),
  )
}

function towerOf(subject: Subject): Tower {
  const length = subject.rows.to - subject.rows.from
  const layers = subject.info.num_hidden_layers
  const norms = (count: number) => Float32Array.from({ length: count * length }, (_, at) => 1 + (at % 7))
  const cross = subject.part === 'cross' ? [norms(layers)] : []
  return new Tower(subject, [norms(1), norms(layers), ...cross, norms(layers)])
}

describe('the rotation', () => {
  it('leaves the score as it is while both tokens move on, and begins at position 0', async () => {
    const { bench } = await openBench(new InThreadWorker(), models[0][1], models[0][2])
    const of = subjectOf(bench.run!, bench.cursor)
    const [pairs, places] = [turningPairs(of), positionsOf(of)]
    const at = (at: number) => scoreAt(pairs, places, turnAt(at, places), of.info.scale)
    const score = scoreOf(of, of.key)
    for (const moved of [0.5, 0.75, 1]) expect(at(moved)).toBeCloseTo(score, 4)
    expect(Math.abs(at(0) - score)).toBeGreaterThan(0.01)
    expect(turnAt(0.25, { m: 9, n: 8 })).toEqual({ rotated: 0.5, moved: 0 })
    // Of a long way only the end is drawn.
    expect(turnAt(0, { m: 240, n: 8 }).rotated).toBeCloseTo(0.9)
  })
})

describe('the tower', () => {
  const info = { num_hidden_layers: 30, num_attention_heads: 8, num_key_value_heads: 8, head_size: 64 } as ModelInfo
  const of = {
    run: {} as Run,
    info,
    part: undefined,
    layer: 7,
    head: 0,
    query: 40,
    rows: { from: 0, to: 512 },
  } as unknown as Subject
  const tower = towerOf(of)
  const box = { x: 0, y: 0, width: 280, height: 500 }

  it('is one raster and a few marks, also for 30 layers and 512 tokens', () => {
    const marks = tower.draw(box, 'scores', new Uint8Array(768))
    expect(marks.filter(({ kind }) => kind === 'raster')).toHaveLength(1)
    expect(marks.length).toBeLessThan(60)
  })

  it('finds the layer and the token under a place', () => {
    const { cells, pitch } = tower.layOut(box)
    expect(tower.at(cells.x + 0.2, cells.y + 1, box)).toEqual({ layer: 29, query: 0 })
    expect(tower.at(cells.x + cells.width - 0.2, cells.y + cells.height - 1, box)).toEqual({ layer: 0, query: 511 })
    expect(tower.at(cells.x + 0.2, cells.y + 2.5 * pitch, box)).toEqual({ layer: 28, query: 0 })
    expect(tower.at(cells.x - 2, cells.y, box)).toBeUndefined()
  })

  it('adds up what a layer adds to a token', () => {
    const norms = [
      Float32Array.of(1, 2),
      Float32Array.of(3, 4, 5, 6),
      Float32Array.of(7, 8, 9, 10),
      Float32Array.of(1, 1, 2, 2),
    ]
    const small = { ...of, info: { ...info, num_hidden_layers: 2 }, rows: { from: 3, to: 5 } } as Subject
    const decoder = new Tower(small, norms)
    expect(decoder.columnOf(4)).toEqual([
      { attention: 12, feedForward: 1 },
      { attention: 16, feedForward: 2 },
    ])
    expect(decoder.embeddingOf(4)).toBe(2)
  })
})

describe('a question', () => {
  it('offers the right answer among others, measured on the run', async () => {
    const { bench } = await openBench(new InThreadWorker(), models[0][1], models[0][2])
    const of = subjectOf(bench.run!, bench.cursor)
    const inputs = { subject: of, numbers: {}, lens: undefined, scheme: 'light' as const }
    const tokens = questionOf('tokens', inputs, undefined)!
    expect(tokens.options[tokens.right]).toBe(String(bench.run!.reading.ids.length))
    const scores = questionOf('scores', inputs, undefined)!
    const [best] = rankedKeys(of)
    expect(scores.options[scores.right]).toContain(String(best!.key))
    const weights = questionOf('weights', inputs, undefined)!
    expect(new Set(weights.options).size).toBe(weights.options.length)
    expect(weights.options[weights.right]).toBe(`${Math.round(best!.weight * 100)}\u00a0%`)
  })

  it('knows from which layer on the guess stays', () => {
    const of = (...tokens: string[]) => settledAt(tokens.map((token) => ({ id: token.charCodeAt(0) })))
    expect([of('a', 'a'), of('b', 'a', 'a'), of('a', 'b', 'a'), of('a')]).toEqual([0, 1, 2, 0])
  })
})

describe('the movement', () => {
  const frames: ((now: number) => void)[] = []
  const motion = {
    reduced: false,
    next(draw: (now: number) => void) {
      frames.push(draw)
      return () => void frames.splice(frames.indexOf(draw), 1)
    },
  }

  it('goes from 0 to 1 once, and stops where a hand takes it', () => {
    const progress = new Progress(motion)
    expect([progress.at, progress.moves]).toEqual([1, false])
    progress.play(false)
    expect([progress.at, progress.moves]).toEqual([0, true])
    frames.shift()!(1000)
    frames.shift()!(2500)
    expect(progress.at).toBeCloseTo(0.5)
    progress.set(0.2)
    expect([progress.at, progress.moves, frames.length]).toEqual([0.2, false, 0])
    progress.play(false)
    frames.shift()!(1000)
    frames.shift()!(9000)
    expect([progress.at, progress.moves, frames.length]).toEqual([1, false, 0])
  })

  it('is done at once where motion is unwelcome', () => {
    const progress = new Progress({ ...motion, reduced: true })
    progress.play(true)
    expect([progress.at, progress.moves, frames.length]).toEqual([1, false, 0])
  })
})
