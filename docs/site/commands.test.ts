// Every command and block of code of the documents has a place that runs it. tests/cli/docs.rs runs the commands of ropescope.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { documents } from './documents'

const read = (file: string) => readFileSync(file, 'utf8')

const suite = 'xtask/src/test.rs'
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

/** Whether the usage of xtask and its parser know these options of a command. */
const knowsOptions = (name: string, options: string) =>
  (options.match(/--\S+/g) ?? []).every(
    (option) =>
      read('xtask/src/main.rs').includes(option) && read(`xtask/src/${name}.rs`).includes(`Long("${option.slice(2)}")`),
  )

/** Whether a Python script of the document's folder, or of the root, declares these options, itself or by its neighbours. */
function knowsScript(document: string, file: string, words: string): boolean {
  const path = [file, join(dirname(document), file)].find((path) => existsSync(path))
  if (path === undefined) return false
  const folder = dirname(path)
  const neighbours = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.py'))
  const code = neighbours.map((name) => read(join(folder, name))).join('\n')
  return (words.match(/--[\w-]+/g) ?? []).every((option) => code.includes(`"${option}"`))
}

/** Whether a test of the training code starts this script. */
const isTested = (file: string) =>
  readdirSync('training')
    .filter((name) => /^test_.*\.py$/.test(name))
    .some((name) => new RegExp(`\\b${file.replace('.py', '')}\\b`).test(read(`training/${name}`)))

interface Place {
  command: RegExp
  /** The file that runs the command, and the words in it that do; undefined: nothing runs it. */
  where: string | undefined
  runs?: string
  /** Whether what the command names is there. */
  isRight?: (document: string, ...names: string[]) => boolean
}

const python = String.raw`(?:\.venv/bin/)?python`

/** What runs each command. */
const places: readonly Place[] = [
  {
    command: /^ropescope /,
    where: 'tests/cli/docs.rs',
    runs: 'Command::new("sh")',
    isRight: (document) => /^(?:README|docs\/.*)\.md$/.test(document),
  },
  { command: /^cargo xtask test$/, where: '.ci/run', runs: 'cargo xtask test' },
  // Its steps are among those of the command above, but for the training's, which need PyTorch.
  {
    command: /^cargo xtask test (--quick|--training)$/,
    where: suite,
    isRight: (_, option) => knowsOptions('test', option),
  },
  { command: /^cargo xtask build$/, where: suite, runs: 'build::run' },
  { command: /^cargo xtask package$/, where: suite, runs: 'package::pack' },
  { command: /^cargo xtask start$/, where: 'playwright.config.ts', runs: '${xtask} start' },
  // Benchmarks take hours.
  { command: /^cargo xtask bench(.*)$/, where: undefined, isRight: (_, options) => knowsOptions('bench', options) },
  {
    command: /^cargo test (--test .+)$/,
    where: suite,
    runs: '"test", "--workspace"',
    isRight: (_, tests) =>
      [...tests.matchAll(/--test (\S+)(?: (\w+))?/g)].every(
        ([, name, module = 'main']) =>
          existsSync(`tests/${name}/${module}.rs`) || existsSync(`tests/${name}/${module}`),
      ),
  },
  // The tests run the program without optimisation.
  { command: /^cargo install --path \. --locked$/, where: 'tests/cli/program.rs', runs: 'CARGO_BIN_EXE_ropescope' },
  { command: /^cargo build(?: --release)?$/, where: suite, runs: '["build", "--package", "ropescope"]' },
  { command: /^cargo doc --open$/, where: 'xtask/src/crates.rs', runs: '["doc", "--quiet"' },
  {
    command: /^npm run (?!format$)(\S+)$/,
    where: suite,
    isRight: (_, name) => read(suite).includes(`npm::script("${name}")`),
  },
  {
    command: /^npm run format$/,
    where: suite,
    runs: 'npm::script("format:check")',
    isRight: () => scripts['format:check'] === scripts['format']?.replace('--write', '--check --cache'),
  },
  {
    command: /^npx vitest run (.+)$/,
    where: suite,
    runs: 'npm::script("test")',
    isRight: (_, paths) =>
      scripts['test'] === 'vitest run' && paths.split(/\s+/).every((path) => path === '-u' || existsSync(path)),
  },
  { command: /^node (benches|training)\/results\.js$/, where: 'vite.config.ts', runs: '{benches,training}/*.test.js' },
  { command: /^npm install(?: \S+)?$/, where: 'tests/browser/packageInstall.spec.ts', runs: 'npm install' },
  { command: /^npx vite build$/, where: 'tests/browser/package.spec.ts', runs: "vite.js'), 'build']" },
  { command: /^npx vite$/, where: 'tests/browser/package.spec.ts', runs: 'createServer({ root: folder' },
  { command: /^npx webpack$/, where: 'tests/browser/package.spec.ts', runs: 'webpack({ ...config' },
  {
    command: /^python3 -m venv \.venv && \.venv\/bin\/pip install -r requirements\.txt$/,
    where: 'xtask/src/training.rs',
    runs: '"venv"',
  },
  { command: /^python -m pytest training$/, where: 'xtask/src/training.rs', runs: '["-m", "pytest", "training"]' },
  {
    command: new RegExp(String.raw`^${python} ((?:describe|evaluate|held|train)\w*\.py)(.*)$`),
    where: 'xtask/src/training.rs',
    runs: '["-m", "pytest", "training"]',
    isRight: (document, file, words) => knowsScript(document, file, words) && isTested(file),
  },
  // Other scripts run for hours, or write what Hugging Face's classes compute, which the tests read.
  {
    command: new RegExp(String.raw`^${python} (\S+\.py)(.*)$`),
    where: undefined,
    isRight: knowsScript,
  },
  { command: /^for each in generate\*\.py; do \.venv\/bin\/python \$each --check; done$/, where: undefined },
]

