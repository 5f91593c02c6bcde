// No words but in the message files, so that another language can say them: none in components, no sentences in code.
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'svelte/compiler'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/** Attributes that people read or hear. */
const spoken = new Set([
  'title',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'placeholder',
  'alt',
  'label',
  'caption',
  'name',
])

/** Whether a text says something: symbols, single letters of formulas and the page's own name do not. */
const saysSomething = (text: string) => /\p{L}{2,}/u.test(text.replace(/\b(rope|scope|ropescope)\b/g, ''))

interface Node {
  type: string
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** What stands in a component's markup. */
function wordsIn(source: string): string[] {
  const found: string[] = []
  const visit = (value: unknown, within?: string): void => {
    if (Array.isArray(value)) {
      for (const one of value) visit(one, within)
      return
    }
    if (!isNode(value)) return
    if (value.type === 'Text') {
      const text = String(value['data'])
      if ((within === undefined || spoken.has(within)) && saysSomething(text)) found.push(text.trim().slice(0, 60))
      return
    }
    // A style is no text, whatever its unit.
    if (value.type === 'StyleDirective') return
    const attribute = value.type === 'Attribute' ? String(value['name']) : within
    for (const [key, child] of Object.entries(value)) {
      if (key !== 'parent') visit(child, attribute)
    }
  }
  visit(parse(source, { modern: true }).fragment)
  return found
}

/** Two words beside each other, or one beside a value: no name of a thing in the code is written so. */
const isSentence = (text: string) => /\p{L}{2,}[,;:.]? +(\p{L}{2,}|\{\})|\{\} +\p{L}{2,}/u.test(text)

/** Sentences in code: literals of TypeScript, and of a component's script and expressions. */
function sentencesIn(file: string, source: string): string[] {
  if (!file.endsWith('.svelte')) return sentencesOf(source)
  const { instance, fragment } = parse(source, { modern: true })
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isNode(value) || value.type === 'TaggedTemplateExpression' || value.type === 'ImportDeclaration') return
    if (value.type === 'Literal' && typeof value['value'] === 'string') found.push(value['value'])
    if (value.type === 'TemplateLiteral') found.push(source.slice(Number(value['start']), Number(value['end'])))
    for (const [key, child] of Object.entries(value)) if (key !== 'parent') visit(child)
  }
  visit(instance)
  visit(fragment)
  return found.map((text) => text.replace(/\$\{[^}]*\}/g, '{}')).filter(isSentence)
}

function sentencesOf(source: string): string[] {
  const found: string[] = []
  const file = ts.createSourceFile('', source, ts.ScriptTarget.Latest)
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node) || ts.isTaggedTemplateExpression(node)) return
    // A text by languages, as a view's title.
    if (ts.isPropertyAssignment(node) && /^(en|ko|hu)$/.test(node.name.getText(file))) return
    if (ts.isStringLiteralLike(node)) found.push(node.text)
    else if (ts.isTemplateExpression(node))
      found.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('{}'))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found.filter(isSentence)
}

/** Files whose sentences are no words of the page. */
const others: Readonly<Record<string, string>> = {
  'web/i18n/rich.ts': 'stops the build',
  'web/services/offline/publish.ts': 'stops the build',
  'web/services/offline/buildStore.ts': 'what a server answered',
  'web/charts/export.ts': 'the frame says it in its own words, a style, and markup',
  'web/charts/attention-map/draw.ts': 'a mistake of the code alone',
  'web/session/headStatistics.svelte.ts': 'a mistake of the code alone',
  'web/engine/worker/supervisor.ts': 'what a test pretends',
  'web/engine/client/failureWords.ts': 'a unit',
  'web/engine/client/spawn.ts': 'the worker’s name',
  'web/engine/worker/router.ts': 'a name of requests of which the newest counts',
  'web/session/generation.svelte.ts': 'a name of steps that are undone as one',
  'web/services/offline/stores.ts': 'names of caches',
  'web/services/hub/modelFiles.ts': 'names of locks',
  'web/services/buildPlugins.ts': 'a part of the build',
  'web/services/hub/hub.svelte.ts': 'names of a directory and a channel',
  'web/ui/keys.ts': 'a selector',
  'web/package/element/sheet.ts': 'a style',
  'web/services/theme.svelte.ts': 'a media query',
  'web/session/walk.svelte.ts': 'a media query',
  'web/text/decoder.ts': 'English that a tokenizer puts together, as Hugging Face does',
  'web/views/command.ts': 'commands to be run',
  'web/views/frame/embed.ts': 'code for another page',
  'web/views/index.ts': 'a mistake of the code alone',
  'web/app/report.ts': 'for those who mend the page, whatever the visitor reads',
  'web/viewstate/examples.ts': 'texts for models that read English',
}

const sources = readdirSync('web', { recursive: true, encoding: 'utf8' })
  .map((file) => `web/${file.replaceAll('\\', '/')}`)
  .filter((file) => /\.(svelte|ts)$/.test(file) && !/\.(test|d|en|ko|hu)\.ts$|^web\/(testing|wasm)\//.test(file))
const read = (file: string) => readFileSync(file, 'utf8')

describe('a component', { timeout: 60_000 }, () => {
  it('holds no words of its own', () => {
    const files = sources.filter((file) => file.endsWith('.svelte'))
    expect(files.length).toBeGreaterThan(30)
    expect(files.flatMap((file) => wordsIn(read(file)).map((words) => `${file}: ${words}`))).toEqual([])
  })

  it('would be found if it did', () => {
    expect(wordsIn('<p>Hello {name}</p>')).toEqual(['Hello'])
    expect(wordsIn('<b title="a hint" class="some class">{x}</b>')).toEqual(['a hint'])
    expect(wordsIn('{#if x}<i>θ × 2</i>{/if}')).toEqual([])
  })
})

// Every file of the page is parsed: that takes a while on a busy machine.
describe('code', { timeout: 60_000 }, () => {
  it('holds no sentences', () => {
    expect(sources.length).toBeGreaterThan(200)
    const checked = sources.filter((file) => !(file in others))
    expect(checked.flatMap((file) => sentencesIn(file, read(file)).map((text) => `${file}: ${text}`))).toEqual([])
  })

  it('is named as another’s only where it holds some', () => {
    expect(Object.keys(others).filter((file) => sentencesIn(file, read(file)).length === 0)).toEqual([])
  })

  it('would be found if it did', () => {
    const code = "import x from 'no words'; const a = `at ${m}`; const b = 'not known'; const c = 'camelCase'"
    expect(sentencesIn('a.ts', code)).toEqual(['at {}', 'not known'])
    expect(sentencesIn('a.svelte', "<p>{x ? 'none chosen' : `${m} tokens`}</p>")).toEqual([
      'none chosen',
      '`{} tokens`',
    ])
  })
})
