/** Languages of the page, as BCP 47 tags. */
export const languages = ['en', 'ko', 'hu'] as const
export type Language = (typeof languages)[number]

/** Each language's name in itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', ko: '한국어', hu: 'Magyar' }

/** The first of the browser's languages that the page has; English where it has none of them. */
export function preferredLanguage(tags: readonly string[]): Language {
  const preferred = tags.map((tag) => tag.toLowerCase().split('-')[0])
  const found = preferred.find((tag) => languages.some((language) => language === tag))
  return (found as Language | undefined) ?? 'en'
}
