import { expect, it } from 'vitest'
import type { Box, Scene, Size } from '../../charts/marks'
import { numberOf, type Explanation } from '../../engine/protocol/explanation'
import { plainText } from '../../i18n/rich'
import { InThreadWorker, openBench } from '../../testing/inThreadWorker'
import { openView } from '../../testing/openView.svelte'
import { itemOf, misfits } from '../../testing/outputs'
import { explanationView } from '../../viewstate/choice'
import type { Picture } from '../output'
import { siteOfBest, siteOfCell } from '../sites'
import { explain } from '.'
import { latex, leavesOf, markdown } from './markdown'
import { drawAddends, rowAt } from './picture'
import { drawNumber, drawTree, operandAt } from './tree'
import { placeOf, split } from '../../engine/protocol/place'
import { addendsOf } from './tables'
import { extended } from './view'

const opened = () =>
  openBench(new InThreadWorker(), 'roformer-english', 'The little dog sat on the [MASK] by the door.')

/** The sites that the tables lead to, in order. */
const targetsOf = ({ below = [] }: Picture): string[] =>
  below
    .flat()
    .flatMap((item) => (item && item.kind === 'table' ? item.rows.flat() : []))
    .flatMap((cell) => (typeof cell === 'object' && cell.kind === 'button' ? [String(cell.to.params?.path)] : []))
    .map((path) => path.split(';').at(-1) ?? '')

it('has the id and the field that other views open it by', () => {
  expect([explain.id, `${explain.id}.${explain.params?.path?.name}`]).toEqual([
    explanationView.id,
    explanationView.param,
  ])
})

it('takes a site apart', () => {
  expect(placeOf('attentions.2[6,9,8]')).toEqual({
    tensor: 'attentions.N',
    part: undefined,
    layer: 2,
    norm: undefined,
    index: { head: 6, query: 9, key: 8 },
  })
  expect(placeOf('cross.layer.0.score.max[1,0]')).toMatchObject({
    tensor: 'layer.N.score.max',
    part: 'cross',
    layer: 0,
  })
  expect(placeOf('logits[4,17]')).toMatchObject({ tensor: 'logits', layer: undefined, index: { row: 4, id: 17 } })
  for (const address of [
    'input_ids[4]',
    'roformer.embeddings.word_embeddings.weight[5,2]',
    'attentions.2',
    'logits[4]',
  ])
    expect(placeOf(address), address).toBeUndefined()
  expect(split('logits[4,17]')).toEqual({ name: 'logits', index: '[4,17]' })
})

it('keeps the newest numbers of a path that is too long for a link', () => {
  expect(extended(['a[0]', 'b[1]'], 'c[2]')).toBe('a[0];b[1];c[2]')
  expect(extended(['a[0]', 'b[1]', 'c[2]'], 'a[0]')).toBe('a[0]')
  const long = Array.from({ length: 40 }, (_, at) => `layer.${at}.attention[3,17]`)
  const path = extended(long, 'logits[1,2]')
  expect(path.length).toBeLessThanOrEqual(400)
  expect(path.endsWith(';logits[1,2]')).toBe(true)
})

it('begins with the best prediction', async () => {
  const { bench, complete } = await opened()
  const { published, settled, close } = await openView({ bench, complete }, explain)
  await settled()
  const site = siteOfBest(bench.run!, bench.cursor.query)
  expect(published()!.command).toContain(`--at '${site}'`)
  const probability = Number(plainText(published()!.headline!.title).split(' = ').at(-1))
  expect(probability).toBeCloseTo(bench.run!.result.topProbabilities[0]!, 5)
  close()
})

it('explains the selected weight, and leads on to the text', async () => {
  const { bench, complete } = await opened()
  const { layer, head, query, key } = bench.cursor
  bench.explain(siteOfCell('attentions.N', bench.cursor, bench.run!))
  const { picture, published, settled, close } = await openView({ bench, complete }, explain)
  await settled()
  const map = bench.run!.head
  const weight = map.attention[query * map.length + key]!
  const title = plainText(published()!.headline!.title)
  expect(title).toContain(`attention weight · layer ${layer} · head ${head}`)
  expect(Number(title.split(' = ').at(-1))).toBeCloseTo(weight, 5)
  expect(
    itemOf(picture().below, 'table').rows.map(
      ([name]) => typeof name === 'object' && name.kind === 'text' && plainText(name.text),
    ),
  ).toEqual(['score', 'max', 'sum'])
  expect(published()!.command).toContain(`--at 'attentions.${layer}[${head},${query},${key}]'`)
  const site = `probabilities[${query},17]`
  bench.explain(site)
  for (let steps = 0; ; steps++) {
    await settled()
    expect(steps).toBeLessThan(60)
    const [next] = targetsOf(picture())
    if (next === undefined) break
    bench.explain(next)
  }
  const rows = published()!.tables![0]!.table
  const places = Array.from({ length: rows.length }, (_, at) => String(rows.row(at)[0]))
  expect(places.some((place) => place.includes('embeddings.weight['))).toBe(true)
  close()
})

