// The how-to pages build their examples: who follows a page in the repository without its example has the repository.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { pagePaths } from './contents'
import { follow, partsOf, stepsOf, undo } from './guide'

interface Guide {
  page: string
  /** The example, as code and documents name it. */
  example: RegExp
  /** Where all that the example needs is. */
  folders: readonly string[]
  /** Files that a command of the page writes. */
  written: Readonly<Record<string, string>>
  /** Files that name the example, and that it does not need. */
  others: readonly string[]
}

const guides: readonly Guide[] = [
  {
    page: 'write-a-view.md',
    example: /\bsinks\b/i,
    folders: ['web', 'docs', 'tests/browser'],
    written: { 'docs/reference/links.md': 'npx vitest run docs -u' },
    others: [
      // A view without numbers where attention is linear.
      'web/pages/explorer/title.dom.test.ts',
      // A declaration of its own.
      'web/views/view.test.ts',
    ],
  },
  {
    page: 'write-a-family.md',
    example: /mistral/i,
    folders: ['src', 'web', 'docs/reference', 'tests/cli', 'tests/golden'],
    written: { 'docs/reference/config.md': 'WRITE_DOCS=1 cargo test --test engine config_keys' },
    others: [
      // Another family of the same block is tested with these keys.
      'src/model/blocks/gated_decoder.rs',
      // Further cases, and a list.
      'tests/golden/README.md',
      'tests/golden/compare_decoder.py',
      'tests/golden/decoder_cases.py',
      'tests/golden/reader_cases.py',
      // Sentences that list the families.
      ...['en', 'hu', 'ko'].flatMap((tag) => [
        `web/pages/about/messages.${tag}.ts`,
        `web/pages/models/messages.${tag}.ts`,
      ]),
      // A model of the shelf.
      'web/services/hub/hub.test.ts',
      'web/services/hub/shelf.ts',
      // A tokenizer of that name.
      'web/text/decoder.test.ts',
      'web/text/kinds.test.ts',
    ],
  },
  {
    page: 'write-a-kernel.md',
    example: /token_scale|scale_?tokens/i,
    folders: ['src', 'shaders', 'kernels', 'tests/engine/kernels', 'tests/browser'],
    written: {},
    others: [
      // Another use of the kernel.
      'src/model/blocks/embeddings.rs',
    ],
  },
]

const textOf = (page: string) => readFileSync(`docs/${page}`, 'utf8')

const isText = (path: string) => /\.(ts|svelte|rs|wgsl|py|md)$/.test(path)

/** The files below a folder that are code or documents. */
const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name))
    .filter(isText)

it.each(guides)('who follows $page has its example', ({ page, example, folders, written, others }) => {
  const steps = stepsOf(textOf(page))
  const paths = new Set([...folders.flatMap(filesBelow), ...steps.map(({ file }) => file)])
  paths.delete(`docs/${page}`)
  const repository = new Map([...paths].map((path) => [path, readFileSync(path, 'utf8')]))
  const before = undo(repository, steps)

  const named = [...before].filter(([path, text]) => example.test(path) || example.test(text)).map(([path]) => path)
  expect(named.sort()).toEqual([...Object.keys(written), ...others].sort())
  for (const command of Object.values(written)) expect(textOf(page)).toContain(command)

  const after = follow(before, steps)
  for (const { file } of steps) expect(after.get(file), file).toBe(repository.get(file))
  expect([...after.keys()].sort()).toEqual([...repository.keys()].sort())
})

it('write-a-view.md begins with a view of some 60 lines, without its sentences', () => {
  const steps = stepsOf(textOf('write-a-view.md')).flatMap((step) => (step.kind === 'write' ? [step] : []))
  const lines = (name: string) =>
    steps
      .find(({ file }) => file.endsWith(`/${name}`))
      ?.code.trimEnd()
      .split('\n') ?? []
  expect(lines('view.ts').length).toBeGreaterThan(30)
  expect(lines('index.ts').length + lines('view.ts').length).toBeLessThanOrEqual(65)
})

it('write-a-family.md generates the folders of its cases', () => {
  const page = textOf('write-a-family.md')
  const cases = [...page.matchAll(/^\+ +DecoderCase\("(\w+)"/gm)].map(([, name]) => name)
  const [, names = ''] = /^python tests\/golden\/generate_decoders\.py ([\s\S]*?[^\\])\n/m.exec(page) ?? []
  expect(names.split(/[\s\\]+/)).toEqual(cases)
  for (const name of cases) expect(existsSync(`tests/golden/decoders/${name}`), name).toBe(true)
})

it.each(pagePaths)('the parts of files in %s are there', (page) => {
  for (const { file, code } of partsOf(textOf(page)))
    expect(readFileSync(file, 'utf8'), `${file}, which ${page} quotes, has other code`).toContain(code)
})

it('a step that is missing, wrong or in no place is found', () => {
  const page = '`a.ts`:\n\n```ts\na\n```\n\n`b.ts`:\n\n```diff\n one\n+two\n```\n\nFrom `c.ts`:\n\n```ts\nc\n```\n'
  const steps = stepsOf(page)
  expect(partsOf(page).map(({ file }) => file)).toEqual(['c.ts'])
  const tree = new Map(Object.entries({ 'a.ts': 'a\n', 'b.ts': 'one\ntwo\n' }))
  expect(Object.fromEntries(undo(tree, steps))).toEqual({ 'b.ts': 'one\n' })
  expect(follow(undo(tree, steps), steps)).toEqual(tree)
  expect(() => follow(tree, steps)).toThrow('a.ts is there already')
  expect(() => undo(new Map([['b.ts', 'one\nthree\n']]), steps)).toThrow('b.ts has not once')
  expect(() => follow(new Map([['b.ts', 'one\none\n']]), steps)).toThrow('b.ts has not once')
  expect(() => stepsOf('`a.ts`:\n\n```diff\none\n```\n')).toThrow('no mark')
})
