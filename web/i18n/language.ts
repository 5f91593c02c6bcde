/** Languages of the page, as BCP 47 tags. */
export const languages = ['en', 'ko', 'hu'] as const
export type Language = (typeof languages)[number]
