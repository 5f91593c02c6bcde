import { describe, expect, it } from 'vitest'
import { chapters } from '../../state/choice'
import { decode } from '../../state/codec'
import { figures } from '../../views/figures'
import { facts } from '../../words/facts'
import { read as en } from '../../words/en/read'
import { read as hu } from '../../words/hu'
import { read as ko } from '../../words/ko'
import { plainText, type Sentence } from '../../words/rich'
import { contents } from './chapters'
import { positionAt, spanOf, ticksOf } from './track'

const editions = { en, ko, hu }

/** The numbers of a text, however they are grouped and pointed. */
const numbersIn = (sentences: readonly Sentence[]) =>
  sentences
    .map(plainText)
    .join(' ')
    .match(/\d[\d.,\u00a0]*\d|\d/g)
    ?.map((number) => number.replace(/\D/g, ''))
    .sort()

describe('the chapters', () => {
  it('are ten, each with the figure of its place', () => {
    expect(contents.map(({ id }) => id)).toEqual(chapters)
    expect(contents.map(({ figure }) => figure)).toEqual(figures.slice(0, contents.length))
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
      for (const [chapter, wanted] of [
        ['5', [facts.last, facts.pairs, facts.context]],
        ['6', [facts.crossing.d64, facts.crossing.d128, facts.crossing.d64Base500k, facts.crossing.d128Base500k]],
        ['8', [facts.llama.kept, facts.llama.blended, facts.llama.divided, facts.yarn.pair]],
        ['9', [facts.learnt.learned, facts.learnt.t5]],
        ['10', [facts.cost.matrix, facts.cost.pairwise, facts.cost.table, facts.cost.matrices]],
      ] as const) {
        const found = numbersIn(written()[chapter]?.text ?? [])
        for (const number of wanted) expect(found, `chapter ${chapter}`).toContain(String(Math.round(number)))
      }
    })
  }

  it('guess what is so', () => {
    expect(contents[4]?.right).toBe((4 * facts.closing) / facts.pairs - 1)
    expect(facts.bound.at2000).toBeGreaterThan(facts.bound.at1000)
  })

  it('try what a link can hold', () => {
    for (const { figure, tries } of contents) {
      for (const { choice = {}, settings = {} } of tries) {
        const link = new URLSearchParams(
          Object.entries(choice).map(([name, value]) => [
            name,
            typeof value === 'boolean' ? String(Number(value)) : String(value),
          ]),
        )
        const read = decode(`/read/1?${link}`)
        expect({ ...read, ...choice }).toEqual(read)
        for (const [name, value] of Object.entries(settings)) {
          const field = figure.settings?.[name]
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
