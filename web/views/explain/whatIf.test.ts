import { expect, it } from 'vitest'
import type { Explanation } from '../../engine/protocol/explanation'
import { plainText } from '../../i18n/rich'
import { InThreadWorker, openBench } from '../../testing/inThreadWorker'
import { openView } from '../../testing/openView.svelte'
import { itemOf } from '../../testing/outputs'
import { explanationView } from '../../viewstate/choice'
import { compare } from '../compare'
import { followTarget, type Picture, type Target } from '../output'
import { predictions } from '../predictions'
import { explain } from '.'
import { numberPlace, numberPut, wayToNumber, withNumber, withoutNumber } from './whatIf'
import { contrast } from './whatIfRows'

const english = 'The little dog sat on the [MASK] by the door.'

async function openedAt(site: string, model = 'roformer-english', text = english) {
  const opened = await openBench(new InThreadWorker(), model, text)
  const { bench } = opened
  bench.explain(site)
  const view = await openView(opened, explain)
  await view.settled()
  const follow = async (target: Target | undefined) => {
    if (!target) throw new Error('leads nowhere')
    followTarget(target, bench, ({ path }) =>
      bench.choose({ viewParams: { ...bench.choice.viewParams, [explanationView.param]: String(path) } }),
    )
    await view.settled()
  }
  const title = () => plainText(view.published()?.headline?.title ?? '')
  return { ...view, bench, follow, title }
}

const textOf = ({ above = [] }: Picture, name: string): string | undefined =>
  above.flat().flatMap((item) => (item && item.kind === 'text' && item.name === name ? [plainText(item.text)] : []))[0]

/** The first button that begins so. */
const buttonOf = ({ above = [] }: Picture, label: string) =>
  above
    .flat()
    .flatMap((item) => (item && item.kind === 'button' ? [item] : item && item.kind === 'buttons' ? item.buttons : []))
    .find((button) => button.label.startsWith(label))

it('puts a number where interventions do, and nowhere else', () => {
  expect(numberPlace('layer.1.residual[2,3]')).toEqual({ tensor: 'layer.N.residual', layer: 1, index: [2, 3] })
  expect(numberPlace('decoder_hidden_states.2[4,17]')).toEqual({
    tensor: 'hidden_states.N',
    layer: 2,
    index: [4, 17],
  })
  expect(numberPlace('decoder.layer.0.head[1,2,3]')).toMatchObject({ tensor: 'layer.N.head', index: [1, 2, 3] })
  expect(numberPlace('embeddings[0,0]')).toEqual({ tensor: 'embeddings', layer: null, index: [0, 0] })
  for (const site of [
    'encoder_hidden_states.2[4,17]',
    'cross.layer.0.query[1,2,3]',
    'attentions.1[0,2,1]',
    'logits[1,2]',
    'layer.0.norm.1[2,3]',
    'layer.0.query.rotated[0,1,2]',
    'no site',
  ])
    expect(numberPlace(site), site).toBeUndefined()
})

it('replaces a number, and takes back all that are put there', () => {
  const place = numberPlace('ffn.1[2,3]')!
  const others = ['ffn.1[2,4]=1', 'hidden_states.1[2,3]=1', 'ffn.0[2,3]=1'] as const
  const numbers = withNumber({ numbers: ['ffn.1[2,3]=5', ...others] }, place, -0.5)!
  expect(numbers).toEqual([...others, 'ffn.1[2,3]=-0.5'])
  for (const value of [Number.NaN, Infinity, 1e39]) expect(withNumber({ numbers }, place, value)).toBeUndefined()
  // The last one is put, as the engine chooses.
  const puts = { numbers: [...numbers, 'ffn.*[*,3]=7'] as const, neuronsOff: [{ layer: 1, neuron: 3 }] }
  expect(numberPut({ numbers, neuronsOff: [] }, place)).toBe(-0.5)
  expect(numberPut(puts, place)).toBe(7)
  expect(numberPut({ ...puts, numbers: [] }, place)).toBe(0)
  expect(numberPut({ numbers: [], neuronsOff: [{ layer: 1, neuron: null }] }, place)).toBe(0)
  expect(numberPut({ numbers: others, neuronsOff: [] }, place)).toBeUndefined()
  expect(withoutNumber(puts, place)).toEqual({ numbers: others, neuronsOff: [] })
  expect(withoutNumber({ numbers, neuronsOff: [] }, place)).toEqual({ numbers: others })
})

