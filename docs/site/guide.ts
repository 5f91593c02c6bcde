// What a how-to page tells its reader to do: files to write, and lines to change.

/** Lines of a file, and what replaces them. Lines without a mark stay, and say where the change is. */
interface Change {
  before: string
  after: string
}

export type Step =
  { kind: 'write'; file: string; code: string } | { kind: 'change'; file: string; changes: readonly Change[] }

/** Text by path. */
export type Tree = ReadonlyMap<string, string>

/** A file's name, alone before a block of code. After "From" the block is a part of a file that the reader only reads. */
const block = /^(From )?`([\w./-]+)`:\n\n```(\w+)\n([\s\S]*?)^```$/gm

interface Block {
  isPart: boolean
  file: string
  language: string
  code: string
}

const blocksOf = (page: string): Block[] =>
  [...page.matchAll(block)].map(([, from, file = '', language = '', code = '']) => ({
    isPart: from !== undefined,
    file,
    language,
    code,
  }))

/** The blocks of a page that are parts of files. */
export const partsOf = (page: string): { file: string; code: string }[] => blocksOf(page).filter(({ isPart }) => isPart)

/** What the reader does, in order: a block of a language writes a file, one of `diff` changes it. */
export const stepsOf = (page: string): Step[] =>
  blocksOf(page)
    .filter(({ isPart }) => !isPart)
    .map(({ file, language, code }) =>
      language === 'diff'
        ? { kind: 'change', file, changes: code.split(/^@@\n/m).map((lines) => changeOf(file, lines)) }
        : { kind: 'write', file, code },
    )

function changeOf(file: string, lines: string): Change {
  const all = lines.split('\n').slice(0, -1)
  if (all.some((line) => !/^[ +-]/.test(line))) throw new Error(`a line of the change of ${file} has no mark`)
  const without = (mark: string) => all.filter((line) => !line.startsWith(mark)).map((line) => `${line.slice(1)}\n`)
  return { before: without('+').join(''), after: without('-').join('') }
}

/** The tree after the steps. */
export function follow(tree: Tree, steps: readonly Step[]): Tree {
  const all = new Map(tree)
  for (const step of steps) {
    if (step.kind === 'change')
      for (const { before, after } of step.changes) all.set(step.file, replaced(all, step.file, before, after))
    else if (all.has(step.file)) throw new Error(`${step.file} is there already`)
    else all.set(step.file, step.code)
  }
  return all
}

/** The tree before the steps. */
export function undo(tree: Tree, steps: readonly Step[]): Tree {
  const all = new Map(tree)
  for (const step of [...steps].reverse()) {
    if (step.kind === 'write') all.delete(step.file)
    else
      for (const { before, after } of [...step.changes].reverse())
        all.set(step.file, replaced(all, step.file, after, before))
  }
  return all
}

/** The text of a file with other lines in place of these, which it has once. */
function replaced(tree: Tree, file: string, lines: string, others: string): string {
  const text = `\n${tree.get(file) ?? ''}`
  const at = text.indexOf(`\n${lines}`)
  if (at < 0 || at !== text.lastIndexOf(`\n${lines}`)) throw new Error(`${file} has not once these lines:\n${lines}`)
  return text.slice(1, at + 1) + others + text.slice(at + 1 + lines.length)
}
