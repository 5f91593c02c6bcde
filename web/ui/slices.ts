// Work that leaves the page responsive: in slices, or after the next drawing.

/** Milliseconds of one slice. */
const slice = 12

export interface Clock {
  now(): number
  /** Does the work in a task of its own. Returns how to cancel. */
  later(work: () => void): () => void
}

const page: Clock = {
  now: () => performance.now(),
  later(work) {
    const timer = setTimeout(work)
    return () => clearTimeout(timer)
  },
}

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
  clock = page,
): () => void {
  let cancel = () => {}
  const go = () => {
    const began = clock.now()
    let step = work.next()
    while (!step.done && clock.now() - began < slice) step = work.next()
    if (step.done) {
      done(step.value)
      return
    }
    cancel = clock.later(go)
    onPart(step.value)
  }
  go()
  return () => cancel()
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
