import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeNumber } from '../engine/protocol/numberIntervention'
import { weightFormats } from '../engine/protocol/protocol'
import { numberTensors, tensors } from '../engine/protocol/siteNames'
import type { Choice } from './choice'
import { completeLink, decode, defaults, encode, fields, longestLinkedText, longestScaling, ranges } from './codec'
import { spansOf } from './fields'

const place = fc.record({ layer: fc.nat(9999), head: fc.nat(9999) })
const index = fc.option(fc.nat(9999), { nil: null })
const muted = fc.record({
  layer: index,
  head: index,
  pairs: fc.uniqueArray(fc.nat(300), { minLength: 1, maxLength: 20 }).map((pairs) => pairs.sort((a, b) => a - b)),
})

const numberIntervention = fc
  .record({
    tensor: fc.constantFrom(...numberTensors),
    layer: fc.oneof(fc.nat(99), fc.constant('*' as const)),
    index: fc.array(fc.oneof(fc.nat(999), fc.constant('*' as const)), { minLength: 3, maxLength: 3 }),
    value: fc.float({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
  })
  .map(({ tensor, layer, index, value }) =>
    writeNumber({
      tensor,
      layer: tensor === 'embeddings' ? null : layer,
      index: index.slice(0, tensors[tensor].length),
      value,
    }),
  )

const choices: fc.Arbitrary<Choice> = fc.record({
  model: fc.string({ unit: 'grapheme-ascii', maxLength: 60 }),
  beyond: fc.boolean(),
  offset: fc.nat(ranges.offset.most),
  frozen: fc.array(muted, { maxLength: 4 }),
  ablated: fc.array(muted, { maxLength: 4 }),
  ablatedHeads: fc.array(place, { maxLength: 4 }),
  headReplacement: fc.constantFrom('zero', 'mean'),
  neuronsOff: fc.array(fc.record({ layer: fc.nat(9999), neuron: fc.option(fc.nat(999_999)) }), { maxLength: 4 }),
  numbers: fc.array(numberIntervention, { maxLength: 4 }),
  scaling: fc.string({ unit: 'binary', maxLength: 80 }),
  rotaryValue: fc.boolean(),
  attention: fc.constantFrom('' as const, 'softmax' as const, 'linear' as const, 'linear_rotate_first' as const),
  rotatesValues: fc.boolean(),
  logN: fc.option(fc.double({ min: 0, max: ranges.logN.most, noNaN: true }), { nil: null }),
  distanceClamp: fc.option(fc.nat(ranges.distanceClamp.most), { nil: null }),
  other: fc.option(place, { nil: null }),
  open: fc.uniqueArray(fc.constantFrom('map', 'score', 'points', 'mute'), { maxLength: 3 }),
  gridWidth: fc.constantFrom('narrow', 'auto', 'wide'),
  viewParams: fc.dictionary(
    fc.stringMatching(/^[a-z]{1,8}\.[a-z]{1,8}$/),
    fc.string({ unit: 'binary', maxLength: 40 }),
    {
      noNullPrototype: true,
      maxKeys: 6,
    },
  ),
  page: fc.constantFrom('explorer', 'read', 'models', 'about'),
  chapter: fc.constant('1' as const),
  context: fc.integer({ min: ranges.context.least, max: ranges.context.most }),
  vectors: fc.constantFrom('random', 'equal', 'head'),
  language: fc.constantFrom('en', 'ko', 'hu'),
  text: fc.string({ unit: 'binary', maxLength: 80 }),
  part: fc.constantFrom('encoder' as const, 'decoder' as const, 'cross' as const),
  layer: fc.nat(9999),
  head: fc.nat(9999),
  query: fc.nat(1_000_000),
  key: fc.nat(1_000_000),
  pair: fc.option(fc.nat(100_000), { nil: null }),
  backend: fc.constantFrom('auto', 'gpu', 'cpu'),
  weights: fc.constantFrom('auto' as const, ...weightFormats),
  headSize: fc.nat(255).map((half) => 2 + half * 2),
  base: fc.double({ min: ranges.base.least, max: ranges.base.most, noNaN: true }),
  maxDistance: fc.integer({ min: 8, max: 8192 }),
  temperature: fc.double({ min: 0, max: 2, noNaN: true }),
  topK: fc.integer({ min: 0, max: 64 }),
  topP: fc.double({ min: ranges.topP.least, max: 1, noNaN: true }),
  minP: fc.double({ min: 0, max: ranges.minP.most, noNaN: true }),
  repetitionPenalty: fc.double({ min: 1, max: 2, noNaN: true }),
  seed: fc.nat(ranges.seed.most),
  beams: fc.nat(8),
  maxNewTokens: fc.integer({ min: 1, max: 512 }),
})

/** The chapter is a part of its page's path. */
const chapterOf = ({ page, chapter }: Choice) => (page === 'read' ? chapter : '1')

describe('the link', () => {
  it('gives back every state, 0, nothing and an empty text included', () => {
    fc.assert(
      fc.property(choices, (choice) => {
        // Backend and language are the visitor's: no link says them.
        expect(decode(`#${encode(choice)}`)).toEqual({ ...choice, backend: 'auto', language: 'en' })
      }),
      { numRuns: 1000 },
    )
    const zeros: Choice = { ...defaults, text: '', layer: 0, head: 0, query: 0, key: 0, pair: 0 }
    expect(decode(encode(zeros))).toEqual(zeros)
    expect(decode(encode({ ...defaults, pair: null })).pair).toBeNull()
  })

  it('says the subject in full, and of all else what is not as by default', () => {
    const { model, text, layer, head, query, key } = defaults
    const subject = { model, text, layer: `${layer}`, head: `${head}`, query: `${query}`, key: `${key}` }
    expect(encode(defaults)).toBe(`/explorer?${new URLSearchParams(subject)}`)
    const changed: Choice = {
      ...defaults,
      page: 'about',
      text: 'a',
      ablated: [{ layer: 2, head: null, pairs: [0, 1, 2, 7] }],
      ablatedHeads: [{ layer: 1, head: 0 }],
      headReplacement: 'mean',
      neuronsOff: [
        { layer: 2, neuron: 17 },
        { layer: 1, neuron: null },
      ],
      numbers: ['hidden_states.2[4,17]=-0.5', 'ffn.0[*,3]=1'],
      scaling: '{"rope_type":"linear","factor":2}',
      rotatesValues: true,
      logN: 512,
      distanceClamp: 0,
      viewParams: { 'map.scale': 'log' },
    }
    const written = decodeURIComponent(encode(changed))
    expect(written).toBe(
      `/about?model=${model}&text=a&layer=2&head=6&query=9&key=8&cut=2.*:0-2,7&off=1.0&offBy=mean&neurons=2.17,1&numbers=hidden_states.2[4,17]=-0.5;ffn.0[*,3]=1&scaling={"rope_type":"linear","factor":2}&rotatesValues=1&logN=512&reach=0&map.scale=log`,
    )
  })

  it('holds neurons and numbers that are some, and nothing else', () => {
    const read = decode('#/explorer?neurons=2.17,x,1,1.2.3,-1,3.&numbers=ffn.0[1,2]=1e-3;ffn.0[1,2]=NaN;;logits[1,2]=1')
    expect(read.neuronsOff).toEqual([
      { layer: 2, neuron: 17 },
      { layer: 1, neuron: null },
    ])
    expect(read.numbers).toEqual(['ffn.0[1,2]=0.001'])
    expect(decode(`#/explorer?numbers=${Array(999).fill('ffn.0[1,2]=1').join(';')}`).numbers).toHaveLength(256)
  })

  it('of before pages were paths still opens what it showed', () => {
    expect(decode('#room=laboratory&text=a+b&headSize=128&backend=cpu&v=2')).toEqual({
      ...defaults,
      page: 'read',
      chapter: 'all',
      text: 'a b',
      headSize: 128,
      backend: 'cpu',
    })
    expect(decode('#layer=1&head=2')).toEqual({ ...defaults, layer: 1, head: 2 })
  })

  it('of a former version opens figures of Read as they were, and stays so', () => {
    const former = decode('#/read/6?near.alike=1&turn.qx=0.5')
    expect(former.viewParams).toMatchObject({
      'near.alike': '1',
      'near.curve': 'bound',
      'turn.qx': '0.5',
      'turn.qy': '0',
    })
    expect(decode(encode(former))).toEqual(former)
    for (const link of ['#/read/6', '#/explorer?near.alike=1', '#/read/6?near.alike=1&v=2'])
      expect(decode(link).viewParams, link).not.toHaveProperty(['near.curve'])
  })

  it('names the chapter of Read in its path', () => {
    expect(encode({ ...defaults, page: 'read', chapter: '5' })).toMatch(/^\/read\/5\?/)
    for (const chapter of ['1', '10', 'all'] as const) {
      expect(decode(`#/read/${chapter}?context=64&v=2`)).toEqual({ ...defaults, page: 'read', chapter, context: 64 })
    }
    expect(decode('#/read')).toEqual({ ...defaults, page: 'read' })
    expect(decode('#/read/99/x')).toEqual({ ...defaults, page: 'read' })
    expect(decode('#/laboratory?base=500&v=2')).toEqual({ ...defaults, page: 'read', chapter: 'all', base: 500 })
  })

  it('keeps what a later page may know, and no more than a link should hold', () => {
    expect(decode('#/explorer?later.field=7&text=a').viewParams).toEqual({ 'later.field': '7' })
    const many = new URLSearchParams(Array.from({ length: 500 }, (_, index) => [`a${index}`, 'x']))
    expect(Object.keys(decode(`#/explorer?${many}`).viewParams).length).toBe(64)
    expect(decode(`#/explorer?long=${'x'.repeat(9999)}`).viewParams).toEqual({})
  })

  it('takes anything a stranger writes', () => {
    expect(decode('#layer=-5&head=1e9&query=99999999999&pair=x&room=attic&backend=tpu&base=NaN&headSize=33')).toEqual({
      ...defaults,
      layer: 0,
      query: 1_000_000,
      headSize: 34,
    })
    expect(decode('#base=1e99').base).toBe(ranges.base.most)
    expect(decode('#base=-Infinity').base).toBe(ranges.base.least)
    const hostile = '#offBy=nothing&rotaryValue=yes&rotatesValues=2&logN=-7&reach=1e3'
    expect(decode(hostile)).toEqual({ ...defaults, logN: 0 })
    expect(decode('#logN=0.5&reach=99999999999')).toMatchObject({ logN: 0.5, distanceClamp: ranges.distanceClamp.most })
    expect(decode(`#scaling=${'['.repeat(50_000)}`).scaling.length).toBe(longestScaling)
    expect(decode('#layer=%E0%A4%A&text=%').text).toBe('%')
    // Ten thousand pairs, named again and again: read without end they would hold the page up for minutes.
    const { ablated } = decode(`#cut=${`*.*:${'0-9999,'.repeat(50)}0;`.repeat(1000)}`)
    expect(ablated.length).toBeLessThanOrEqual(100)
    expect(ablated.reduce((sum, { pairs }) => sum + pairs.length, 0)).toBeLessThanOrEqual(65_536)
    const everyOther = Array.from({ length: 256 }, (_, index) => 2 * index)
    expect(decode(`#stop=1.2:${everyOther.join()}`).frozen).toEqual([{ layer: 1, head: 2, pairs: everyOther }])
    expect(decode(`#text=${'a'.repeat(50_000)}`).text.length).toBe(longestLinkedText)
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (fragment) => {
        const choice = decode(fragment)
        expect(decode(encode(choice))).toEqual({
          ...choice,
          chapter: chapterOf(choice),
          backend: 'auto',
          language: 'en',
        })
      }),
    )
  })

  it('leaves out a text that is too long for it', () => {
    expect(encode({ ...defaults, text: 'a'.repeat(longestLinkedText + 1) })).not.toContain('text=')
  })

  it('that names some fields keeps all others as they are', () => {
    const present: Choice = {
      ...defaults,
      page: 'read',
      chapter: '5',
      model: 'roformer-english-causal',
      text: 'a text of mine',
      layer: 1,
      logN: 512,
      open: ['lines', 'score'],
      viewParams: { 'map.scale': 'log' },
    }
    const scaling = '{"rope_type":"linear","factor":4}'
    const link = `#/explorer?open=compare&scaling=${encodeURIComponent(scaling)}&compare.with=change`
    expect(decode(completeLink(link, present))).toEqual({
      ...present,
      page: 'explorer',
      chapter: '1',
      open: ['compare'],
      scaling,
      viewParams: { 'map.scale': 'log', 'compare.with': 'change' },
    })
    expect(decode(completeLink('#layer=3', present))).toEqual({ ...present, layer: 3 })
  })

  it('has one name for each value', () => {
    const names = Object.values(fields).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

it('writes neighbouring pairs as spans', () => {
  expect(spansOf([0, 1, 2, 5, 7, 8])).toEqual([
    [0, 2],
    [5, 5],
    [7, 8],
  ])
})

describe('the short link of the lesson', () => {
  it('opens a step with its question, and keeps what else the visitor has', () => {
    const { page, open, viewParams } = decode('/explorer?lesson=4')
    expect({ page, open, viewParams }).toEqual({
      page: 'explorer',
      open: ['lesson'],
      viewParams: { 'lesson.step': '4', 'lesson.answer': '0' },
    })
    const present = { ...defaults, text: 'mine', open: ['map'], viewParams: { 'lesson.answer': '2' } }
    const followed = decode(completeLink('#/explorer?lesson=1', present))
    expect(followed).toMatchObject({ text: 'mine', open: ['lesson'] })
    expect(followed.viewParams).toEqual({ 'lesson.step': '1', 'lesson.answer': '0' })
  })
})
