// The sentence above the maps, and the line below it.
import { expect, it } from 'vitest'
import { looking } from '../../testing/attentionMaps'
import { alignSame, difference, likenessOf, type AttentionMap } from './maps'
import { headlineOf, type HeadlineSubject } from './view'

const back = looking(8, -1, 0.75)
const ahead = looking(8, 1, 0.8)
const even = looking(8, 0, 0)
const same = alignSame(8)

const heads: HeadlineSubject = {
  a: { head: back },
  b: { head: ahead },
  alignment: same,
  contrast: { by: 'head', head: 'L2·H6', other: 'L2·H5' },
}
const headline = (subject: HeadlineSubject) =>
  headlineOf(
    subject,
    likenessOf(subject.a.head, subject.b.head, subject.alignment, false),
    difference(subject.a.head, subject.b.head, subject.alignment),
  )
const title = (subject: HeadlineSubject) => headline(subject).title

it('is what each head looks at', () => {
  expect(title(heads)).toBe('L2·H6 looks one token back; L2·H5 one token ahead.')
  expect(title({ ...heads, b: { head: back } })).toBe('L2·H6 and L2·H5 both look one token back.')
  expect(title({ ...heads, b: { head: even } })).toBe('L2·H6 looks one token back; L2·H5 does not.')
  expect(title({ ...heads, a: { head: even } })).toBe('L2·H5 looks one token ahead; L2·H6 does not.')
  expect(title({ ...heads, a: { head: even }, b: { head: even } })).toBe(
    'L2·H6 and L2·H5 put 0\u00a0% of their weight on different tokens.',
  )
})

it('is what a change does to a head', () => {
  const changed: HeadlineSubject = {
    ...heads,
    contrast: { by: 'change', head: 'L2·H6', change: 'with 4 pairs of head L2·H6 ablated' },
  }
  expect(title({ ...changed, b: { head: even } })).toBe(
    'With 4 pairs of head L2·H6 ablated, head L2·H6 no longer looks one token back.',
  )
  expect(title({ ...changed, b: { head: looking(8, -1, 0.7) } })).toContain('still looks one token back')
  expect(title(changed)).toContain('looks one token ahead, not one token back')
  expect(title({ ...changed, b: { head: back } })).toContain('gives exactly the same weights as before')
  const rounded = { ...back, attention: back.attention.map((weight) => weight + 3.4e-7) }
  expect(title({ ...changed, b: { head: rounded } })).toMatch(/no weight changes by more than 0\.000000\d\.$/)
  expect(title({ ...changed, a: { head: even }, b: { head: looking(8, 0, 0.3) } })).toMatch(
    /puts \d+\u00a0% of its weight on other tokens/,
  )
})

it('is what a head does in two texts, what of them is compared, and how alike they are by distance', () => {
  const longer = looking(11, -1, 0.75)
  const toB = Int32Array.of(0, 1, 2, 3, 7, 8, 9, 10)
  const ends: HeadlineSubject = {
    ...heads,
    b: { head: longer },
    alignment: { toB, toA: new Int32Array(11), compared: 'ends', shared: 8 },
    contrast: { by: 'text', head: 'L2·H6' },
  }
  expect(title(ends)).toBe('L2·H6 looks one token back in both texts.')
  expect(headline(ends).line).toMatch(
    /^A gives the token before 78\s% of its weight on average, B 77\s%\. To make them equal, \d+\u00a0% of the weight would have to move; the maps correlate by 0\.9\d\. 8 of 11 tokens are a common beginning and end: these are compared\. They give 9\d\u00a0% of their weight to the same distances\.$/,
  )
  expect(title({ ...ends, b: { head: looking(11, 1, 0.8) } })).toBe(
    'L2·H6 looks one token back in A’s text, one token ahead in B’s.',
  )
  expect(title({ ...ends, b: { head: looking(11, 0, 0) } })).toBe(
    'L2·H6 looks one token back in A’s text; in B’s it does not.',
  )
  expect(title({ ...ends, a: { head: even } })).toBe('L2·H6 looks one token back in B’s text; in A’s it does not.')
  const none: HeadlineSubject = { ...ends, alignment: { ...ends.alignment, compared: 'none', shared: 0 } }
  expect(headline(none).line).toContain('too few tokens in common')
  expect(headline(none).line).not.toContain('would have to move')
  expect(title({ ...none, a: { head: even }, b: { head: even } })).toBe(
    'In both texts L2·H6 gives 100\u00a0% of its weight to the same distances.',
  )
})

it('in cross-attention is of the source', () => {
  // Three tokens of a source, two of a text.
  const cross = (...row: number[]): AttentionMap => {
    const attention = new Float32Array(25)
    attention.set(row, 15)
    attention.set(row, 20)
    return { attention, length: 5, source: 3 }
  }
  const [end, start, middle] = [cross(0, 0, 1), cross(0.9, 0.1, 0), cross(0.2, 0.6, 0.2)]
  const texts = (a: AttentionMap, b: AttentionMap, sameSource?: boolean): HeadlineSubject => ({
    a: { head: a },
    b: { head: b },
    alignment: { ...alignSame(5), ...(sameSource === undefined ? {} : { sameSource }) },
    contrast: { by: 'text', head: 'L1·H0' },
  })
  expect(title(texts(end, end, false))).toBe('L1·H0 looks at the end of the source in both texts.')
  expect(headline(texts(end, start, false)).title).toBe(
    'L1·H0 looks at the end of the source in A’s text, at the beginning of the source in B’s.',
  )
  expect(headline(texts(end, middle, false)).line).toMatch(/^A gives the source’s last token 100\s% of its weight/)
  expect(title(texts(middle, middle, false))).toBe('L1·H0 has no clear pattern in either source.')
  expect(title(texts(middle, middle, true))).toBe('L1·H0 has no clear pattern in the source that both texts share.')
})

it('names both models', () => {
  const models: HeadlineSubject = {
    ...heads,
    contrast: { by: 'model', head: 'L2·H6', other: 'L1·H3', model: 'one', otherModel: 'other' },
  }
  expect(title(models)).toBe('L2·H6 of one looks one token back; L1·H3 of other one token ahead.')
  expect(headline(models).line).toContain('Both models read the same 8 tokens.')
  const none: HeadlineSubject = {
    ...models,
    a: { head: even },
    b: { head: even },
    alignment: { ...same, compared: 'none', shared: 0 },
  }
  expect(title(none)).toBe('L2·H6 of one and L1·H3 of other give 100\u00a0% of their weight to the same distances.')
  expect(headline(none).line).toContain('different tokens: these are not compared')
})
