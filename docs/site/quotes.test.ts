// Code that a guide quotes is in the file that it names, as it is there.
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { pagePaths } from './contents'

/** A file's name, alone before a block of code. */
const quote = /^`([\w./-]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm

/** The blocks of a page that name their file. */
function quotesOf(page: string): { file: string; code: string }[] {
  const text = readFileSync(`docs/${page}`, 'utf8')
  return [...text.matchAll(quote)].map(([, file = '', code = '']) => ({ file, code }))
}

it.each(['write-a-view.md', 'write-a-family.md', 'write-a-kernel.md'])('%s quotes code', (page) => {
  expect(quotesOf(page).length).toBeGreaterThan(2)
})

it.each(pagePaths)('the code in %s is that of its files', (page) => {
  for (const { file, code } of quotesOf(page)) {
    expect(existsSync(file), `${file}, which ${page} quotes`).toBe(true)
    expect(readFileSync(file, 'utf8'), `${file}, which ${page} quotes, has other code`).toContain(code)
  }
})
