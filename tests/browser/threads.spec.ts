import { threadsFor } from '../../web/engine/cores'
import { run } from './commandLine'
import { bundledModel, expect, test } from './explorer'

test.use({ model: 'bundled' })

const text = 'The old man and the little dog sat on the [MASK] by the fire, and the cat sat on the chair.'

test('@cpu products by several threads are those of the command line, behind an overtaken run, too', async ({
  explorer,
  page,
}) => {
  await explorer.open({ text: 'The dog sat.', layer: '1', head: '3' })
  const { threads } = await explorer.said('threads')
  expect(threads).toBe(threadsFor(await page.evaluate(() => navigator.hardwareConcurrency)))
  await expect(page.getByTestId('threads')).toHaveAttribute('data-threads', `${threads}`)
  // A long one on its way stops for the one behind it.
  await explorer.type(Array.from({ length: 40 }, () => text).join(' '))
  await explorer.type(text)
  const wanted = (await run(bundledModel, text)).get('attentions.1')
  const length = wanted?.shape[2] ?? NaN
  const { attention } = await explorer.result(length)
  const map = wanted?.data.slice(3 * length * length, 4 * length * length) ?? new Float32Array()
  expect(attention).toHaveLength(map.length)
  const apart = attention.map((number, at) => Math.abs(number - (map[at] ?? NaN)))
  expect(apart.reduce((largest, number) => Math.max(largest, number))).toBeLessThan(1e-5)
})