it('walks back along its path', async () => {
  const { bench, complete } = await opened()
  bench.explain('attentions.1[0,2,1]')
  const { picture, settled, close } = await openView({ bench, complete }, explain)
  await settled()
  const target = itemOf(picture().below, 'table').rows[0]![2]!
  if (typeof target !== 'object' || target.kind !== 'button') throw new Error('no button')
  expect(target.to.params).toEqual({ path: 'attentions.1[0,2,1];layer.1.score.masked[0,2,1]' })
  bench.choose({ viewParams: { [explanationView.param]: String(target.to.params?.path) } })
  await settled()
  const { buttons } = itemOf(picture().above, 'buttons')
  expect(buttons.map(({ label, pressed }) => [label, pressed])).toEqual([
    ['attentions.1[0,2,1]', false],
    ['layer.1.score.masked[0,2,1]', true],
  ])
  expect(buttons[0]!.to.params).toEqual({ path: 'attentions.1[0,2,1]' })
  close()
})

it('stays at its tokens when the text changes', async () => {
  const { bench, complete } = await opened()
  bench.choose({
    numbers: ['layer.0.residual[3,2]=4'],
    viewParams: { [explanationView.param]: 'layer.1.residual[3,5]' },
  })
  const { text } = bench.choice
  const failed = new Set<string>()
  const { published, settled, close } = await openView({ bench, complete }, explain, undefined, ({ message }) => {
    if (message?.includes('must be below')) failed.add(message)
  })
  await settled()
  expect(plainText(published()!.headline!.title)).toContain('dog 3 · component 5')
  bench.choose({ text: `Look, ${bench.choice.text}` })
  await settled()
  expect(plainText(published()!.headline!.title)).toContain('dog 5 · component 5')
  expect(bench.choice.numbers).toEqual(['layer.0.residual[5,2]=4'])
  expect([...failed]).toEqual([])
  // A row that the text lacks is the engine's to say.
  bench.choose({ text: 'dog' })
  await complete()
  await expect.poll(() => [...failed]).toEqual(['There is no layer.1.residual[5,5]. Its row must be below 3.'])
  while (bench.choice.text !== text) bench.undo()
  await settled()
  expect(plainText(published()!.headline!.title)).toContain('dog 3 · component 5')
  close()
})

it('says why a number has no explanation', async () => {
  const { bench, complete } = await opened()
  bench.explain('attentions.1[0,2,999]')
  const { picture, close } = await openView({ bench, complete }, explain)
  await expect.poll(() => picture().message).toContain('must be below')
  // The way back stays.
  expect(itemOf(picture().above, 'button').to.params).toEqual({ path: '' })
  close()
})

it('explains a number behind one that the model lacks', async () => {
  const { bench, complete } = await opened()
  bench.choose({ viewParams: { [explanationView.param]: 'attentions.99[0,0,0];attentions.1[0,2,1]' } })
  const { published, settled, close } = await openView({ bench, complete }, explain)
  await settled()
  expect(plainText(published()!.headline!.title)).toContain('attention weight · layer 1')
  close()
})

it('adds up only what a formula adds up', () => {
  const number = (name: string, at: string | null, value = 1): Explanation => ({ ...term(value), name, at })
  const of = (formula: string, ...operands: Explanation[]) => addendsOf({ ...term(1), formula, operands }).length
  expect(of('Σ x · weight + bias', term(1), term(2), number('bias', 'b[1]'))).toBe(3)
  expect(of('exp(logit) / (Σ exp(logit))', number('logit', 'logits[1,2]'), term(1), term(2))).toBe(2)
  expect(of('residual + attention', number('residual', 'a[1]'), number('attention', 'b[1]'))).toBe(2)
  expect(of('exp(score − max) / sum', number('score', 'a[1]'), number('max', 'b[1]'), number('sum', 'c[1]'))).toBe(0)
  expect(of('x₀ · cos − x₁ · sin', number('x₀', 'a[1]'), number('cos', null))).toBe(0)
})

const term = (value: number): Explanation => ({
  name: 'term',
  at: null,
  value: null,
  recomputed: value,
  formula: 'x · weight',
  operands: [],
  rest: null,
})

