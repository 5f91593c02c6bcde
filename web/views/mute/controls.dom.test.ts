import { mount, unmount } from 'svelte'
import { expect, it } from 'vitest'
import Controls from './Controls.svelte'

const order = Array.from({ length: 16 }, (_, pair) => pair)

/** The presets as they are drawn while these pairs are muted: label, and whether it is pressed. */
async function presets(pairs: readonly number[]) {
  const controls = mount(Controls, {
    target: document.body,
    props: {
      short: false,
      controls: {
        order,
        pairs,
        act: { how: 'ablated', where: 'head' },
        place: { layer: 2, head: 6 },
        clear: {},
        mute: () => ({}),
        change: () => ({}),
      },
      go: () => {},
    },
  })
  const buttons = [...document.querySelectorAll('[data-testid=mute-presets] button')]
  const drawn = buttons.map((button) => ({
    text: button.textContent,
    pressed: button.getAttribute('aria-pressed'),
    emphasis: button.classList.contains('suggestion'),
  }))
  await unmount(controls)
  return drawn
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
