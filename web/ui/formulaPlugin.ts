// The build's part of `tex` (i18n/rich.ts): every tex`…` becomes its MathML, so that the page ships no formula renderer.
import { readFileSync } from 'node:fs'
import MagicString from 'magic-string'
import { parse } from 'svelte/compiler'
import temml from 'temml'
import ts from 'typescript'
import type { Plugin } from 'vite'

export function formulas(): Plugin {
  return {
    name: 'formulas',
    enforce: 'pre',
    // The font's licence must be in the same folder.
    generateBundle() {
      const source = readFileSync('web/styles/fonts/OFL.txt')
      this.emitFile({ type: 'asset', fileName: 'assets/formulas-OFL.txt', source })
    },
    transform(code, id) {
      if (!/\/web\/.*\.(svelte|ts)(\?|$)/.test(id) || !code.includes('tex`')) return null
      const file = new MagicString(code)
      for (const { start, end, source } of formulasIn(code, id)) {
        file.overwrite(start, end, JSON.stringify(render(source)))
      }
      if (!file.hasChanged()) return null
      return { code: file.toString(), map: file.generateMap({ source: id, hires: 'boundary', includeContent: true }) }
    },
  }
}

interface Formula {
  start: number
  end: number
  source: string
}

/** The tagged templates of a file, without those in comments and strings. */
function formulasIn(code: string, id: string): Formula[] {
  const found = /\.svelte(\?|$)/.test(id) ? inComponent(code) : inTypeScript(code)
  return found.map(({ start, end }) => {
    const source = code.slice(code.indexOf('`', start) + 1, end - 1)
    // Its value is known to the page only.
    if (source.includes('${')) throw new Error(`${id}: ${source}`)
    return { start, end, source }
  })
}

type Span = Omit<Formula, 'source'>

function inTypeScript(code: string): Span[] {
  const found: Span[] = []
  const file = ts.createSourceFile('', code, ts.ScriptTarget.ES2022)
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'tex') {
      found.push({ start: node.getStart(file), end: node.end })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function inComponent(code: string): Span[] {
  const found: Span[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (typeof value !== 'object' || value === null) return
    const { type, tag, start, end } = value as Record<string, unknown>
    if (type === 'TaggedTemplateExpression' && (tag as { name?: unknown }).name === 'tex') {
      found.push({ start: Number(start), end: Number(end) })
    }
    for (const [key, child] of Object.entries(value)) if (key !== 'parent') visit(child)
  }
  const { instance, module, fragment } = parse(code, { modern: true })
  visit([module, instance, fragment])
  return found
}

function mathml(source: string): string {
  // A strict style-src refuses style attributes; MathML Core needs none of them.
  return temml.renderToString(source, { throwOnError: true, annotate: false }).replace(/ style="[^"]*"/g, '')
}

/** The pieces at wide spaces and \allowbreak: a formula each, so that lines can break between them. */
function render(source: string): string {
  const style = source.startsWith('\\displaystyle') ? '\\displaystyle ' : ''
  const [first = '', ...rest] = source.split(/(\\qquad|\\allowbreak)/)
  const parts = [first, ...rest.filter((_, at) => at % 2 === 1)]
  const between = rest.filter((_, at) => at % 2 === 0).map((mark) => (mark === '\\qquad' ? '\u2003 ' : '<wbr>'))
  return parts.every(isBalanced)
    ? parts.map((part, at) => (at === 0 ? mathml(part) : `${between[at - 1]}${mathml(style + part)}`)).join('')
    : mathml(source)
}

/** Whether braces and environments of this piece of TeX are balanced. */
function isBalanced(piece: string): boolean {
  const count = (pattern: RegExp) => piece.match(pattern)?.length ?? 0
  return (
    count(/\{/g) === count(/\}/g) &&
    count(/\\left\b/g) === count(/\\right\b/g) &&
    count(/\\begin\b/g) === count(/\\end\b/g)
  )
}
