import { inParts } from '../../ui/inParts'
import { seekHabit, type Finding } from './headline'
import type { HeadMap } from '../../charts/attention-map/model'

/** The habit of a map's head: of a long text it is sought in parts, and not known until it is found. */
export class FoundHabit {
  readonly #map: () => HeadMap | undefined
  #found: { map: HeadMap; finding: Finding | undefined } | undefined = $state.raw()

  /** Make it while a component is made: it ends with that. `ids`: of the tokens of the map's text. */
  constructor(map: () => HeadMap | undefined, ids: () => ArrayLike<number>) {
    this.#map = map
    $effect.pre(() => {
      const wanted = map()
      return wanted && inParts(seekHabit(wanted, ids()), (finding) => (this.#found = { map: wanted, finding }))
    })
  }

  /** Whether there is a map, and its habit is not known yet. */
  get sought(): boolean {
    const map = this.#map()
    return map !== undefined && this.#found?.map !== map
  }

  /** Undefined, too, where no token has a choice. */
  get value(): Finding | undefined {
    const found = this.#found
    return found && found.map === this.#map() ? found.finding : undefined
  }
}
