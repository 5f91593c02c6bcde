// The visitor's settings of this machine, in the browser's storage; links do not contain them.
import type { BackendChoice } from '../engine/protocol/protocol'
import { preferredLanguage, type Language } from '../i18n/language'
import { decode, fields, namesField } from './codec'

/** The visitor's backend, if there is one. */
export const storedBackend = (): BackendChoice | undefined => readStored('ropescope.backend', fields.backend.read)
export const storeBackend = (backend: BackendChoice): void => store('ropescope.backend', backend)

/** The link's language, else the visitor's, else the first of the browser's that the page has. */
export function languageAtFirst(fragment: string): Language {
  if (namesField(fragment, 'language')) return decode(fragment).language
  return (
    readStored('ropescope.language', fields.language.read) ?? preferredLanguage(globalThis.navigator?.languages ?? [])
  )
}
export const storeLanguage = (language: Language): void => store('ropescope.language', language)

/** The setting of this name; undefined where none is stored that `known` reads, or the browser stores nothing. */
export function readStored<T>(name: string, known: (written: string) => T | undefined): T | undefined {
  try {
    return known(localStorage.getItem(name) ?? '')
  } catch {
    return undefined
  }
}

export function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // Without storage the setting holds for this visit.
  }
}
