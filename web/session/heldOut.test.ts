import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasHeldOut, heldOutName, readHeldOut, rowsOf, addedBy, firstRound, meanOf, nextStep } from './heldOut'

const model = { vocab_size: 200, max_position_embeddings: 16 }

/** As training/held_out.py packs: the highest bit of each number first, the last byte filled up with zeros. */
function packed(numbers: readonly number[], bits: number): string {
  const stream = numbers.map((number) => number.toString(2).padStart(bits, '0')).join('')
  const bytes = stream.match(/.{1,8}/g) ?? []
  return btoa(String.fromCharCode(...bytes.map((byte) => parseInt(byte.padEnd(8, '0'), 2))))
}

const ids = [5, 6, 7, 8, 9, 127]
const masked = [0, 1, 0, 0, 0, 1]
const good = {
  book: 'A Book',
  rows: 2,
  length: 5,
  special: { first: 2, last: 3, mask: 4 },
  bits: 7,
  ids: packed(ids, 7),
  masked: packed(masked, 1),
}
const file = (over: object = {}) => JSON.stringify({ ...good, ...over })

describe('held-out.json', () => {
  it('is rows of tokens with masks, and the tokens under them', () => {
    const read = readHeldOut(file(), model)
    expect(read).toMatchObject({ book: 'A Book', rows: 2, length: 5, masked: 2 })
    expect([...read.ids]).toEqual([2, 5, 4, 7, 3, 2, 8, 9, 4, 3])
    expect([...read.labels]).toEqual([-1, -1, 6, -1, -1, -1, -1, -1, 127, -1])
    const second = rowsOf(read, 1, 1)
    expect([...second.ids]).toEqual([2, 8, 9, 4, 3])
    expect([...second.labels]).toEqual([-1, -1, -1, 127, -1])
  })

  it('may have no name', () => {
    for (const book of [undefined, 7, null]) expect(readHeldOut(file({ book }), model).book).toBe('')
  })

  it('gives back what was packed, whatever the bits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 31 }), fc.array(fc.nat(), { minLength: 3, maxLength: 3 }), (bits, any) => {
        const numbers = any.map((number) => number % 2 ** bits)
        const over = { rows: 1, bits, ids: packed(numbers, bits), masked: packed([1, 1, 1], 1) }
        const read = readHeldOut(file(over), { ...model, vocab_size: 2 ** 31 })
        expect([...read.labels.slice(1, 4)]).toEqual(numbers)
      }),
    )
  })

  it('of the bundled model is as its header says', () => {
    const text = readFileSync('models/roformer-english/held-out.json', 'utf8')
    expect(text.length).toBeLessThanOrEqual(60_000)
    const header = JSON.parse(text) as { rows: number; length: number; masked_tokens: number }
    const read = readHeldOut(text, { vocab_size: 8192, max_position_embeddings: 512 })
    expect(read).toMatchObject({ book: 'The Mysterious Rider', rows: 200, length: 128, masked: header.masked_tokens })
    // Whole words of the book, so that a shift by a bit would show.
    const vocabulary = readFileSync('models/roformer-english/vocab.txt', 'utf8').split('\n')
    const words = Array.from(rowsOf(read, 0, 200).ids, (id) => vocabulary[id])
    expect(words.filter((word) => word === 'columbine').length).toBeGreaterThan(20)
  })

  it.each([
    ['not JSON', '{'],
    ['no object', 'null'],
    ['no rows', file({ rows: 0 })],
    ['rows that are no number', file({ rows: '2' })],
    ['half a row', file({ rows: 0.5 })],
    ['more rows than there are', file({ rows: 3 })],
    ['far too many rows', file({ rows: 1e9 })],
    ['rows without room', file({ length: 2 })],
    ['rows longer than the model reads', file({ rows: 1, length: 17 })],
    ['no bits', file({ bits: 0 })],
    ['too many bits', file({ bits: 32 })],
    ['other bits', file({ bits: 9 })],
    ['tokens that are no text', file({ ids: [1, 2] })],
    ['tokens that are no base64', file({ ids: '!'.repeat(good.ids.length) })],
    ['tokens cut short', file({ ids: good.ids.slice(4) })],
    ['no masks', file({ masked: undefined })],
    ['nothing masked', file({ masked: packed([0, 0, 0, 0, 0, 0], 1) })],
    ['no special tokens', file({ special: null })],
    ['a special token that the model has not', file({ special: { ...good.special, mask: 200 } })],
    ['a negative special token', file({ special: { ...good.special, last: -1 } })],
  ])('that holds %s is a failure said in words', (_, text) => {
    expect(() => readHeldOut(text, model)).toThrow()
    try {
      readHeldOut(text, model)
    } catch (error) {
      expect(error).toEqual({
        code: 'held-out',
        message: expect.stringMatching(/^held-out\.json .*held_out\.py/),
        retryable: false,
      })
    }
  })

  it('holds only tokens that the model has', () => {
    expect(() => readHeldOut(file(), { ...model, vocab_size: 100 })).toThrow()
  })
})

