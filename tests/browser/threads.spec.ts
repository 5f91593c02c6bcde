import { threadsFor } from '../../web/engine/protocol/sharing'
import { difference, mapOf, run } from './commandLine'
import { bundledModel, expect, test } from './explorer'

test.use({ model: 'bundled' })

const text = 'The old man and the little dog sat on the [MASK] by the fire, and the cat sat on the chair.'

test('@cpu products by several threads are those of the command line, behind a run that they left undone, too', async ({
  explorer,
  page,
}) => {
  await explorer.open({ text: 'The dog sat.', layer: '1', head: '3' })
  const { threads } = await explorer.message('threads')
  expect(threads).toBe(threadsFor(await page.evaluate(() => navigator.hardwareConcurrency)))
  await page.getByTestId('engine-menu').click()
  await expect(page.getByTestId('threads')).toHaveAttribute('data-threads', `${threads}`)
  await explorer.type(Array.from({ length: 40 }, () => text).join(' '))
  await explorer.result(512)
  await explorer.type(text)
  const map = mapOf(await run(bundledModel, text), 1, 3)
  const length = Math.sqrt(map.length)
  await explorer.result(length)
  // Both again; the long text is still running when the other one is typed.
  const before = await explorer.answers('run')
  const long = await page.evaluate(() => {
    const [long, short] = window.toWorker
      .filter((message) => message.type === 'request' && message.kind === 'run')
      .slice(-2)
    window.engineWorker.postMessage({ ...long, id: 1e9 })
    const start = performance.now()
    while (performance.now() - start < 10);
    window.engineWorker.postMessage({ ...short, id: 1e9 + 1 })
    return 1e9
  })
  await expect.poll(() => explorer.answers('run'), { message: 'the run behind it' }).toBe(before + 1)
  expect(
    await page.evaluate((id) => window.fromWorker.find((message) => 'id' in message && message.id === id), long),
  ).toEqual(expect.objectContaining({ type: 'dropped', reason: 'superseded' }))
  const { attention } = await explorer.result(length)
  expect(difference(attention, map)).toBeLessThan(1e-5)
})
