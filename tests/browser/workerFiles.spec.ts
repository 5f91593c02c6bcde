// In the built files nothing imports a worker's entry.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, root } from './explorer'
import { test } from './packed'

/** The imports of each JavaScript file in a folder, and the workers that it starts. */
async function readImports(folder: string): Promise<{ imported: string[]; workers: string[] }> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  const found = (pattern: RegExp) =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map(([, path = '']) => path.split('/').at(-1) ?? ''))
  return {
    imported: found(/(?:\bfrom|\bimport)\s*\(?\s*["'`]([^"'`]+\.js)["'`]/g),
    workers: found(/new Worker\(\s*(?:new URL\(\s*|\/\*[^]*?\*\/\s*)+["'`]([^"'`]+\.js)["'`]/g),
  }
}

// Safari evaluates a worker's entry again for each import: a second engine would receive the first one's messages.
test('@cpu no file of the page imports the entry of a worker', async () => {
  const { imported, workers } = await readImports(join(root, 'dist/assets'))
  expect(workers.map((name) => name.replace(/-.*/, '')).sort()).toEqual(['helper', 'worker'])
  expect(imported.length).toBeGreaterThan(10)
  expect(imported.filter((name) => workers.includes(name))).toEqual([])
})

test('@cpu no file of the package imports the entry of a worker', async ({ example }) => {
  const { imported, workers } = await readImports(join(await example('plain'), 'node_modules/ropescope'))
  expect([...new Set(workers)].sort()).toEqual(['helper.js', 'worker.js'])
  expect(imported).toContain('index.js')
  expect(imported.filter((name) => workers.includes(name))).toEqual([])
})
