import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { plainText } from '../../i18n/rich'
import { runOf } from '../../session/reading'
import { send } from '../../session/resource.svelte'
import { InThreadWorker, bundledFiles, openBench } from '../../testing/inThreadWorker'
import { openView } from '../../testing/openView.svelte'
import { itemOf, misfits } from '../../testing/outputs'
import type { PanelItem } from '../output'
import { neurons } from '.'
import { t } from './messages.en'
import { drawNeurons, firstToken, layOut, placeAt, stripOf, type BarList } from './picture'
import { barsOf } from './rows'
import { tablesOf } from './tables'
import { offOf, siteOfNeuron, strongestToken, subjectOf, switched, type Answers } from './subject'

it('switches neurons and networks, in reading order', () => {
  const one = switched([], 2, 17)
  expect(one).toEqual([{ layer: 2, neuron: 17 }])
  const two = switched(switched(one, 2, 3), 1, null)
  expect(two).toEqual([
    { layer: 1, neuron: null },
    { layer: 2, neuron: 3 },
    { layer: 2, neuron: 17 },
  ])
  expect(switched(two, 2, 3)).toEqual([
    { layer: 1, neuron: null },
    { layer: 2, neuron: 17 },
  ])
  expect([
    offOf({ neuronsOff: two }, 1, 5),
    offOf({ neuronsOff: two }, 2, 17),
    offOf({ neuronsOff: two }, 2, 5),
  ]).toEqual(['network', 'neuron', 'none'])
})

it('finds the token with the largest size, if there is one', () => {
  expect([strongestToken([0.5, -2, 1]), strongestToken([3]), strongestToken([0, 0]), strongestToken([])]).toEqual([
    1,
    0,
    undefined,
    undefined,
  ])
})

it('shows the tokens around the selected one', () => {
  expect([firstToken(0, 8, 100), firstToken(50, 8, 100), firstToken(99, 8, 100), firstToken(3, 5, 5)]).toEqual([
    0, 46, 92, 0,
  ])
})

describe('neurons with a gate', () => {
  const strongest = [5, 9, 2].map((neuron, at) => ({ neuron, value: 3 - at, inner: 2, gate: -0.5, activated: -0.15 }))
  const answers = (neuron: number) =>
    ({
      run: { reading: { display: ['a', 'b'] } },
      part: undefined,
      layer: 1,
      query: 1,
      from: 0,
      to: 2,
      strongest,
      neuron,
      ofText: { values: [0.25, 0.125], reads: [], writes: null },
    }) as unknown as Answers

  it('have a column for it', () => {
    const { bars } = barsOf(answers(9), 3)
    expect(bars.columns).toEqual([t().columns.value, t().columns.inner, t().columns.gate])
    expect(bars.rows[0]).toEqual({ name: '5', value: 3, numbers: ['+3.00', '+2.00', '−0.50'], isSelected: false })
    const { table } = tablesOf(answers(9))[0]!
    expect(table.row(1)).toEqual([9, 2, 2, -0.5])
    expect([0, 1, 2, 3].map((column) => table.siteOf!(1, column))).toEqual([
      undefined,
      'ffn.1[1,9]',
      'ffn.1.inner[1,9]',
      'ffn.1.gate[1,9]',
    ])
  })

  it('have the selected one last where it is not among the strongest', () => {
    const { list, bars } = barsOf(answers(700), 3)
    expect(list.map(({ neuron }) => neuron)).toEqual([5, 9, 700])
    expect(bars.rows.at(-1)).toEqual({ name: '700', value: 0.125, numbers: ['+0.13', '', ''], isSelected: true })
    expect(barsOf(answers(2), 2).bars.rows.at(-1)?.numbers).toEqual(['+1.00', '+2.00', '−0.50'])
  })
})

const listOf = (count: number, columns: readonly string[]): BarList => ({
  title: 'Strongest neurons at [MASK] 7',
  columns,
  rows: Array.from({ length: count }, (_, at) => ({
    name: String(1000 - at),
    value: Math.cos(at),
    numbers: columns.map(() => '+12.34'),
    isSelected: at === 1,
  })),
  tone: 'ink',
})

