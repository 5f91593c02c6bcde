// What bundling the custom element takes besides: components of Svelte, their styles, and files as texts.
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { compile, compileModule } from 'svelte/compiler'
import ts from 'typescript'

const sheet = resolve('web/package/element/sheet.ts')
const raw = '?raw'
/** The package's entry, which the element imports as a file of its own: two engines in a page would be two copies of a model. */
const entries = [resolve('web/package'), resolve('web/package/index')]

const withoutTypes = (code) =>
  ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
  }).outputText

/** Components as the page has them, but for their styles, which are told to the sheet that the element adopts. */
export const components = {
  name: 'components',
  resolveId(id, importer) {
    if (!importer || !id.startsWith('.')) return null
    const path = join(dirname(importer), id)
    if (id.endsWith(raw)) return path
    if (entries.includes(path)) return { id: './index.js', external: true }
    return null
  },
  load(id) {
    return id.endsWith(raw) ? `export default ${JSON.stringify(readFileSync(id.slice(0, -raw.length), 'utf8'))}` : null
  },
  transform(code, id) {
    if (id.endsWith('.svelte')) {
      const { js, css } = compile(code, { filename: id, generate: 'client', css: 'external', runes: true })
      const told = css
        ? `\nimport { style as told } from ${JSON.stringify(sheet)}\ntold(${JSON.stringify(css.code)})`
        : ''
      return { code: js.code + told, moduleType: 'js' }
    }
    if (id.endsWith('.svelte.ts')) {
      return { code: compileModule(withoutTypes(code), { filename: id, generate: 'client' }).js.code, moduleType: 'js' }
    }
    return null
  },
}
