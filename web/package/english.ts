// Messages without a choice of language: the npm package speaks English, and is built with this in place of i18n/messages.svelte.
import type { Language } from '../i18n/language'
import type { Messages } from '../i18n/messages.svelte'

export const currentLanguage = (): Language => 'en'
export const numberLanguage = currentLanguage

export const messages = <M extends object>(english: M): Messages<M> =>
  Object.assign(() => english, { language: currentLanguage, load: () => Promise.resolve() })