it('a model has the file where its source names it', () => {
  const source = { kind: 'url', base: 'http://host/m/', name: 'm', files: ['config.json', heldOutName] } as const
  expect(hasHeldOut(source)).toBe(true)
  expect(hasHeldOut({ ...source, files: ['config.json'] })).toBe(false)
  expect(hasHeldOut({ kind: 'files', name: 'm', files: [] })).toBe(false)
})

it('a mean is weighted by the tokens it is over', () => {
  expect(meanOf([])).toBeUndefined()
  expect(meanOf([{ mean: NaN, labels: 0 }])).toBeUndefined()
  const steps = [
    { mean: 1, labels: 1 },
    { mean: NaN, labels: 0 },
    { mean: 5, labels: 3 },
  ]
  expect(meanOf(steps)).toEqual({ mean: 4, labels: 4 })
  expect(meanOf(steps, 2)).toEqual({ mean: 1, labels: 1 })
})

it('what a change adds is told of the tokens that both were measured on', () => {
  const fiveTimes = <T>(...steps: T[]) => Array.from({ length: 5 }, () => steps).flat()
  const baseline = [...fiveTimes({ mean: 1, labels: 10 }, { mean: 3, labels: 30 }), { mean: 100, labels: 10 }]
  const changed = fiveTimes({ mean: 2, labels: 10 }, { mean: 5, labels: 30 })
  // Steps of 10 and 30 labels add 1 and 2, 0.75 below and 0.25 above the mean.
  const error = Math.sqrt((10 / 9) * 5 * ((10 * 0.75) ** 2 + (30 * 0.25) ** 2)) / 200
  expect(addedBy(baseline, changed)).toEqual({
    before: 2.5,
    added: 4.25 - 2.5,
    error: expect.closeTo(error),
    labels: 200,
  })
  expect(addedBy(baseline, changed.slice(0, 9))?.error).toBeUndefined()
  const same = addedBy(
    baseline,
    baseline.map(({ mean, labels }) => ({ mean: mean + 0.5, labels })),
  )
  expect(same).toMatchObject({ added: 0.5, error: 0 })
  expect(addedBy([], changed)).toBeUndefined()
})

it('a first look at everything comes before a second at anything', () => {
  const input = new Map([
    ['', 12],
    ['a', 12],
    ['b', firstRound],
  ])
  const done = new Map<string, number>()
  const order: string[] = []
  for (;;) {
    const next = nextStep(input, (name) => done.get(name) ?? 0)
    if (!next) break
    expect(next.step).toBe(done.get(next.name) ?? 0)
    done.set(next.name, next.step + 1)
    order.push(next.name)
  }
  expect(order.slice(0, 3 * firstRound).sort()).toEqual(['', 'a', 'b'].flatMap((name) => Array(firstRound).fill(name)))
  expect(order.slice(3 * firstRound)).toEqual([...Array(8).fill(''), ...Array(8).fill('a'), '', '', 'a', 'a'])
  expect(Object.fromEntries(done)).toEqual({ '': 12, a: 12, b: firstRound })
})
