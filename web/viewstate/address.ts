import type { Choice } from './choice'
import { decode, encode, isState, longestLinkedText, namesField, type Named } from './codec'

/** The parts of the window that the address needs. */
export interface AddressWindow {
  location: Pick<Location, 'hash'>
  history: Pick<History, 'state' | 'pushState' | 'replaceState'>
  addEventListener(type: 'popstate' | 'hashchange' | 'pagehide', listener: () => void): void
}

/** The text of the entry, if it is too long for the link. */
interface Entry {
  text?: string
}

const delay = 250
/** Safari refuses more than a hundred entries within so long. */
const refusedFor = 30_000

/** Keeps the link equal to the choice. Small changes replace it after a while; others are entries of the browser's history. */
export class Address {
  readonly #place: AddressWindow
  #current: Choice
  #waiting: ReturnType<typeof setTimeout> | undefined
  /** How the waiting state is written: as a new entry if the browser refused that before. */
  #how: 'pushState' | 'replaceState' = 'replaceState'

  /** @param restored receives the state of a link within the page, of a typed fragment, and of Back and Forward */
  constructor(place: AddressWindow, restored: (choice: Choice) => void) {
    this.#place = place
    this.#current = this.read()
    const restore = () => {
      // An anchor names no state.
      if (!isState(place.location.hash)) return
      this.#settle()
      const { backend, language } = this.#current
      this.#current = this.read()
      // Backend and language are the visitor's unless the link names them.
      if (!this.names('backend')) this.#current = { ...this.#current, backend }
      if (!this.names('language')) this.#current = { ...this.#current, language }
      restored(this.#current)
    }
    // A step to another fragment fires both.
    let restoredTo: string | undefined
    place.addEventListener('popstate', () => {
      restoredTo = place.location.hash
      restore()
    })
    place.addEventListener('hashchange', () => {
      if (place.location.hash !== restoredTo) restore()
      restoredTo = undefined
    })
    place.addEventListener('pagehide', () => this.#flush())
  }

  /** Whether the link names a value of this field. */
  names(key: Named): boolean {
    return namesField(this.#place.location.hash, key) || (key === 'text' && this.#text !== undefined)
  }

  /** The text of this entry, if it is too long for the link. */
  get #text(): string | undefined {
    const entry = this.#place.history.state as Entry | null
    return typeof entry?.text === 'string' ? entry.text : undefined
  }

  /** The state of the present link. */
  read(): Choice {
    const choice = decode(this.#place.location.hash)
    return { ...choice, text: this.#text ?? choice.text }
  }

  /** Shows a state in the link. A step, and any change of page, chapter, model, grid width or open views, is a new entry of the browser's history. */
  show(choice: Choice, kind: 'small' | 'step' | 'never' = 'small'): void {
    const { page, chapter, model, gridWidth, open } = this.#current
    const other =
      choice.page !== page ||
      choice.chapter !== chapter ||
      choice.model !== model ||
      choice.gridWidth !== gridWidth ||
      choice.open.join() !== open.join()
    const step = kind === 'step' || (kind === 'small' && other)
    if (step) this.#flush()
    this.#current = choice
    if (step) this.#write('pushState')
    else this.#writeAfter(delay)
  }

  #flush(): void {
    if (this.#waiting !== undefined) this.#write(this.#how)
  }

  /** A browser refuses an entry when there were too many, or when it is too large. The newest one is tried again later. */
  #write(how: 'pushState' | 'replaceState'): void {
    this.#settle()
    try {
      this.#place.history[how](entryOf(this.#current), '', `#${encode(this.#current)}`)
    } catch {
      this.#how = how
      this.#writeAfter(refusedFor)
    }
  }

  #writeAfter(milliseconds: number): void {
    clearTimeout(this.#waiting)
    this.#waiting = setTimeout(() => this.#flush(), milliseconds)
  }

  /** Nothing is left to write. */
  #settle(): void {
    clearTimeout(this.#waiting)
    this.#waiting = undefined
    this.#how = 'replaceState'
  }
}

function entryOf(choice: Choice): Entry {
  return choice.text.length > longestLinkedText ? { text: choice.text } : {}
}