describe.each([6, 500])('the picture of %d tokens', (tokens) => {
  const most = { neurons: 256, tokens, lists: 3 }
  const words = Array.from({ length: 3 }, (_, at) => ({
    title: `list ${at}`,
    rows: Array.from({ length: 10 }, () => ({ name: 'internationalization', number: '+12.34' })),
  }))

  it('fits into its room', async () => {
    expect(
      await misfits((room) => {
        const layout = layOut(room, most)
        const strip = layout.strip
          ? {
              values: Array.from({ length: tokens }, Math.sin),
              first: 3,
              count: layout.rows.tokens,
              selected: 5,
              scheme: 'light' as const,
            }
          : undefined
        const { value, inner, gate } = t().columns
        const lists = {
          neurons: listOf(layout.rows.neurons, [value, inner, gate]),
          tokens: listOf(layout.rows.tokens, [value]),
        }
        return drawNeurons(layout, { ...lists, strip, words }, room.width)
      }),
    ).toEqual([])
  })

  it.each([350, 700, 1700])('finds what lies at a place, %d px wide', (width) => {
    const layout = layOut({ width, height: 500 }, most)
    expect(layout.strip).toBe(tokens > layout.rows.tokens)
    const firstRow = {
      neurons: layout.neurons.y + 40 + 12,
      tokens: layout.tokens.y + 40 + (layout.strip ? 22 : 0) + 12,
    }
    expect(placeAt(layout, layout.neurons.x + 5, firstRow.neurons)).toEqual({ neuron: 0 })
    expect(placeAt(layout, layout.neurons.x + 5, firstRow.neurons + 48)).toEqual({ neuron: 2 })
    expect(placeAt(layout, layout.tokens.x + 5, firstRow.tokens + 24)).toEqual({ token: 1 })
    expect(placeAt(layout, layout.lists.x + 5, layout.lists.y + layout.lists.height + 1)).toBeUndefined()
    const strip = stripOf(layout)
    const onStrip = placeAt(layout, strip.x + strip.width / 4, strip.y + 2)
    expect(onStrip).toEqual(layout.strip ? { part: 0.25 } : { token: 0 })
  })
})

const models = [
  ['an encoder', 'roformer-english', 'The little dog sat on the [MASK] by the door.'],
  ['a decoder', 'roformer-english-causal', 'The old man looked at the sea'],
  ['an encoder–decoder', 'marian-numbers', '>>hu<<1984\tezerkilencszáz'],
] as const

