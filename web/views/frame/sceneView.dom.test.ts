import { flushSync, mount, unmount } from 'svelte'
import { expect, it } from 'vitest'
import type { SceneSlider, Target } from '../output'
import SceneView from './SceneView.svelte'

/** A view with one slider, and where its pointer leads. */
function drawn(slider: Partial<SceneSlider>) {
  const led: (Target | undefined)[] = []
  const sliders = [
    {
      label: 'offset',
      max: 9,
      now: 0,
      text: 'none',
      follows: 'drag',
      hit: (x: number) => ({ say: String(x) }),
      onAction: () => undefined,
      ...slider,
    } as const,
  ]
  const view = mount(SceneView, {
    target: document.body,
    props: {
      id: 'tested',
      inputs: { params: {} } as never,
      bench: { preview: undefined, cellUnderPointer: undefined },
      picture: { scene: { width: 100, height: 20, marks: [] }, sliders },
      go: (target: Target | undefined) => led.push(target) > 0,
      setPointer: () => undefined,
    },
  })
  flushSync()
  const element = document.querySelector('[role=slider]') as HTMLElement
  const send = (type: string, more: PointerEventInit) =>
    element.dispatchEvent(new PointerEvent(type, { pointerId: 1, bubbles: true, ...more }))
  return { led, send, close: () => unmount(view) }
}

it('a drag moves a slider from the press on it until the release, and none that began elsewhere', async () => {
  const { led, send, close } = drawn({})
  send('pointermove', { buttons: 1 })
  send('pointerdown', { button: 2, buttons: 2 })
  send('pointermove', { buttons: 2 })
  expect(led).toHaveLength(0)
  send('pointerdown', { button: 0, buttons: 1 })
  send('pointermove', { buttons: 1 })
  expect(led).toHaveLength(2)
  await close()
})

it('a handle that is pressed does not jump, and follows the pointer', async () => {
  const { led, send, close } = drawn({ round: true })
  send('pointerdown', { button: 0, buttons: 1 })
  expect(led).toHaveLength(0)
  send('pointermove', { buttons: 1 })
  expect(led).toHaveLength(1)
  await close()
})
