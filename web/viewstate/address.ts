import type { Choice } from './choice'
import { decode, encode, isState, longestLinkedText, namesField, type Named } from './codec'

/** What of the window the address needs. */
export interface Place {
  location: Pick<Location, 'hash'>
  history: Pick<History, 'state' | 'pushState' | 'replaceState'>
  addEventListener(type: 'popstate' | 'hashchange' | 'pagehide', listener: () => void): void
}

/** The entry's own text where it is too long for the link. */
interface Entry {
  text?: string
}

const delay = 250
/** Safari refuses more than a hundred entries within so long. */
const refusedFor = 30_000

/** Keeps the link true to the choice: small changes replace it after a while, others are steps that one can go back from. */
export class Address {
  readonly #place: Place
  #current: Choice
  #waiting: ReturnType<typeof setTimeout> | undefined
  /** How what waits is written: as an entry of its own, where the browser refused one. */
  #how: 'pushState' | 'replaceState' = 'replaceState'

  /** `restored` hears of the state of a link that was followed, of a fragment that was typed, and of steps back. */
  constructor(place: Place, restored: (choice: Choice) => void) {
    this.#place = place
    this.#current = this.read()
    const restore = () => {
      // An anchor within the page is no link to another state.
      if (!isState(place.location.hash)) return
      this.#settle()
      const { backend, language } = this.#current
      this.#current = this.read()
      // Links are the view's: backend and language are the visitor's unless a link asks for them.
      if (!this.names('backend')) this.#current = { ...this.#current, backend }
      if (!this.names('language')) this.#current = { ...this.#current, language }
      restored(this.#current)
    }
    // Browsers fire both where a step leads to another fragment.
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

  /** The text of this entry, where it is too long for the link. */
  get #text(): string | undefined {
    const entry = this.#place.history.state as Entry | null
    return typeof entry?.text === 'string' ? entry.text : undefined
  }

  /** The state that the link stands for now. */
  read(): Choice {
    const choice = decode(this.#place.location.hash)
    return { ...choice, text: this.#text ?? choice.text }
  }

  /** A step is an entry of its own in the browser's history; so is a small change to another room, chapter, model, dock or view that is open. */
  show(choice: Choice, kind: 'small' | 'step' | 'never' = 'small'): void {
    const { room, chapter, model, dock, open } = this.#current
    const other =
      choice.room !== room ||
      choice.chapter !== chapter ||
      choice.model !== model ||
      choice.dock !== dock ||
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

  /** A browser may refuse an entry, because there were too many or it is too large: the newest one is tried again later. */
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
