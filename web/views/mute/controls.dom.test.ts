// The presets of muted pairs as they are drawn, with the engine behind them: the WASM on the CPU.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { draw, preparePainting } from '../../testing/draw'
import { InThreadWorker, openBench } from '../../testing/inThreadWorker'
import { mute } from '.'

preparePainting()

let opened: Awaited<ReturnType<typeof openBench<InThreadWorker>>>
let drawn: Awaited<ReturnType<typeof draw>>

beforeAll(async () => {
  opened = await openBench(new InThreadWorker(), 'roformer-english', 'the cat sat on the mat')
  drawn = await draw(opened.bench, mute, opened.complete)
}, 60_000)
afterAll(() => drawn.close())

/** Label, and whether it is pressed, while these pairs are muted. */
async function presets(pairs: readonly number[]) {
  const { layer, head } = opened.bench.choice
  opened.bench.choose({ ablated: pairs.length === 0 ? [] : [{ layer, head, pairs }] })
  await opened.complete()
  return drawn.all('[data-testid=mute-presets] button').map((button) => ({
    text: button.textContent,
    pressed: button.getAttribute('aria-pressed'),
    emphasis: button.classList.contains('suggestion'),
  }))
}

it('while no pair is muted the first step is an action, and none is pressed', async () => {
  expect(await presets([])).toEqual([
    { text: 'Mute the four fastest', pressed: null, emphasis: true },
    { text: 'eight slowest', pressed: 'false', emphasis: false },
    { text: 'none', pressed: 'true', emphasis: false },
  ])
})

it('no preset but the muted one stands out', async () => {
  expect(await presets([0, 1, 2, 3])).toEqual([
    { text: 'four fastest', pressed: 'true', emphasis: false },
    { text: 'eight slowest', pressed: 'false', emphasis: false },
    { text: 'none', pressed: 'false', emphasis: false },
  ])
})
