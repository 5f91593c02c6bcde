// Sentences with coloured tokens, symbols, names of files and links in them, and formulas.
import { tokenName } from './numbers'

/** How a piece is set: a token in the colour of its role, what stands out, a title that stays English, a name as code, or a formula's letters. */
export type Tone =
  'token' | 'query' | 'key' | 'strong' | 'stressed' | 'quoted' | 'english' | 'code' | 'variable' | 'sub' | 'sup'

/** A token of a text. */
export interface Token {
  text: string
  position: number
}

/** A piece of a sentence: words, words set in their own way (a token's with its position), a number with its site, or a link. */
export type Piece =
  | string
  | { tone: Tone; text: string; position?: number }
  | { site: string; text: string }
  | { href: string; text: string; lang?: 'en'; hreflang?: 'en' }
export type Sentence = readonly Piece[]

/** Takes the place of named values in a template: words(`one {query} two`, { query }) keeps token text apart from words. */
export function sentence(strings: TemplateStringsArray, ...values: readonly Piece[]): Sentence {
  return strings.flatMap((words, index) => {
    const value = values[index]
    return [...(words === '' ? [] : [words]), ...(value === undefined ? [] : [value])]
  })
}

const toned = (tone: Tone, of: string | Token): Piece => (typeof of === 'string' ? { tone, text: of } : { tone, ...of })

export const token = (of: string | Token): Piece => toned('token', of)
export const query = (of: string | Token): Piece => toned('query', of)
export const key = (of: string | Token): Piece => toned('key', of)
export const strong = (text: string): Piece => ({ tone: 'strong', text })
export const stressed = (text: string): Piece => ({ tone: 'stressed', text })
export const quoted = (text: string): Piece => ({ tone: 'quoted', text })
export const code = (text: string): Piece => ({ tone: 'code', text })
export const variable = (text: string): Piece => ({ tone: 'variable', text })
export const sub = (text: string): Piece => ({ tone: 'sub', text })
export const sup = (text: string): Piece => ({ tone: 'sup', text })
export const english = (text: string): Piece => ({ tone: 'english', text })
/** A number of a forward pass, which leads to its explanation; without a site plain text. */
export const number = (text: string, site: string | undefined): Piece => (site === undefined ? text : { site, text })
export const link = (text: string, href: string): Piece => ({ href, text })
/** A link to an English page, in the words of the sentence. */
export const linkToEnglish = (text: string, href: string): Piece => ({ href, text, hreflang: 'en' })
/** A link by a title that stays English. */
export const englishLink = (text: string, href: string): Piece => ({ href, text, lang: 'en' })

/** One after the other, with a space between; empty ones are left out. */
export const together = (sentences: readonly (Sentence | string)[]): Sentence =>
  sentences.filter(({ length }) => length > 0).flatMap((one, at) => [...(at === 0 ? [] : [' ']), ...[one].flat()])

export function plainText(sentence: Sentence | string): string {
  if (typeof sentence === 'string') return sentence
  return sentence.map((piece) => (typeof piece === 'string' ? piece : plainPiece(piece))).join('')
}

function plainPiece(piece: Exclude<Piece, string>): string {
  if ('href' in piece || 'site' in piece) return piece.text
  if (piece.position !== undefined) return tokenName(piece.text, piece.position)
  return piece.tone === 'token' ? quote(piece.text) : piece.text
}

/** A token in a plain sentence; one that is a quotation mark stays legible. */
export const quote = (token: string) => (/["“”]/.test(token) ? `‘${token}’` : `“${token}”`)

/**
 * A formula in TeX, as MathML for {@html …}: tex`\theta_i = 10000^{-2i/d}`. The build replaces each use by its MathML
 * (vite.config.ts), so the argument must be a plain literal; nothing of this is left in the page.
 */
export function tex(source: TemplateStringsArray): string {
  throw new Error(`a formula was not rendered by the build: ${source.raw.join('')}`)
}
