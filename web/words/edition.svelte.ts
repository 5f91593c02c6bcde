// Read's words in the visitor's language: an edition is fetched when it is opened.
import type { Language } from '../state/choice'
import type { ReadWords } from './en/read'
import { writeIn } from './numbers'
import { speak, type TranslatedWords } from './words.svelte'

/** What another language has to have. */
export interface Translation {
  read: ReadWords
  page: TranslatedWords
}

interface Edition {
  read: ReadWords
  page?: TranslatedWords
}

const editions: Readonly<Record<Language, () => Promise<Edition>>> = {
  en: () => import('./en/read'),
  ko: () => import('./ko'),
  hu: () => import('./hu'),
}

let opened: ReadWords | undefined = $state.raw()
let wanted: Language = 'en'

/** Read's words. @throws {Error} before an edition is open. */
export function readWords(): ReadWords {
  if (!opened) throw new Error('edition')
  return opened
}

/** Opens an edition: numbers and the frame of figures are of its language, too. Another one that is asked for meanwhile goes before it. */
export async function openEdition(language: Language): Promise<void> {
  wanted = language
  const { read, page } = await editions[language]()
  if (wanted !== language) return
  writeIn(language)
  speak(page)
  opened = read
}

/** The rest of the page is in English. */
export function leaveEdition(): void {
  wanted = 'en'
  writeIn('en')
  speak(undefined)
}
