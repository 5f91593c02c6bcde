// Sentences with coloured tokens, symbols, names of files and links in them.

/** How a piece is set: a token in the colour of its role, what stands out, a name as code, or a formula's letters. */
export type Tone = 'query' | 'key' | 'strong' | 'stressed' | 'quoted' | 'code' | 'variable' | 'sub' | 'sup'

/** A piece of a sentence: words, words set in their own way, or a link. */
export type Piece = string | { tone: Tone; text: string } | { href: string; text: string }
export type Sentence = readonly Piece[]

/** Takes the place of named values in a template: words(`one {query} two`, { query }) keeps token text apart from words. */
export function sentence(strings: TemplateStringsArray, ...values: readonly Piece[]): Sentence {
  return strings.flatMap((words, index) => {
    const value = values[index]
    return [...(words === '' ? [] : [words]), ...(value === undefined ? [] : [value])]
  })
}

export const query = (text: string): Piece => ({ tone: 'query', text })
export const key = (text: string): Piece => ({ tone: 'key', text })
export const strong = (text: string): Piece => ({ tone: 'strong', text })
export const stressed = (text: string): Piece => ({ tone: 'stressed', text })
export const quoted = (text: string): Piece => ({ tone: 'quoted', text })
export const code = (text: string): Piece => ({ tone: 'code', text })
export const variable = (text: string): Piece => ({ tone: 'variable', text })
export const sub = (text: string): Piece => ({ tone: 'sub', text })
export const sup = (text: string): Piece => ({ tone: 'sup', text })
export const link = (text: string, href: string): Piece => ({ href, text })

export function plainText(sentence: Sentence): string {
  return sentence.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('')
}
