// The page's words. English is complete and says what every other language has to have.
import { en } from './en'
import type { ReadWords } from './en/read'

export type Words = typeof en

/** What of the page is said in other languages, too: the frame of figures, what stands in it, and the views that are figures, too. */
export type TranslatedWords = Pick<Words, 'frame' | 'elements' | 'keys' | 'shift' | 'trials'>

/** What another language has to have. */
export interface Translation {
  read: ReadWords
  page: TranslatedWords
}

let spoken: Words = $state.raw(en)
let translatedTo = $state('en')

/** The language of what is translated: the page itself says that it is in English. */
export const wordsLanguage = (): string => translatedTo

/** The words of the visitor's language: whoever shows them follows it. */
export const words: Words = Object.defineProperties(
  {},
  Object.fromEntries(
    (Object.keys(en) as (keyof Words)[]).map((part) => [part, { enumerable: true, get: () => spoken[part] }]),
  ),
) as Words

/** From now on these take the place of the English ones; undefined: none do. */
export function speak(translated: TranslatedWords | undefined, language: string): void {
  translatedTo = translated ? language : 'en'
  spoken = translated ? { ...en, ...translated } : en
}
