// Sentences with coloured tokens in them.

/** A piece of a sentence: words, or a token in the colour of its role. */
export type Piece = string | { tone: 'query' | 'key' | 'strong'; text: string }
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

export function plainText(sentence: Sentence): string {
  return sentence.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('')
}
