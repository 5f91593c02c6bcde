// Commands of the documents that build and test: their names, options and files are there. tests/cli/docs.rs runs those of ropescope itself.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'training/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

const usage = readFileSync('xtask/src/main.rs', 'utf8')
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }

/** Whether the usage of xtask has a command with these options. */
function usageHas(name: string, options: string): boolean {
  const line = usage.split('\n').find((line) => line.startsWith(`cargo xtask ${name} `))
  return line !== undefined && (options.match(/--\S+/g) ?? []).every((option) => line.includes(option))
}

const isTest = (name = '') => existsSync(`tests/${name}.rs`) || existsSync(`tests/${name}/main.rs`)

/** Each kind of command, and whether what it names is there. */
const kinds: readonly [RegExp, (document: string, name: string, more: string) => boolean][] = [
  [/^cargo xtask (\S+)(.*)/, (_, name, options) => usageHas(name, options)],
  [/^cargo test (--test .+)/, (_, tests) => [...tests.matchAll(/--test (\S+)/g)].every(([, name]) => isTest(name))],
  [/^npm run (\S+)/, (_, name) => name in scripts],
  [/^npx vitest run (.+)/, (_, paths) => paths.split(/\s+/).every((path) => path.startsWith('-') || existsSync(path))],
  [/^python (\S+\.py)/, (document, file) => existsSync(file) || existsSync(join(dirname(document), file))],
]

/** Commands in blocks and in lines of a document. */
function commandsOf(document: string): string[] {
  const text = readFileSync(document, 'utf8').replaceAll('\\\n', ' ')
  const code = [...text.matchAll(/^```(?:sh)?\n(.*?)^```$/gms), ...text.matchAll(/`([^`\n]+)`/g)]
  return code
    .flatMap(([, lines = '']) => lines.split('\n'))
    .map((line) => line.replace(/\s+#.*/, '').replace(/^[A-Z_]+=\S+ /, ''))
    .filter((line) => kinds.some(([pattern]) => pattern.test(line)))
}

const isThere = (document: string, command: string) =>
  kinds.every(([pattern, test]) => {
    const [, name, more = ''] = pattern.exec(command) ?? []
    return name === undefined || test(document, name, more)
  })

it.each(documents)('%s names commands that are there', (document) => {
  expect(commandsOf(document).filter((command) => !isThere(document, command))).toEqual([])
})

it('finds commands, and those that are not there', () => {
  expect(documents.flatMap(commandsOf).length).toBeGreaterThan(20)
  expect(isThere('README.md', 'cargo xtask test --quick')).toBe(true)
  const lacking = ['cargo xtask test --fast', 'cargo test --test no', 'npm run no', 'python no.py', 'cargo xtask no']
  expect(lacking.filter((command) => isThere('README.md', command))).toEqual([])
})
