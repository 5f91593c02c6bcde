// A view in its frame, drawn into a document without a browser, with the engine behind it; and what holds for each of them.
import { computeAccessibleName } from 'dom-accessibility-api'
import { flushSync, mount, unmount } from 'svelte'
import { expect } from 'vitest'
import { ellipsis, type Text } from '../charts/marks'
import type { Bench } from '../session/bench.svelte'
import { text } from '../ui/table'
import Frame from '../views/frame/Frame.svelte'
import type { Output } from '../views/output'
import { titleOf, type View } from '../views/view'

const pictures = '[role=application], [role=img], .picture[role=group], [role=grid], [role=listbox], [role=slider]'
const controls = 'button, select, input, textarea, summary, fieldset'

/** Canvases that were painted on: there is no painting here. */
const painted = new WeakSet<HTMLCanvasElement>()

/** No style hides a name, and a document without a browser takes long to compute one. */
const getComputedStyle = () => document.body.style

/** Replaces what the document lacks. */
export function preparePainting(): void {
  class Image {}
  Object.assign(globalThis, { ImageData: Image, Path2D: Image })
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement) {
    const paint = () => void painted.add(this)
    const nothing = () => {}
    return { putImageData: paint, stroke: paint, setTransform: nothing, clearRect: nothing, setLineDash: nothing }
  } as unknown as HTMLCanvasElement['getContext']
}

/** Mounts a view as the page does, and opens its menu, which has its numbers. @param complete waits until all is answered */
export async function draw(bench: Bench, view: View, complete: () => Promise<void>) {
  const target = document.body.appendChild(document.createElement('main'))
  let output: Output | undefined
  const publish = (next: Output | undefined) => (output = next)
  const frame = mount(Frame, { target, props: { bench, view, width: 640, height: 480, publish } })
  await view.module()
  await complete()
  const menu = target.querySelector<HTMLElement>(`[data-testid="more-${view.id}"]`)
  if (!menu) throw new Error(`${view.id} has no menu`)
  menu.click()
  flushSync()
  const all = <E extends Element = HTMLElement>(selector: string) => [...target.querySelectorAll<E>(selector)]
  return {
    target,
    all,
    names: (selector: string) => all(selector).map((element) => computeAccessibleName(element, { getComputedStyle })),
    picture: () => output?.pictureFor(bench.run),
    async close() {
      await unmount(frame)
      target.remove()
    },
  }
}

/** Checks that a view is drawn, with names for whoever does not see it, and shows the numbers of its output. */
export function expectDrawn(view: View, { all, names, picture, target }: Awaited<ReturnType<typeof draw>>) {
  const { message, scene, label, published } = picture() ?? {}
  expect(message, 'a message in place of a picture').toBeUndefined()
  expect(names('section')[0]).toBe(titleOf(view))
  expect(names(`${pictures}, ${controls}`), 'names').not.toContain('')
  if (label !== undefined) expect(names(pictures)).toContain(label)
  // A view may show lists, and have a scene for its files alone.
  const drawn = new Set(all('svg text').map(({ textContent }) => textContent))
  const texts = (scene?.marks ?? []).filter((mark): mark is Text => mark.kind === 'text').map(ellipsis)
  if (all('[data-testid$=-scene]').length > 0) expect(texts.filter((text) => !drawn.has(text))).toEqual([])
  expect(all<HTMLCanvasElement>('canvas').filter((canvas) => !painted.has(canvas))).toEqual([])

  const tables = published?.tables ?? []
  for (const { name, table } of tables) {
    const details = all<HTMLDetailsElement>('details').find((one) => one.querySelector('summary')?.textContent === name)
    if (!details) throw new Error(`no table ${name}`)
    details.open = true
    details.dispatchEvent(new Event('toggle'))
    flushSync()
    const cells = [...details.querySelectorAll('tbody tr')].map((row) =>
      [...row.querySelectorAll('td, th')].map(({ textContent }) => textContent.trim()),
    )
    expect(cells.length, name).toBeGreaterThan(table.length > 0 ? 0 : -1)
    cells.forEach((row, at) => expect(row, name).toEqual(table.row(at).map((cell) => text(cell).trim())))
  }
  return target.innerHTML
}
