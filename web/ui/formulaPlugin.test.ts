import { readdirSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { expect, it } from 'vitest'
import { formulas } from './formulaPlugin'

/** The code and source map that the plugin makes of a file; null: it leaves the file as it is. */
function transformed(code: string, id = '/page/web/views/a/index.ts') {
  const { transform } = formulas()
  if (typeof transform !== 'function') throw new Error('no transform')
  return Reflect.apply(transform, undefined, [code, id]) as { code: string; map: { toString(): string } } | null
}

const file = [
  '// A comment on tex`\\alpha` stays.',
  "const text = 'tex`\\beta`'",
  'const formula = tex`\\gamma_i`; const after = 1',
  'call()',
].join('\n')

it('replaces formulas, and no comment or string that speaks of one', () => {
  const { code = '' } = transformed(file) ?? {}
  expect(code).toContain('// A comment on tex`\\alpha` stays.')
  expect(code).toContain("'tex`\\beta`'")
  expect(code).toMatch(/const formula = "<math.*<\/math>"; const after = 1/)
  expect(transformed('// only tex`\\alpha` in a comment')).toBeNull()
})

it('replaces formulas in the script and the markup of a component', () => {
  const component = '<script lang="ts">\n  const one: string = tex`a`\n</script>\n<!-- tex`b` -->\n{@html tex`c`}\n'
  const { code = '' } = transformed(component, '/page/web/pages/A.svelte') ?? {}
  expect(code.match(/<math/g)).toHaveLength(2)
  expect(code).toContain('<!-- tex`b` -->')
})

it('says with a source map where what follows a formula was written', () => {
  const result = transformed(file)
  const map = new SourceMap(JSON.parse(String(result?.map)) as SourceMapPayload)
  const column = result?.code.split('\n')[2]?.indexOf('after') ?? NaN
  expect(map.findEntry(2, column)).toMatchObject({
    originalLine: 2,
    originalColumn: file.split('\n')[2]?.indexOf('after'),
  })
  expect(map.findEntry(3, 0)).toMatchObject({ originalLine: 3, originalColumn: 0 })
})

it('the font has all characters of all formulas', () => {
  const files = readdirSync('web', { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!test)\.(ts|svelte)$/.test(name),
  )
  const result = files.map((name) => transformed(readFileSync(`web/${name}`, 'utf8'), `/page/web/${name}`)?.code ?? '')
  const texts = [...result.join().matchAll(/<(m[inos]|mtext)\b([^>]*)>([^<]*)</g)]
  expect(texts.length).toBeGreaterThan(500)
  const drawn = texts.flatMap(([, element, attributes, text = '']) => {
    const characters = [...text.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>')]
    const upright = element !== 'mi' || characters.length !== 1 || attributes?.includes('normal')
    return upright ? characters : characters.map(italic)
  })
  const font = readFileSync('web/styles/fonts/characters.txt', 'utf8')
  // Spaces, and the invisible application of a function.
  expect(
    [...new Set(drawn)].filter((character) => !font.includes(character) && !' \u00a0\u2061'.includes(character)),
  ).toEqual([])
})

/** A letter as MathML draws it where it stands alone. */
function italic(letter: string): string {
  if (letter === 'h') return 'ℎ'
  const code = letter.codePointAt(0) ?? 0
  for (const [first, last, drawn] of [
    ['A', 'Z', '𝐴'],
    ['a', 'z', '𝑎'],
    ['α', 'ω', '𝛼'],
  ] as const) {
    if (letter >= first && letter <= last)
      return String.fromCodePoint(code - first.charCodeAt(0) + (drawn.codePointAt(0) ?? 0))
  }
  return letter === 'ϕ' ? '𝜙' : letter
}
