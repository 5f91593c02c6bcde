// Long work on an answer of the engine.
import { untrack } from 'svelte'
import type { Answer, Answered } from '../session/resource.svelte'
import { inSlices } from './slices'

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
  work: (answer: Answered<R, V>) => Iterator<unknown, T, void>,
): Latest<R, T> {
  let result: { of: Answered<R, V>; value: T } | undefined = $state.raw()
  // `latest` is another object for each request, also where the value is the same: only another value starts the work.
  const present = $derived(answer.latest?.value)
  const isOfPresent = () => result?.of.value === present
  const start = (latest: Answered<R, V> | undefined) => {
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
      return latest && result && { key: isOfPresent() ? latest.key : result.of.key, value: result.value }
    },
    get stale() {
      return result !== undefined && (answer.stale || !isOfPresent())
    },
    get failure() {
      return answer.failure
    },
  }
}
