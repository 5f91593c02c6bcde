// The style of CONTRIBUTING.md ("Sentences"), looked for in all documents and in the English messages of the page.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import MarkdownIt from 'markdown-it'
import { toString } from 'nlcst-to-string'
import retextEnglish from 'retext-english'
import repeatedWords from 'retext-repeated-words'
import ts from 'typescript'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { VFile } from 'vfile'

/** The files of a folder and its folders with this ending. */
const filesOf = (folder, ending) =>
  readdirSync(folder, { recursive: true })
    .map((name) => `${folder}/${name}`)
    .filter((path) => path.endsWith(ending))

/** The README.md of each folder in this one. */
const readmesOf = (folder) =>
  readdirSync(folder)
    .map((name) => `${folder}/${name}/README.md`)
    .filter((path) => existsSync(path))

const documents = [
  ...readdirSync('.').filter((path) => path.endsWith('.md')),
  ...filesOf('docs', '.md'),
  ...['package/README.md', 'training/README.md'],
  ...readmesOf('models'),
  ...readmesOf('examples'),
]
const messageFiles = filesOf('web', '.en.ts')

/** Words of a sentence at most. Code and formulas are one word each. */
const longest = 40

/** Stands for code, values and pictures. A capital, because it may begin a sentence. */
const code = 'Code'

/** The lines of CONTRIBUTING.md between two marks. */
function listed(name) {
  const text = readFileSync('CONTRIBUTING.md', 'utf8')
  return text.split(`<!-- ${name} -->`)[1].split('<!-- end -->')[0]
}

/** Expressions that are refused, each with what to write in its place, where there is one word for it. */
const refused = (() => {
  const phrases = [...listed('refused expressions').matchAll(/`([^`]+)`/g)].map(([, phrase]) => [phrase])
  const spellings = [...listed('spellings').matchAll(/^\|([^|]+)\|([^|]+)\|$/gm)].flatMap(([, word, others]) =>
    [...others.matchAll(/`([^`]+)`/g)].map(([, other]) => [other, word.trim()]),
  )
  return [...phrases, ...spellings].map(([phrase, instead]) => ({
    expression: new RegExp(
      `(?<![\\w-])${phrase.replaceAll('.', '\\.').replaceAll(' ', '\\s+')}(?![\\w-])`,
      instead ? 'g' : 'gi',
    ),
    instead,
  }))
})()

function refuseExpressions() {
  return (_, file) => {
    for (const { expression, instead } of refused) {
      for (const { 0: phrase, index } of String(file).matchAll(expression)) {
        const place = { line: String(file).slice(0, index).split('\n').length, column: 1 }
        file.message(instead ? `"${phrase}" is "${instead}"` : `"${phrase}" is refused`, { place })
      }
    }
  }
}

function refuseLongSentences() {
  return (tree, file) => {
    visit(tree, 'SentenceNode', (sentence) => {
      const words = sentence.children.filter(({ type }) => type === 'WordNode').length
      if (words > longest)
        file.message(`${words} words: ${toString(sentence).slice(0, 60)}…`, { place: sentence.position })
    })
  }
}

const english = unified().use(retextEnglish).use(repeatedWords).use(refuseExpressions).use(refuseLongSentences)

/** A number or a letter that ends a sentence: the parser takes it for an abbreviation, and would go on. */
const lastSymbol = /(?<=[\s-])(?:[\p{L}%°‖]|\d{1,3})(?=[.?!]\s)/gu

/** `line: fault` of each fault in a text that begins at this line. */
function faultsIn(text, first) {
  const file = new VFile(text.replace(lastSymbol, code))
  english.runSync(english.parse(file), file)
  return file.messages.map(({ line, reason }) => `${first + line - 1}: ${reason}`)
}

/** The text of a paragraph, heading or cell. */
function textOf({ children }) {
  return children
    .map(({ type, content }) => {
      if (type === 'text') return content
      if (type === 'code_inline' || type === 'image') return code
      return type === 'softbreak' || type === 'hardbreak' ? '\n' : ''
    })
    .join('')
}

const markdown = new MarkdownIt()

function faultsOfDocument(source) {
  let line = 0
  return markdown.parse(source, {}).flatMap((token) => {
    if (token.map) line = token.map[0] + 1
    return token.type === 'inline' ? faultsIn(textOf(token), line) : []
  })
}

/** Messages: strings and templates. A value in a template is one word. */
function faultsOfMessages(source) {
  const file = ts.createSourceFile('messages.ts', source, ts.ScriptTarget.Latest, true)
  const faults = []
  const look = (node) => {
    if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) return
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1
    if (ts.isStringLiteralLike(node)) faults.push(...faultsIn(node.text, line))
    if (ts.isTemplateExpression(node)) {
      const parts = [node.head, ...node.templateSpans.map(({ literal }) => literal)]
      faults.push(...faultsIn(parts.map(({ text }) => text).join(code), line))
    }
    ts.forEachChild(node, look)
  }
  look(file)
  return faults
}

const faultsOfAll = (paths, faultsOf) =>
  paths.flatMap((path) => faultsOf(readFileSync(path, 'utf8')).map((fault) => `${path}:${fault}`))

test('the documents are written in the style', () => {
  assert.ok(documents.length > 25, `${documents.length} documents`)
  assert.deepEqual(faultsOfAll(documents, faultsOfDocument), [])
})

test('the English messages are written in the style', () => {
  assert.ok(messageFiles.length > 40, `${messageFiles.length} files of messages`)
  assert.deepEqual(faultsOfAll(messageFiles, faultsOfMessages), [])
})

test('a fault would be found', () => {
  const page = [
    '# A title\n',
    'A sentence. It is simply\nthe the `code` end at 3. And on.\n',
    '| a |\n| --- |\n| the key-value cache |\n',
    `- ${'one two '.repeat(longest / 2)}\nend.`,
  ]
  assert.deepEqual(faultsOfDocument(page.join('\n')), [
    '4: Unexpected repeated `the`, remove one occurrence',
    '3: "simply" is refused',
    '8: "key-value cache" is "KV cache"',
    `10: ${longest + 1} words: ${'one two '.repeat(longest).slice(0, 60)}…`,
  ])
  const messages = "import a from 'very'\nconst en = { a: 'quite', b: (n) => `A ${n} of CLI` }"
  assert.deepEqual(faultsOfMessages(messages), ['2: "quite" is refused', '2: "CLI" is "command line"'])
})