it('walks down to a number that can be changed', async () => {
  const number = (at: string | null, ...operands: Explanation[]): Explanation => ({
    name: 'x',
    at,
    value: 1,
    recomputed: 1,
    formula: null,
    operands,
    rest: null,
  })
  const known = [number('norm[1,2]', number('residual[1,2]')), number('residual[1,2]', number('ffn.0[1,2]'))]
  const explained = async (site: string) => known.find(({ at }) => at === site)
  expect(await wayToNumber(number('logits[1,2]', number(null, number('norm[1,2]'))), explained)).toEqual([
    'norm[1,2]',
    'residual[1,2]',
    'ffn.0[1,2]',
  ])
  expect(await wayToNumber(number('embeddings.word[1,2]', number('x.weight[1,2]')), explained)).toEqual([])
  // A way that leads back to itself ends.
  expect(
    await wayToNumber(number('norm[1,2]', number('norm[1,2]')), async () => number('a', number('norm[1,2]'))),
  ).toEqual([])
})

it('leads to views by their ids', () => {
  expect([predictions.id, compare.id]).toEqual(['predictions', 'compare'])
  expect([`compare.${compare.params?.with?.name}`, compare.params?.with?.default]).toEqual([contrast, 'change'])
})

it.each([
  ['an encoder', 'roformer-english', english, 'layer.1.residual[7,3]'],
  ['a decoder', 'roformer-english-causal', 'The little dog sat on', 'layer.1.residual[2,3]'],
  ['an encoder–decoder', 'marian-numbers', 'ezerkilencszáz\t', 'decoder_hidden_states.1[0,3]'],
])('runs %s with another number, says what follows, and puts it back', async (_, model, text, site) => {
  const { bench, picture, follow, title, close } = await openedAt(site, model, text)
  const before = {
    title: title(),
    top: [...bench.run!.result.topProbabilities],
    value: itemOf(picture().above, 'number').value,
  }
  expect(title()).toContain(String(before.value).slice(0, 5).replace('-', '−'))
  expect(textOf(picture(), 'follows')).toBeUndefined()
  await follow(itemOf(picture().above, 'number').to(4.25))
  expect(bench.choice.numbers).toEqual([`${site.replace('decoder_', '')}=4.25`])
  expect(title()).toMatch(/ = 4\.25$/)
  expect(itemOf(picture().above, 'number').value).toBe(4.25)
  expect(textOf(picture(), 'formula')).toBe('= your number')
  expect(bench.run!.result.topProbabilities).not.toEqual(Float32Array.from(before.top))
  const percent = (value: number) => (100 * value).toFixed(1)
  const follows = textOf(picture(), 'follows')!
  expect(follows).toContain(`${site.replace('decoder_', '')} = 4.25`)
  expect(follows).toContain(`${percent(bench.run!.result.topProbabilities[0]!)}`)
  expect(follows).toContain(`${percent(before.top[0]!)}`)
  expect(buttonOf(picture(), 'Predictions')!.to.choice!.open![0]).toBe('predictions')
  expect(buttonOf(picture(), 'Compare')!.to.choice!.open![0]).toBe('compare')
  // What is no number, and a number that no run can have, change nothing.
  expect(itemOf(picture().above, 'number').to(Number.NaN)).toBeUndefined()
  expect(itemOf(picture().above, 'number').to(1e300)).toBeUndefined()
  await follow(itemOf(picture().above, 'number').to(-2))
  expect(bench.choice.numbers).toHaveLength(1)
  expect(title()).toMatch(/ = −2$/)
  await follow(buttonOf(picture(), 'Put it back')!.to)
  expect([bench.choice.numbers, title()]).toEqual([[], before.title])
  // A decoder continues from its cache, which rounds in another order.
  for (const [at, value] of before.top.entries()) expect(bench.run!.result.topProbabilities[at]).toBeCloseTo(value, 5)
  expect(textOf(picture(), 'follows')).toBeUndefined()
  close()
})

it('says what can be changed where a number cannot', async () => {
  const { picture, follow, title, close } = await openedAt('attentions.1[0,2,1]')
  const refused = picture()
    .above!.flat()
    .find((item) => item && item.kind === 'buttons' && item.label.startsWith('No number can be put here.'))
  expect(refused).toMatchObject({
    labelled: true,
    buttons: [{ label: expect.stringMatching(/^layer\.1\.query\[0,2,/) }],
  })
  expect(() => itemOf(picture().above, 'number')).toThrow('no number')
  const target = buttonOf(picture(), 'layer.1.query[0,2,')!
  await follow(target.to)
  expect(title()).toContain('query before rotation · layer 1 · head 0')
  expect(itemOf(picture().above, 'buttons').buttons.length).toBeGreaterThan(3)
  expect(itemOf(picture().above, 'number').label).toBe('What if it were')
  close()
})

it.each([
  ['no number before it can be changed', 'embeddings.word[2,3]', 'roformer-english', english, 'none on the way down'],
  [
    'it is of the encoder',
    'encoder_hidden_states.1[0,3]',
    'marian-numbers',
    'ezerkilencszáz\t',
    'only those of the decoder',
  ],
])('says so where %s', async (_, site, model, text, words) => {
  const { picture, close } = await openedAt(site, model, text)
  expect(textOf(picture(), 'refused')).toContain(words)
  close()
})
