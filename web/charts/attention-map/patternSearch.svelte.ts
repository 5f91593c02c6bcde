import { inParts } from '../../ui/inParts'
import type { HeadMap } from './model'
import { seekPattern, type Finding } from './pattern'

/** The pattern of a map. A long text is searched in slices, so that the page stays responsive. */
export class PatternSearch {
  readonly #map: () => HeadMap | undefined
  #result: { map: HeadMap; finding: Finding | undefined } | undefined = $state.raw()

  /**
   * Create it while a component is created: it ends with that.
   *
   * @param ids the token ids of the map's text
   */
  constructor(map: () => HeadMap | undefined, ids: () => ArrayLike<number>) {
    this.#map = map
    $effect.pre(() => {
      const present = map()
      return present && inParts(seekPattern(present, ids()), (finding) => (this.#result = { map: present, finding }))
    })
  }

  /** Whether the search of the present map is still running. */
  get isRunning(): boolean {
    const map = this.#map()
    return map !== undefined && this.#result?.map !== map
  }

  /** Undefined while the search runs, and where every query sees at most one key. */
  get finding(): Finding | undefined {
    const result = this.#result
    return result && result.map === this.#map() ? result.finding : undefined
  }
}