describe.each(models)('with %s', (_, folder, text) => {
  let opened: Awaited<ReturnType<typeof openBench<InThreadWorker>>>
  let view: Awaited<ReturnType<typeof openView>>
  beforeAll(async () => {
    opened = await openBench(new InThreadWorker(), folder, text)
    view = await openView(opened, neurons)
  }, 60_000)
  beforeEach(() => view.settled())
  afterAll(() => view.close())

  const rowsOf = (table: number) => {
    const { table: rows } = view.published()!.tables![table]!
    return Array.from({ length: rows.length }, (_, at) => rows.row(at))
  }
  const subject = () => subjectOf(opened.bench.run!, opened.bench.cursor)
  const numbersAt = async (...sites: string[]) => {
    const { engine, run } = opened.bench
    const params = { ...runOf(run!), sites, of: 'numbers' as const }
    const reply = await send(engine, 'siteNumbers', { model: run!.model, params })
    if (reply.status !== 'ok') throw new Error(JSON.stringify(reply))
    return reply.result
  }
  const named = (name: string) =>
    view
      .picture()
      .above!.flat()
      .find(
        (item): item is Extract<PanelItem, { kind: 'text' }> =>
          item !== undefined && item !== false && item.kind === 'text' && item.name === name,
      )
  const switches = () => {
    const group = view
      .picture()
      .above!.flat()
      .findLast((item) => item !== undefined && item !== false && item.kind === 'buttons')
    if (!group || group.kind !== 'buttons') throw new Error('no switches')
    return group.buttons
  }

  it('lists the numbers of the run, the largest first', async () => {
    const of = subject()
    const [row, inner] = [siteOfNeuron('ffn.N', of, of.query, 0), siteOfNeuron('ffn.N.inner', of, of.query, 0)].map(
      (site) => site.replace(/,0\]$/, ',*]'),
    )
    const [values, before] = await numbersAt(row!, inner!)
    const strongest = rowsOf(0)
    expect(strongest).toHaveLength(Math.min(256, values!.length))
    const sizes = Array.from(values!, Math.abs).sort((one, other) => other - one)
    strongest.forEach(([neuron, value, innerValue], at) => {
      expect(value).toBeCloseTo(values![Number(neuron)]!, 5)
      expect(innerValue).toBeCloseTo(before![Number(neuron)]!, 5)
      expect(Math.abs(Number(value))).toBeCloseTo(sizes[at]!, 5)
    })
    const neuron = Number(strongest[0]![0])
    const [column] = await numbersAt(siteOfNeuron('ffn.N', of, of.from, neuron).replace(/\[0,/, '[*,'))
    const atTokens = rowsOf(1)
    expect(atTokens).toHaveLength(of.to - of.from)
    atTokens.forEach(([token, position, value], at) => {
      expect(value).toBeCloseTo(column![at]!, 5)
      expect([token, position]).toEqual([of.run.reading.display[of.from + at], of.from + at])
    })
    const best = strongestToken(Array.from(column!))! + of.from
    expect(plainText(view.published()!.headline!.title)).toContain(
      `Neuron ${neuron} of layer ${of.layer} answers most to ${of.run.reading.display[best]} ${best}: `,
    )
  })

  it('selects neurons and tokens by clicks, by keys and by their numbers', async () => {
    const { bench } = opened
    const [, second, third] = rowsOf(0)
    const follow = async (target: ReturnType<NonNullable<ReturnType<typeof view.picture>['hit']>>) => {
      if (target?.cursor) bench.chooseForRun(target.cursor)
      if (target?.params) bench.choose({ viewParams: { 'neurons.neuron': String(target.params.neuron) } })
      await view.settled()
    }
    const clicked = view.picture().hit!(10, 40 + 1.5 * 24)
    expect(clicked?.params).toEqual({ neuron: second![0] })
    await follow(clicked)
    expect(itemOf(view.picture().above, 'number').value).toBe(second![0])
    expect(view.picture().onAction!('down')?.params).toEqual({ neuron: third![0] })
    const { query, from, to } = subject()
    const across = view.picture().onAction!(query > from ? 'left' : 'right')
    expect(across?.cursor).toEqual({ query: query > from ? query - 1 : query + 1 })
    expect(to - from).toBeGreaterThan(1)
    // 640 px have two columns: tokens are in the second.
    const rows = layOut({ width: 640, height: 480 }, { neurons: 256, tokens: to - from, lists: 3 })
    const first = from + firstToken(query - from, rows.rows.tokens, to - from)
    const token = view.picture().hit!(rows.tokens.x + 5, 40 + (rows.strip ? 22 : 0) + 0.5 * 24)
    expect(token?.cursor).toEqual({ query: first })
    await follow(token)
    expect(plainText(view.published()!.headline!.line)).toContain(
      `At ${bench.run!.reading.display[first]} ${first} it is`,
    )
    const field = itemOf(view.picture().above, 'number')
    const { intermediate_size: size } = bench.run!.model.info
    expect([field.to(size + 5)?.params, field.to(3)?.params, field.to(NaN)]).toEqual([
      { neuron: size - 1 },
      { neuron: 3 },
      undefined,
    ])
    await follow(field.to(3))
    expect(view.published()!.tables![1]!.name).toBe(t().tokenTable(3))
    bench.choose({ query, viewParams: {} })
    await view.settled()
  })

  it('switches a neuron and the network off, and says what the run predicts then', async () => {
    const { bench } = opened
    const before = bench.run!
    const neuron = Number(rowsOf(0)[0]![0])
    expect(named('change')).toBeUndefined()
    bench.choose(switches()[0]!.to.choice!)
    await view.settled()
    expect(bench.choice.neuronsOff).toEqual([{ layer: subject().layer, neuron }])
    expect(rowsOf(1).map(([, , value]) => value)).toEqual(Array.from({ length: rowsOf(1).length }, () => 0))
    expect(view.published()!.headline!.title).toBe(t().offHeadline.neuron(neuron, subject().layer))
    expect(switches().map(({ pressed }) => pressed)).toEqual([true, false])
    const percent = (run: typeof before) => `${(run.result.topProbabilities[0]! * 100).toFixed(1)}\u00a0%`
    const written = () => plainText(named('change')!.text).replaceAll('100.0', '100')
    const change = (from: typeof before, to: typeof before) =>
      [percent(from), percent(to)].map((one) => one.replace('100.0', '100'))
    const name = before.model.tokenizer.display(before.result.topIds[0]!)
    expect(written()).toMatch(new RegExp(`^Without neuron L${subject().layer}·N${neuron} the best prediction for `))
    expect(written()).toContain(name)
    for (const chance of change(before, bench.run!)) expect(written()).toContain(chance)
    expect(view.published()!.command).toContain(`--neurons-off ${subject().layer}.${neuron} `)
    // One step takes the switch and the selection back.
    bench.undo()
    await view.settled()
    expect(bench.choice.neuronsOff).toEqual([])
    expect(bench.choice.viewParams).toEqual({})
    bench.choose(switches()[1]!.to.choice!)
    await view.settled()
    expect(rowsOf(0).every(([, value]) => value === 0)).toBe(true)
    expect(view.published()!.headline!.title).toBe(t().offHeadline.network(neuron, subject().layer))
    for (const chance of change(before, bench.run!)) expect(written()).toContain(chance)
    bench.undo()
    await view.settled()
  })
})