it('is drawn in its room', async () => {
  const rows = Array.from({ length: 12 }, (_, at) => ({ name: `x · weight ${at}`, value: (at - 5) / 3 }))
  const way = [
    { site: 'probabilities[4,17]', value: 0.25 },
    { site: `logits[4,${'9'.repeat(80)}]`, value: undefined },
  ]
  const titles = ['norm.scale[3] = −0.00123456', 'scale of the final norm · “a long token” · '.repeat(8), '= 1 / √(ε)']
  for (const count of [0, 1, 3, 12]) {
    const some = rows.slice(0, count)
    expect(await misfits(({ width }) => drawTree(way, titles, some, width))).toEqual([])
    const inside = (room: Size) => {
      const { width, height, marks } = drawTree(way, titles, some, room.width)
      return marks.filter(
        (mark) => mark.kind === 'rect' && (mark.x + mark.width > width || mark.y + mark.height > height),
      )
    }
    for (const width of [350, 820, 1700]) expect(inside({ width, height: 0 })).toEqual([])
  }
  expect(
    await misfits(({ width }) => {
      const number = drawNumber(way, titles, width)
      const bars = drawAddends(rows, width, number.height)
      return { ...bars, marks: [...number.marks, ...bars.marks] }
    }),
  ).toEqual([])
  expect([rowAt(-1, 12), rowAt(0, 12), rowAt(24 * 12, 12)]).toEqual([undefined, 0, undefined])
})

it('finds the operand under a pointer, beside and below each other', () => {
  const rows = ['score[0,2,1]', 'max[0,2]', 'sum[0,2]'].map((name, at) => ({ name, value: at / 3 }))
  const titles = ['attentions.1[0,2,1] = 0.25']
  for (const width of [240, 820]) {
    const { marks } = drawTree([], titles, rows, width)
    const [number, ...boxes] = marks.filter((mark) => mark.kind === 'rect')
    const centre = ({ x, y, width, height }: Box) => [x + width / 2, y + height / 2] as const
    expect(boxes.map((at) => operandAt(...centre(at), titles, rows, width))).toEqual([0, 1, 2])
    expect(operandAt(...centre(number!), titles, rows, width)).toBeUndefined()
    // Side by side where there is room.
    expect(new Set(boxes.map(({ y }) => y)).size).toBe(width > 240 ? 1 : 3)
  }
})

it('is a figure with the way that led to it, of sums and of other formulas', async () => {
  const { bench, complete } = await opened()
  const sites = [
    'attentions.1[0,2,1]',
    'layer.1.score.masked[0,2,1]',
    'layer.1.score[0,2,1]',
    'layer.1.score.unscaled[0,2,1]',
  ]
  const module = await explain.module()
  const texts = (scene: Scene | undefined) => scene?.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
  for (const count of [1, 2, 3, 4]) {
    bench.choose({ viewParams: { [explanationView.param]: sites.slice(0, count).join(';') } })
    let figure: Scene | undefined
    const watched = {
      ...explain,
      module: async () => ({
        ...module,
        output: (...of: Parameters<typeof module.output>) => {
          figure = module.figure?.(...of, true)
          return module.output(...of)
        },
      }),
    }
    const { picture, published, settled, close } = await openView({ bench, complete }, watched)
    await settled()
    expect(picture().scene?.marks.length).toBeGreaterThan(3)
    expect(
      texts(figure)!
        .slice(0, 2 * (count - 1))
        .filter((_, at) => at % 2 === 0),
    ).toEqual(sites.slice(0, count - 1))
    expect(texts(figure)).toContain(
      `${sites[count - 1]} = ${plainText(published()!.headline!.title).split(' = ').at(-1)}`,
    )
    // A press on an operand leads where its button in the table leads.
    const boxes = picture().scene!.marks.filter((mark) => mark.kind === 'rect')
    const operand = boxes[picture().label!.startsWith('Bars') ? 0 : 1]!
    const target = picture().hit!(operand.x + 1, operand.y + operand.height / 2)
    expect(targetsOf(picture())).toContain(String(target!.params?.path).split(';').at(-1))
    close()
  }
})

it('writes its path as Markdown with LaTeX', () => {
  expect(latex('exp(score − max) / sum')).toBe('\\exp(\\text{score} - \\max) / \\text{sum}')
  expect(latex('1 / √((Σ (x − mean)²) / width + ε)')).toBe(
    '1 / \\sqrt{(\\sum (x - \\text{mean})^2) / \\text{width} + \\varepsilon }',
  )
  expect(latex('x₁ · cos + x₀ · sin')).toBe('x_1 \\cdot  \\cos + x_0 \\cdot  \\sin')
  const explanation: Explanation = {
    ...term(3),
    at: 'logits[4,17]',
    value: 3,
    formula: 'Σ x · weight',
    operands: [term(2)],
    rest: { terms: 5, value: 1 },
  }
  const text = markdown('A logit', [{ explanation, words: 'logit' }])
  expect(text).toContain('# A logit\n\n## `logits[4,17]` = 3\n\nlogit\n\n$$3 = \\sum x \\cdot  \\text{weight}$$')
  expect(text).toContain('| x · weight | 2 |')
  expect(text).toContain('+ 5: 1')
  expect(leavesOf(explanation)).toEqual([explanation])
  expect(numberOf(term(2))).toBe(2)
})
