// Work that leaves the page responsive: in slices, after the next layout, or after the next drawing.
import { untrack } from 'svelte'
import type { Answer, ValueWithRequest } from '../session/resource.svelte'
import type { Attachment } from 'svelte/attachments'

/** Milliseconds of one slice. */
const slice = 12

/**
 * Does long work in slices, so that the page stays responsive: the first at once, each further one in a task of its own. Returns how to
 * cancel.
 *
 * @param onPart receives what the work yielded last in each slice but the last one
 */
export function inSlices<Part, Result>(
  work: Iterator<Part, Result, void>,
  done: (result: Result) => void,
  onPart: (part: Part) => void = () => {},
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const go = () => {
    const began = performance.now()
    let step = work.next()
    while (!step.done && performance.now() - began < slice) step = work.next()
    if (step.done) {
      done(step.value)
      return
    }
    timer = setTimeout(go)
    onPart(step.value)
  }
  go()
  return () => clearTimeout(timer)
}

/** Does the same work at once. */
export function atOnce<Result>(work: Iterator<unknown, Result, void>): Result {
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value
}

/** Runs `work` once the present drawing is on screen: after two frames, since a picture that measures its room is drawn in the second. Returns how to cancel. */
export function afterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => (timer = setTimeout(work)))
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/** The newest answer, or what is computed of it. */
export type Latest<R, V> = Pick<Answer<R, V>, 'latest' | 'stale' | 'failure'>

/**
 * What long work computes of the newest answer, in slices, so that the page stays responsive. A result stays while a newer one is computed,
 * and is stale then. Create it while a component is created: it ends with that.
 *
 * @param work yields after each row or so; all that it depends on is in the answer
 */
export function sliced<R, V, T>(
  answer: Latest<R, V>,
  work: (answer: ValueWithRequest<R, V>) => Iterator<unknown, T, void>,
): Latest<R, T> {
  let result: { of: ValueWithRequest<R, V>; value: T } | undefined = $state.raw()
  // `latest` is another object for each request, also where the value is the same: only another value starts the work.
  const present = $derived(answer.latest?.value)
  const isOfPresent = () => result?.of.value === present
  const start = (latest: ValueWithRequest<R, V> | undefined) => {
    if (latest) return inSlices(work(latest), (value) => (result = { of: latest, value }))
    result = undefined
    return undefined
  }
  $effect.pre(() => {
    void present
    return untrack(() => start(answer.latest))
  })
  return {
    get latest() {
      const { latest } = answer
      return latest && result && { request: isOfPresent() ? latest.request : result.of.request, value: result.value }
    },
    get stale() {
      return result !== undefined && (answer.stale || !isOfPresent())
    },
    get failure() {
      return answer.failure
    },
  }
}

/**
 * Receives the element's width and height (CSS px, without its border) after each layout that changes them, before it is painted.
 * `bind:clientWidth` reads them at once as well, which lays out the page in the task that mounts it.
 */
export const size =
  (receive: (width: number, height: number) => void): Attachment<HTMLElement> =>
  (element) => {
    const observer = new ResizeObserver(() => receive(element.clientWidth, element.clientHeight))
    observer.observe(element, { box: 'border-box' })
    return () => observer.disconnect()
  }