it('has no switches and no writes in an encoder with a decoder, and the network of the decoder in cross-attention', async () => {
  const opened = await openBench(new InThreadWorker(), 'marian-numbers', models[2][2])
  const { bench } = opened
  const { picture, published, settled, close } = await openView(opened, neurons)
  await settled()
  expect(bench.choice.part).toBe('cross')
  expect(picture().explains).toMatch(/^decoder\.ffn\.\d+\[\d+,\d+\]$/)
  expect(published()!.command).not.toContain('--part')
  expect(published()!.tables![1]!.table.length).toBe(bench.run!.reading.pair!.text.length)
  const lists = () => {
    const { table } = published()!.tables![2]!
    return new Set(Array.from({ length: table.length }, (_, at) => table.row(at)[0]))
  }
  expect([...lists()]).toEqual([t().reads, t().likelier, t().lessLikely])
  bench.choose({ part: 'encoder' })
  await settled()
  expect(picture().explains).toMatch(/^encoder\.ffn\./)
  expect(published()!.command).toContain(' --part encoder --layer ')
  expect(published()!.tables![1]!.table.length).toBe(bench.run!.reading.pair!.source.length)
  expect([...lists()]).toEqual([t().reads])
  const texts = [...picture().above!, ...picture().below!]
    .flat()
    .map((item) => (item && item.kind === 'text' ? plainText(item.text) : ''))
  expect(texts).toContain(t().noSwitches)
  expect(texts.some((text) => text.includes(t().noWrites.encoder))).toBe(true)
  close()
})

it('says that writes have no names where the vocabulary has no head', async () => {
  const edit = (bytes: Buffer) =>
    Buffer.from(
      bytes
        .toString('latin1')
        .replace('"RoFormerForMaskedLM"', '"RoFormerModel"')
        .replaceAll('"cls.predictions.', '"not.predictions.'),
      'latin1',
    )
  const files = bundledFiles('roformer-english', edit)
  const opened = await openBench(new InThreadWorker(), 'roformer-english', 'The little dog sat by the door.', files)
  const { picture, settled, close } = await openView(opened, neurons)
  await settled()
  expect(plainText(itemOf(picture().below, 'text').text)).toContain(t().noWrites.none)
  opened.bench.choose({ neuronsOff: [{ layer: 0, neuron: 3 }] })
  await settled()
  const change = picture()
    .above!.flat()
    .find((item) => item && item.kind === 'text' && item.name === 'change')
  expect(change).toMatchObject({ text: t().nothingPredicted('without neuron L0·N3') })
  close()
})
