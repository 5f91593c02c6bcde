// Read's words in the visitor's language: an edition is fetched when it is opened.
import type { Language } from './language'
import type { ReadWords } from './en/read'
import { writeInLanguageOf } from './numbers'
import { speak, type TranslatedWords } from './words.svelte'

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
/** Of numbers, plurals and lists. */
let language: Language = $state('en')
writeInLanguageOf(() => language)
let wanted: Language = 'en'

/** Read's words. @throws {Error} before an edition is open. */
export function readWords(): ReadWords {
  if (!opened) throw new Error('edition')
  return opened
}

/** Opens an edition: numbers and the frame of figures are of its language, too. Another one that is asked for meanwhile goes before it. */
export async function openEdition(asked: Language): Promise<void> {
  wanted = asked
  const { read, page } = await editions[asked]()
  if (wanted !== asked) return
  language = asked
  speak(page, asked)
  opened = read
}

/** The rest of the page is in English. */
export function leaveEdition(): void {
  wanted = 'en'
  language = 'en'
  speak(undefined, 'en')
}
