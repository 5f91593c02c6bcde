import { useCharacterKeys } from './keys'

const stored = 'ropescope.characterKeys'

/** The list of keys, and the visitor's choice whether single characters are keys. */
class KeyListState {
  open = $state(false)
  #characters = $state(true)

  constructor() {
    try {
      this.#characters = localStorage.getItem(stored) !== 'off'
    } catch {
      // Without storage the default holds.
    }
    useCharacterKeys(this.#characters)
  }

  get characters(): boolean {
    return this.#characters
  }

  set characters(on: boolean) {
    this.#characters = on
    useCharacterKeys(on)
    try {
      localStorage.setItem(stored, on ? 'on' : 'off')
    } catch {
      // Without storage it holds for this visit.
    }
  }
}

export const keyList = new KeyListState()
