import { describe, expect, it } from 'vitest'
import { compilePattern, translate } from './settings'

const parts = (pattern: RegExp, text: string) => Array.from(text.matchAll(pattern), ([part]) => part)

describe('a pattern of tokenizer.json', () => {
  // Llama 3's, with what Hugging Face's library cuts these texts into.
  const llama = translate(
    String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  )

  it('cuts as Oniguruma does', () => {
    expect(parts(llama, "it'\u017fa")).toEqual(['it', "'\u017f", 'a'])
    expect(parts(llama, "x'\u017f 'Ta")).toEqual(['x', "'\u017f", " '", 'Ta'])
    expect(parts(llama, "DON'T 12345")).toEqual(['DON', "'T", ' ', '123', '45'])
    expect(parts(llama, 'a\u0085b')).toEqual(['a', '\u0085b'])
    expect(parts(llama, 'a  b\n\n c')).toEqual(['a', ' ', ' b', '\n\n', ' c'])
  })

  it('may be a text, which is taken as it stands', () => {
    expect(parts(compilePattern({ String: 'a.' }), 'a.ab')).toEqual(['a.'])
  })

  it('is refused where it is empty or cannot be read', () => {
    expect(() => compilePattern(null)).toThrow('empty')
    expect(() => compilePattern({ Regex: '(' })).toThrow()
  })
})
