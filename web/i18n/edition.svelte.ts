// Read's words: an edition is fetched when it is opened.
import type { ReadWords } from './read.en'
import type { Language } from './language'

interface Edition {
  read: ReadWords
}

const editions: Readonly<Record<Language, () => Promise<Edition>>> = {
  en: () => import('./read.en'),
  ko: () => import('./read.ko'),
  hu: () => import('./read.hu'),
}

let opened: ReadWords | undefined = $state.raw()
let latest: Language = 'en'

/** Read's words. @throws {Error} before an edition is open. */
export function readWords(): ReadWords {
  if (!opened) throw new Error('edition')
  return opened
}

/** Opens the edition of a language. A newer call wins. */
export async function openEdition(language: Language): Promise<void> {
  latest = language
  const { read } = await editions[language]()
  if (latest !== language) return
  opened = read
}
