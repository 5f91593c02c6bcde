// Words that CONTRIBUTING.md forbids as names, looked for in all TypeScript and Svelte files of web/: in declared names, in strings that
// are names, and in classes and ids of tests.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'svelte/compiler'
import ts from 'typescript'

/** Terms of the field, and names that others rely on, which contain a forbidden word. */
const terms = ['cutWords', 'heldOut', 'held-out']

/** Strings that links, stored data and a former version of the page have. */
const stored = {
  'web/figures/stretch/index.ts': ['shown'],
  'web/services/hub/hub.svelte.ts': ['asked'],
  'web/services/hub/store.ts': ['asked'],
  'web/services/offline/offline.svelte.ts': ['kept'],
  'web/services/offline/stores.ts': ['wanted', 'kept'],
  'web/services/offline/sw.ts': ['kept'],
  'web/viewstate/codec.ts': ['cut'],
  'web/views/mute/index.ts': ['cut'],
}

/** The words between the two marks of CONTRIBUTING.md. */
const forbidden = (() => {
  const text = readFileSync('CONTRIBUTING.md', 'utf8')
  const list = text.split('<!-- forbidden names -->')[1].split('<!-- end -->')[0]
  return new Set([...list.matchAll(/`(\w+)`/g)].map(([, word]) => word))
})()

const ofTerms = new RegExp(terms.map((term) => `${term}|${term[0].toUpperCase()}${term.slice(1)}`).join('|'), 'g')

const wordsOf = (name) => name.replace(ofTerms, '_').match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []

const isWrong = (name) => wordsOf(name).some((word) => forbidden.has(word.toLowerCase()))

/** An import without a name of its own. */
const isImport = (node) => ts.isImportSpecifier(node) && !node.propertyName

/** A string that is no text: kinds, states and keys are written so. */
const isName = (text) => /^[a-z][A-Za-z]*(?:-[A-Za-z]+)*$/.test(text)

/** Declared names of TypeScript and strings that are names, with their places in it. */
function namesOfScript(script) {
  const names = []
  const visit = (node) => {
    if (ts.isStringLiteral(node) && isName(node.text))
      names.push({ name: node.text, at: node.getStart(), isString: true })
    const { name } = node
    const uses = ts.isPropertyAccessExpression(node) || ts.isShorthandPropertyAssignment(node) || isImport(node)
    if (name && !uses && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) {
      names.push({ name: name.text, at: name.getStart() })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('file.ts', script, ts.ScriptTarget.Latest, true))
  return names
}

/** Attributes whose words are names. */
const nameAttributes = ['class', 'id', 'data-testid', 'testId']

/** Names that the markup of a component declares: of `each`, `@const`, `snippet` and functions in it, classes, and ids of tests. */
function namesOfMarkup(node, names = []) {
  if (Array.isArray(node)) for (const each of node) namesOfMarkup(each, names)
  else if (node && typeof node === 'object') {
    const { type, start, context, index, id, params = [], parameters = [], expression } = node
    if (type === 'EachBlock' && index) names.push({ name: index, at: start })
    if (type === 'ClassDirective') names.push({ name: node.name, at: start })
    if (type === 'Attribute' && nameAttributes.includes(node.name) && Array.isArray(node.value)) {
      for (const { type, data, start } of node.value) if (type === 'Text') names.push({ name: data, at: start })
    }
    if (type === 'Literal' && typeof node.value === 'string' && isName(node.value)) {
      names.push({ name: node.value, at: start, isString: true })
    }
    const patterns = [context, id, ...params, ...parameters, type === 'SnippetBlock' ? expression : undefined]
    const identifiers = (pattern) => {
      if (!pattern) return
      if (pattern.type === 'Identifier') names.push({ name: pattern.name, at: pattern.start })
      for (const property of pattern.properties ?? []) identifiers(property.value ?? property.argument)
      for (const element of pattern.elements ?? []) identifiers(element)
      identifiers(pattern.left)
    }
    patterns.forEach(identifiers)
    for (const [key, child] of Object.entries(node)) if (key !== 'metadata') namesOfMarkup(child, names)
  }
  return names
}

/** The declared names of a file, with their places. */
function namesOf(path, source) {
  if (!path.endsWith('.svelte')) return namesOfScript(source)
  const { instance, module, fragment } = parse(source, { modern: true })
  const names = namesOfMarkup(fragment)
  for (const script of [instance, module]) {
    if (!script) continue
    const { start, end } = script.content
    names.push(...namesOfScript(source.slice(start, end)).map(({ name, at }) => ({ name, at: at + start })))
  }
  return names
}

/** Texts of messages and of tests are no names. */
const hasTexts = (path) => /\.(test|en|ko|hu)\.ts$|^web\/testing\//.test(path)

/** `file:line name` of each forbidden name of a file, its own among them. */
function wrongIn(path, source) {
  const isKnown = ({ name, isString }) => isString && (hasTexts(path) || stored[path]?.includes(name))
  const found = namesOf(path, source).filter((one) => isWrong(one.name) && !isKnown(one))
  const lines = found.map(({ name, at }) => `${path}:${source.slice(0, at).split('\n').length} ${name}`)
  return isWrong(basename(path)) ? [`${path}:1 ${basename(path)}`, ...lines] : lines
}

const sources = readdirSync('web', { recursive: true })
  .filter((name) => /\.(ts|svelte)$/.test(name) && !name.startsWith('wasm/'))
  .map((name) => join('web', name))
const wrong = sources.flatMap((path) => wrongIn(path, readFileSync(path, 'utf8')))

test('no name of the page is a forbidden word', () => {
  assert.ok(forbidden.size > 20 && sources.length > 300)
  assert.deepEqual(wrong, [])
})

test('a forbidden name would be found', () => {
  const script = `
    interface Held { asked: number; heldOut: number }
    export function told({ wanted }: { wanted: number }, { a: [seen] }: B) { const wholeText = wanted }
    class Runs { #kept = 1; get shown() { return this.#kept } }
    type Chosen = { beside(): void }
    const state = { ['held']: 'seen', text: 'a text that was told' }`
  const names = (path, source) => wrongIn(path, source).map((line) => line.slice(line.indexOf(' ') + 1))
  const expected = [
    'Held',
    'asked',
    'told',
    'wanted',
    'wanted',
    'seen',
    'wholeText',
    '#kept',
    'shown',
    'Chosen',
    'beside',
    'held',
    'seen',
  ]
  assert.deepEqual(names('a.ts', script), expected)
  assert.deepEqual(wrongIn('web/services/hub/store.ts', "export const revisions = 'asked'"), [])
  assert.deepEqual(wrongIn('web/app/messages.en.ts', "const en = { word: 'told' }"), [])
  assert.deepEqual(wrongIn('web/keptOffline.ts', '\nlet told = 1'), [
    'web/keptOffline.ts:1 keptOffline.ts',
    'web/keptOffline.ts:2 told',
  ])
  const component = `<script lang="ts">let { shown }: { shown: number } = $props()</script>
    {#each shown as { kept }, asked}{kept}{/each}{#snippet told(seen: number)}{@const held = (wanted: number) => wanted}{held(seen)}{/snippet}
    <p class="small taken" class:met={shown} data-testid="cut">{shown ? 'whole' : 'it was told'}</p>`
  assert.deepEqual(names('A.svelte', component).sort(), [
    'asked',
    'cut',
    'held',
    'kept',
    'met',
    'seen',
    'shown',
    'shown',
    'small taken',
    'told',
    'wanted',
    'whole',
  ])
})
