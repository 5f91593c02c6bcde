import { readStored, store } from '../viewstate/stored'
import { useCharacterKeys } from './keys'

const stored = 'ropescope.characterKeys'

/** The list of keys, and the visitor's choice whether single characters are keys. */
class KeyListState {
  open = $state(false)
  #characters = $state(readStored(stored, (written) => written !== 'off') ?? true)

  constructor() {
    useCharacterKeys(this.#characters)
  }

  get characters(): boolean {
    return this.#characters
  }

  set characters(on: boolean) {
    this.#characters = on
    useCharacterKeys(on)
    store(stored, on ? 'on' : 'off')
  }
}

export const keyList = new KeyListState()
