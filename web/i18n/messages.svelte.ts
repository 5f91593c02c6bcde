// Messages lie beside the code that says them: a file for each language, of which English is the type of the others.
import type { Language } from './language'

let language: Language = $state('en')
let latest: Language = 'en'
/** True while an English message is written on a page in another language. */
let inEnglish = false

/** The language of the page. */
export const currentLanguage = (): Language => language

/** For `lang`: the language of a text where it is not the page’s. */
export const otherLanguage = (of: Language): Language | undefined => (of === language ? undefined : of)

/** The language of numbers, plurals and lists: an English message has English ones wherever it stands. */
export const numberLanguage = (): Language => (inEnglish ? 'en' : language)

type Loader<M> = () => Promise<{ default: M }>

const catalogues = new Set<{ load: (language: Language) => Promise<void> }>()

/** Switches all messages at once, as soon as those in use are loaded. A newer call wins. */
export async function switchLanguage(next: Language): Promise<void> {
  latest = next
  await loadMessages()
  if (latest === next) language = next
}

/** Waits for imported code and then for its messages, so that nothing is in English first. */
export async function withMessages<C>(code: Promise<C>): Promise<C> {
  const fetched = await code
  await loadMessages()
  return fetched
}

/** Loads the messages in use. */
async function loadMessages(): Promise<void> {
  const of = latest
  await Promise.all([...catalogues].map((catalogue) => catalogue.load(of)))
}

/** Messages in the language of the page; English until those are loaded, and where there are none. */
export interface Messages<M> {
  (): M
  /** The language that the messages are in. */
  language: () => Language
  /** Loads the messages of a language, where there are any. What cannot be fetched stays English. */
  load: (language: Language) => Promise<void>
}

/**
 * @param english what every other language must have
 * @param files the other languages' files, `import.meta.glob('./messages.{ko,hu}.ts')`
 */
export function messages<M extends object>(english: M, files: Readonly<Record<string, unknown>> = {}): Messages<M> {
  let loaded: Readonly<Partial<Record<Language, M>>> = $state.raw({ en: english })
  let fallback: M | undefined

  const load = async (of: Language) => {
    const file = Object.keys(files).find((path) => path.endsWith(`.${of}.ts`))
    if (loaded[of] || file === undefined) return
    try {
      const { default: translated } = await (files[file] as Loader<M>)()
      loaded = { ...loaded, [of]: translated }
    } catch {
      // The next switch to this language tries again.
    }
  }
  const spoken = (): Language => (loaded[language] ? language : 'en')
  const current = () => loaded[language] ?? (fallback ??= withEnglishNumbers(english))
  const catalogue: Messages<M> = Object.assign(current, { language: spoken, load })
  catalogues.add(catalogue)
  // Code that is fetched later loads its messages with itself.
  void load(latest)
  return catalogue
}

/** The same messages; their numbers, plurals and lists are English whatever the page is in. */
function withEnglishNumbers<T>(value: T): T {
  if (typeof value === 'function') return englishFunction(value as unknown as (...args: unknown[]) => unknown) as T
  if (Array.isArray(value)) return value.map(withEnglishNumbers) as T
  if (typeof value !== 'object' || value === null) return value
  const properties = Object.entries(Object.getOwnPropertyDescriptors(value)).map(([name, { get, value: one }]) => [
    name,
    // A getter stays one: what it says may change.
    get ? { get: englishFunction(get), enumerable: true } : { value: withEnglishNumbers(one), enumerable: true },
  ])
  return Object.defineProperties({}, Object.fromEntries(properties) as PropertyDescriptorMap) as T
}

function englishFunction(write: (...args: unknown[]) => unknown): (...args: unknown[]) => unknown {
  return (...args) => {
    const before = inEnglish
    inEnglish = true
    try {
      return write(...args)
    } finally {
      inEnglish = before
    }
  }
}
