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
  const made = transformed(file)
  const map = new SourceMap(JSON.parse(String(made?.map)) as SourceMapPayload)
  const column = made?.code.split('\n')[2]?.indexOf('after') ?? NaN
  expect(map.findEntry(2, column)).toMatchObject({
    originalLine: 2,
    originalColumn: file.split('\n')[2]?.indexOf('after'),
  })
  expect(map.findEntry(3, 0)).toMatchObject({ originalLine: 3, originalColumn: 0 })
})
