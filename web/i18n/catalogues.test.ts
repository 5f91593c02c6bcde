// Every language file is complete: TypeScript checks its keys, this test its values.
import { describe, expect, it } from 'vitest'
import { plainText } from './rich'

type File = Readonly<Record<string, unknown>>
const files = import.meta.glob<File>(['../**/*.{en,ko,hu}.ts', '!./**'], { eager: true })
const sources = import.meta.glob<string>(['../**/*.{ko,hu}.ts', '!./**'], {
  eager: true,
  query: '?raw',
  import: 'default',
})
const translated = Object.keys(files).filter((path) => /\.(ko|hu)\.ts$/.test(path))

type Text = [path: string, text: string]

/** The texts of a catalogue by their paths: a sentence of pieces is one text, a function its name. */
function textsOf(value: unknown, path = ''): Text[] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, 'function']]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value) && value.some((one) => typeof one === 'string')) return [[path, plainText(value)]]
  return Object.entries(value).flatMap(([name, one]) => textsOf(one, path === '' ? name : `${path}.${name}`))
}

const catalogueOf = (path: string): unknown => {
  const { t, default: translation } = files[path] ?? {}
  return translation ?? (t as () => unknown)()
}

describe('the catalogues', () => {
  it('are found', () => {
    expect(translated.length).toBeGreaterThan(20)
    expect(translated.filter((path) => !(path.replace(/\.\w+\.ts$/, '.en.ts') in files))).toEqual([])
  })

  it('have each language of the page', () => {
    // The package speaks English.
    const english = Object.keys(files).filter((path) => path.endsWith('.en.ts') && !path.startsWith('../package/'))
    const missing = english.flatMap((path) =>
      ['ko', 'hu'].map((language) => path.replace(/en\.ts$/, `${language}.ts`)).filter((other) => !(other in files)),
    )
    expect(missing).toEqual([])
  })
})

describe.each(translated)('%s', (path) => {
  const english = catalogueOf(path.replace(/\.\w+\.ts$/, '.en.ts'))
  const translation = catalogueOf(path)

  it('says what English says, and nothing else', () => {
    const names = (catalogue: unknown) => textsOf(catalogue).map(([name]) => name)
    expect(names(translation).sort()).toEqual(names(english).sort())
  })

  it('takes no message from English', () => {
    expect(sources[path]).toBeTypeOf('string')
    expect(sources[path]).not.toMatch(/\.\.\.en\b|^import (?!type ).*\.en'/m)
  })

  it('has no empty text but where English has', () => {
    const empty = (catalogue: unknown) => textsOf(catalogue).filter(([, text]) => text.trim() === '')
    expect(empty(translation)).toEqual(empty(english))
  })

  it('is in its language', () => {
    const letters = /\.ko\.ts$/.test(path) ? /\p{Script=Hangul}/u : /[áéíóöőúüű]/i
    const texts = textsOf(translation).map(([, text]) => text)
    if (texts.length > 0) expect(texts.join(' ')).toMatch(letters)
  })
})
