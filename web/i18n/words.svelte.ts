// The page's words. English is complete and says what every other language has to have.
import { en } from './en'
import type { ReadWords } from './en/read'
import type { Language } from './language'
import { currentLanguage } from './messages.svelte'

export type Words = typeof en

/** What of the page is said in other languages, too: the frame of figures, what stands in it, and the views that are figures, too. */
export type TranslatedWords = Pick<Words, 'frame' | 'elements' | 'keys'>

/** What another language has to have. */
export interface Translation {
  read: ReadWords
  page: TranslatedWords
}

let translated: { language: Language; words: TranslatedWords } | undefined = $state.raw()

/** The words in the language of the page, where they are open in it. */
export const words: Words = Object.defineProperties(
  {},
  Object.fromEntries(
    (Object.keys(en) as (keyof Words)[]).map((part) => [
      part,
      {
        enumerable: true,
        get: () => (translated?.language === currentLanguage() ? { ...en, ...translated.words } : en)[part],
      },
    ]),
  ),
) as Words

/** From now on these take the place of the English ones where the page is in this language. */
export function speak(words: TranslatedWords | undefined, language: Language): void {
  translated = words && { language, words }
}

/** The language of what is translated. */
export const wordsLanguage = (): Language => (translated?.language === currentLanguage() ? translated.language : 'en')
