import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { chapters } from '../../viewstate/choice'
import { decode, defaults } from '../../viewstate/codec'
import { guesses, beyond, facts, searched } from '../../i18n/facts'
import { read as en } from '../../i18n/read.en'
import { read as hu } from '../../i18n/read.hu'
import { read as ko } from '../../i18n/read.ko'
import { plainText, type Sentence } from '../../i18n/rich'
import { shift } from '../../views/shift'
import { readParams, type View } from '../../views/view'
import { contents, figureIn, figures } from './chapters'
import { positionAt, spanOf, ticksOf } from './Ruler.svelte'

const editions = { en, ko, hu }

/** The numbers in sentences, whatever their grouping and decimal point. */
const numbersIn = (sentences: readonly Sentence[]) =>
  sentences
    .map(plainText)
    .join(' ')
    .match(/\d[\d.,\u00a0]*\d|\d/g)
    ?.map((number) => number.replace(/\D/g, ''))
    .sort()

describe('the chapters', () => {
  it('are ten', () => {
    expect(contents.map(({ id }) => id)).toEqual(chapters)
    const [last] = contents.slice(-1)
    expect(last && figureIn(last, 'rotations').id).toBe('rotations')
    expect(last && figureIn(last, 'longer').id).toBe('cost')
  })

  it('have every figure that is declared', () => {
    const files = import.meta.glob<Readonly<Record<string, Partial<View>>>>('../../figures/*/index.ts', { eager: true })
    const declared = Object.values(files).flatMap((exports) => Object.values(exports).filter(({ module }) => module))
    expect(new Set(figures)).toEqual(new Set([...declared, shift]))
    expect(figures).toHaveLength(declared.length + 1)
  })

  it('first try what is not on show anyway', () => {
    for (const { id, figures, tries } of contents) {
      const [{ choice = {}, figure = figures[0], params = {} } = {}] = tries
      const before = { ...defaults, ...readParams(figure, {}) }
      expect({ ...before, ...choice, ...params }, `chapter ${id}`).not.toEqual(before)
    }
  })

  for (const [language, { chapters: written }] of Object.entries(editions)) {
    it(`are complete in ${language}: text, answers, and a name for each link`, () => {
      const all = written()
      expect(Object.keys(all)).toEqual([...chapters])
      for (const { id, right, tries } of contents) {
        const chapter = all[id]
        expect(chapter?.text.length).toBeGreaterThan(1)
        expect(chapter?.guess.answers[right]).toBeTruthy()
        expect(chapter?.tries.length).toBe(tries.length)
        expect(tries.length).toBeLessThanOrEqual(3)
        for (const text of [chapter?.name, chapter?.question, chapter?.guess.because]) expect(text).toBeTruthy()
        for (const sentence of [chapter?.not, chapter?.sources])
          expect(plainText(sentence ?? []).length).toBeGreaterThan(20)
      }
    })

    it(`name the same sources in ${language} as in English`, () => {
      for (const id of chapters) {
        const sources = (all: ReturnType<typeof en.chapters>) =>
          plainText(all[id]?.sources ?? [])
            .match(/\d{4}\.\d{5}|kexue\S*\d+|github\.com\/\w+/g)
            ?.sort()
        expect(sources(written()), `chapter ${id}`).toEqual(sources(en.chapters()))
      }
    })

    it(`name the computed numbers in ${language}`, () => {
      for (const [chapter, expected] of [
        ['5', [facts.last, facts.pairs, facts.context]],
        ['6', [facts.crossing.d64, facts.crossing.d128, facts.crossing.d64Base500k, facts.crossing.d128Base500k]],
        ['8', [facts.llama.kept, facts.llama.blended, facts.llama.divided, 100 * facts.yarn.ratio]],
        ['9', [facts.learnt.learned, facts.learnt.t5]],
        ['10', [facts.cost.matrix, facts.cost.pairwise, facts.cost.table, facts.cost.matrices]],
      ] as const) {
        const found = numbersIn(written()[chapter]?.text ?? [])
        for (const number of expected) expect(found, `chapter ${chapter}`).toContain(String(Math.round(number)))
      }
    })
  }

  it('are short', () => {
    for (const id of chapters) {
      const words = (en.chapters()[id]?.text ?? []).map(plainText).join(' ').split(/\s+/)
      expect(words.length, `chapter ${id}`).toBeLessThan(200)
    }
  })

  for (const language of Object.keys(editions)) {
    it(`type no number in ${language} but what a question is asked with, names, and those of equations and chapters`, () => {
      const exempt = ['0', '1', '2', '32', '64', '128', '30', '07', '3', '31', '5', '6', '7', '8', '9', '19']
      const source = readFileSync(`web/i18n/read.${language}.ts`, 'utf8')
      const parts = [
        [/    text: \[\n(.*?)\n    \],/gs, chapters.length],
        [/    guess: \{\n(.*?)\n    \},/gs, chapters.length],
        [/    tries: \[(.*?)\],\n/gs, chapters.length],
      ] as const
      const texts = parts.flatMap(([pattern, count]) => {
        const found = [...source.matchAll(pattern)].map(([, text = '']) => text)
        expect(found).toHaveLength(count)
        return found
      })
      const typed = texts.flatMap((text) => {
        // Values in braces are computed.
        const words = text.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
        return numbersIn([[words]]) ?? []
      })
      expect(typed.filter((number) => !exempt.includes(number))).toEqual([])
    })
  }

  it('name the numbers that their links set', () => {
    for (const {
      id,
      tries,
      figures: [first],
    } of contents) {
      const set = tries.flatMap(({ choice = {}, params = {} }) =>
        [...Object.values(choice), ...Object.values(params)].filter((value) => typeof value === 'number'),
      )
      const differences = set.flatMap((one) => set.map((other) => one - other))
      for (const { chapters: written } of Object.values(editions)) {
        const named = numbersIn(tries.map((_, at) => [written()[id]?.tries[at] ?? ''])) ?? []
        // "Llama 3.1" is a name.
        for (const number of named.filter((number) => number !== '31'))
          expect([...set, ...differences], `chapter ${id}, ${first.id}`).toContain(Number(number))
      }
    }
  })

  it('guess what is so', () => {
    const [added, nearAndFar, longer] = [contents[2], contents[5], contents[7]]
    expect(guesses.dimensions[added?.right ?? 0]).toBe(Math.max(...guesses.dimensions))
    expect([nearAndFar?.right, longer?.right]).toEqual([1, 2])
    expect(contents[4]?.right).toBe((4 * facts.closing) / facts.pairs - 1)
    expect(facts.bound.atFarther).toBeGreaterThan(facts.bound.atFar)
    // The claims of chapter 8 about measured losses, with a margin above sampling noise.
    const { plain, logn, clamp, both, interpolation, yarn, longrope, magnitude, proportional } = beyond.losses
    const felt = 0.02
    expect(plain[4] - plain[1]).toBeGreaterThan(felt)
    expect(plain[4] - logn[4]).toBeGreaterThan(felt)
    expect(logn[4] - clamp[4]).toBeGreaterThan(felt)
    expect(Math.abs(both[4] - clamp[4])).toBeLessThan(felt)
    expect(interpolation[4]).toBeGreaterThan(plain[4] + 1)
    for (const helps of [yarn, longrope, magnitude]) expect(plain[4] - helps[4]).toBeGreaterThan(felt)
    // LongRoPE's factors help at the length they were searched for, but less than its magnitude.
    const { mean, error } = searched.gains[4]
    expect(mean).toBeGreaterThan(2 * error)
    expect(Math.abs(searched.gains[2].mean)).toBeLessThan(searched.gains[2].error)
    expect(plain[4] - magnitude[4]).toBeGreaterThan(magnitude[4] - longrope[4])
    expect(proportional[1] - plain[1]).toBeGreaterThan(felt)
  })

  it('try what a link can hold', () => {
    for (const { figures, tries } of contents) {
      for (const { choice = {}, figure = figures[0], params = {} } of tries) {
        expect(figures).toContain(figure)
        const link = new URLSearchParams(
          Object.entries(choice).map(([name, value]) => [
            name,
            typeof value === 'boolean' ? String(Number(value)) : String(value),
          ]),
        )
        const read = decode(`/read/1?${link}`)
        expect({ ...read, ...choice }).toEqual(read)
        for (const [name, value] of Object.entries(params)) {
          const field = figure.params?.[name]
          expect(field?.read(field.write(value)), `${figure.id}.${name}`).toEqual(value)
        }
      }
    }
  })
})

describe('the track', () => {
  it('is as long as it must be', () => {
    expect(spanOf(9, 8, 511)).toBe(64)
    expect(spanOf(9, 200, 511)).toBe(256)
    expect(spanOf(511, 0, 511)).toBe(511)
    expect(spanOf(3, 2, 20)).toBe(20)
    expect(ticksOf(64)).toEqual([0, 16, 32, 48, 64])
    expect(ticksOf(2)).toEqual([0, 1, 2])
  })

  it('has a position under every px', () => {
    expect(positionAt(-5, 640, 64)).toBe(0)
    expect(positionAt(320, 640, 64)).toBe(32)
    expect(positionAt(9999, 640, 64)).toBe(64)
    expect(positionAt(3, 0, 64)).toBe(64)
  })
})
