// What a click, a key or a control does.
import type { Bench } from '../session/bench.svelte'
import type { Target } from './output'

/** @param set changes the view's parameters */
export function followTarget(
  target: Target,
  bench: Bench,
  set: (change: Readonly<Record<string, unknown>>) => void,
): void {
  if (target.cursor) bench.chooseForRun(target.cursor)
  if (target.choice) bench.choose(target.choice)
  if (target.params) set(target.params)
  if (target.walk !== undefined) {
    bench.walk.pause()
    bench.walk.moveTo(target.walk ?? undefined, false)
  }
  target.act?.()
}