/** Programs that a reader starts: a line of code that begins so is a command. */
const programs = /^(?:cargo|npm|npx|node|python3?|\.venv\/bin\/python|pip|git|docker|apt-get|for) /

/** A line of a shell without its comment and its variables. */
const plain = (line: string) =>
  line
    .replace(/\s+#.*/, '')
    .replace(/^(?:[A-Z_]+=\S+ )+/, '')
    .replace(/\s+/g, ' ')
    .trim()

/** The lines of a document's shell blocks, and commands in its sentences. */
function commandsOf(markdown: string): string[] {
  const text = markdown.replaceAll('\\\n', ' ')
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, lines = '']) => lines.split('\n'))
  const sentences = text.replace(/^```.*?^```$/gms, '')
  const spans = [...sentences.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => plain(code))
  return [...blocks.map(plain).filter(Boolean), ...spans.filter((code) => programs.test(code))]
}

/** Whether a place runs this command, if one can, and what the command names is there. */
const hasPlace = (document: string, line: string) =>
  // The first that fits decides: what it refuses is no other's.
  places
    .filter(({ command }) => command.test(line))
    .slice(0, 1)
    .some(({ command, where, runs, isRight }) => {
      const found = command.exec(line)
      if (!found) return false
      const isThere = where === undefined || (existsSync(where) && read(where).includes(runs ?? ''))
      return isThere && (isRight?.(document, ...found.slice(1)) ?? true)
    })

it.each(documents)('the commands of %s run', (document) => {
  expect(commandsOf(read(document)).filter((line) => !hasPlace(document, line))).toEqual([])
})

it('a command without a place is found', () => {
  expect(documents.flatMap((document) => commandsOf(read(document))).length).toBeGreaterThan(100)
  const page = '`npm run no`, `cargo`\n\n```sh\nWRITE=1 cargo test --test no # none\nls \\\n  -l\n```\n'
  expect(commandsOf(page)).toEqual(['cargo test --test no', 'ls -l', 'npm run no'])
  const lacking = ['cargo xtask test --fast', 'cargo xtask no', 'cargo xtask bench --no', 'python no.py', 'git clone x']
  const untested = '.venv/bin/python train_no.py'
  for (const line of [...commandsOf(page), ...lacking, untested, 'python training/evaluate.py --no'])
    expect(hasPlace('README.md', line), line).toBe(false)
  expect(hasPlace('README.md', 'cargo xtask test --quick')).toBe(true)
})

/** Where the blocks of a language in a document are run or compared. Shell has its commands above. */
const blocks: readonly [document: RegExp, languages: string, where: string | undefined][] = [
  // A picture of folders.
  [/^ARCHITECTURE\.md$/, 'text', undefined],
  [/^README\.md$/, 'html', 'tests/browser/snippets.spec.ts'],
  [/^docs\/embed\.md$/, 'html js', 'tests/browser/snippets.spec.ts'],
  [/^package\/README\.md$/, 'js', 'tests/browser/package.spec.ts'],
  [/^package\/README\.md$/, 'html', 'tests/browser/packageElement.spec.ts'],
  [/^docs\/command-line\.md$/, 'python', 'training/test_docs.py'],
  [/^docs\/write-a-(?:view|family|kernel)\.md$/, 'ts rust wgsl python diff', 'docs/site/guides.test.ts'],
  [/^docs\/reference\/package\.md$/, 'ts', 'docs/site/reference/package.test.ts'],
  [/^docs\/reference\/commands\.md$/, 'text', 'tests/cli/reference.rs'],
]

it.each(documents)('the blocks of %s are run or compared', (document) => {
  const languages = new Set([...read(document).matchAll(/^```(\w*)\n.*?^```$/gms)].map(([, language = '']) => language))
  languages.delete('sh')
  for (const language of languages) {
    const place = blocks.find(([path, all]) => path.test(document) && all.split(' ').includes(language))
    expect(place, `a block of “${language}” in ${document}`).toBeDefined()
    const [, , where] = place ?? []
    if (where !== undefined) expect(read(where), where).toContain(basename(document))
  }
})
