/** The direction of a text by its first letter that has one, as `dir="auto"` finds it; tokens in Latin brackets do not count. */
export function direction(text: string): 'ltr' | 'rtl' {
  const letter = /\p{L}/u.exec(text.replaceAll(/\[[A-Z]+\]/g, ''))?.[0] ?? ''
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Mandaic}\p{Script=Samaritan}]/u.test(
    letter,
  )
    ? 'rtl'
    : 'ltr'
}
