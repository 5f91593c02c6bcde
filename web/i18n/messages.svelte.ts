// Messages lie beside the code that says them: a file for each language, of which English is the type of the others.
import { languages, type Language } from './language'

let language: Language = $state('en')

/** The language of the page. */
export const currentLanguage = (): Language => language

type Loader<M> = () => Promise<{ default: M }>

const catalogues = new Set<{ load: (language: Language) => Promise<void> }>()

/** Switches all messages at once, as soon as those in use are loaded. A newer call wins. */
export async function switchLanguage(next: Language): Promise<void> {
  wanted = next
  await Promise.all([...catalogues].map((catalogue) => catalogue.load(next)))
  if (wanted === next) language = next
}
let wanted: Language = 'en'

/** Messages in the language of the page; English until those are loaded, and where there are none. */
export interface Messages<M> {
  (): M
  /** The language that the messages are in. */
  language: () => Language
  /** Loads the messages of a language, where there are any. */
  load: (language: Language) => Promise<void>
}

/**
 * @param english what every other language must have
 * @param files the other languages' files, `import.meta.glob('./messages.{ko,hu}.ts')`
 */
export function messages<M extends object>(english: M, files: Readonly<Record<string, unknown>> = {}): Messages<M> {
  let loaded: Readonly<Partial<Record<Language, M>>> = $state.raw({ en: english })

  const load = async (of: Language) => {
    const file = Object.keys(files).find((path) => path.endsWith(`.${of}.ts`))
    if (loaded[of] || file === undefined) return
    const { default: translated } = await (files[file] as Loader<M>)()
    loaded = { ...loaded, [of]: translated }
  }
  const spoken = (): Language => (loaded[language] ? language : 'en')
  const catalogue: Messages<M> = Object.assign(() => loaded[language] ?? english, { language: spoken, load })
  catalogues.add(catalogue)
  // A view that is opened later loads its messages with itself.
  if (languages.some((one) => one !== 'en' && one === language)) void load(language)
  return catalogue
}
