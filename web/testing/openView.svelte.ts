// A view on a bench, opened as the frame does, without a document.
import { flushSync } from 'svelte'
import { expect } from 'vitest'
import type { Bench } from '../session/bench.svelte'
import { inputsOf } from '../views/module'
import { Output, type Picture } from '../views/output'
import { readParams, type View } from '../views/view'
import type { Size } from '../charts/marks'
import type { AnyParams } from '../viewstate/fields'

/** @param opened as `openBench` returns it @param watch receives each picture */
export async function openView(
  { bench, complete }: { bench: Bench; complete: () => Promise<void> },
  view: View,
  room: Size = { width: 640, height: 480 },
  watch: (picture: Picture) => void = () => {},
) {
  const module = await view.module()
  const inputs = inputsOf<AnyParams>(bench, {
    get params() {
      return readParams(view, bench.choice.viewParams)
    },
    ...room,
    pointer: undefined,
    isPictureOnly: false,
    phone: false,
    scheme: 'light',
  })
  let output: Output = Output.empty()
  const close = $effect.root(() => {
    const data = module.data(inputs)
    const present = $derived(module.output(inputs, data))
    $effect.pre(() => watch((output = present).pictureFor(bench.run)))
  })
  flushSync()
  const picture = () => output.pictureFor(bench.run)
  return {
    /** With the run on screen. */
    picture,
    published: () => picture().published,
    /** Waits until every request is answered, and the picture is of the present run and choice. */
    async settled() {
      await complete()
      await waitForPicture(picture)
    },
    close,
  }
}

/** What is computed in slices comes after the last answer. A message fails: then there is no picture. */
export const waitForPicture = (picture: () => Picture | undefined) =>
  expect
    .poll(
      () => {
        flushSync()
        const { message, stale = false } = picture() ?? {}
        return { message, stale }
      },
      { message: 'a picture without a message', timeout: 10_000 },
    )
    .toEqual({ message: undefined, stale: false })
