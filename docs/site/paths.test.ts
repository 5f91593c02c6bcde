// Files and folders that the documents name are there.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { documents } from './documents'

/** Folders of the repository that documents name. */
const folders = 'benches docs examples kernels models package shaders src tests training web weights xtask'.split(' ')

const all = [
  ...readdirSync('.'),
  ...folders.flatMap((folder) => [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  ]),
].map((path) => `/${path}`)

/** Of Hugging Face, of the package when it is built, and places for a name. */
const others = /^(?:modeling_|configuration_|index\.d\.ts$)|\/x\.|</

/** Each path of `a/{b,c}.ts`. */
const paths = (name: string) => {
  const [all, list] = /\{(.*)\}/.exec(name) ?? []
  return list === undefined ? [name] : list.split(',').map((one) => name.replace(all ?? '', one))
}

/** Whether a file or folder has this path, or one that ends so. A star stands for any letters. */
function isThere(path: string): boolean {
  const escaped = path.replace(/\/$/, '').replace(/[.+]/g, '\\$&').replaceAll('*', '[^/]*')
  const end = new RegExp(`/${escaped}$`)
  return all.some((one) => end.test(one))
}

/** The names of code and of folders in sentences, which are set as code. */
function namesIn(markdown: string): string[] {
  const sentences = markdown.replace(/^```.*?^```$/gms, '')
  return [...sentences.matchAll(/`([\w./{},*<>-]+)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => /\.(?:rs|ts|svelte|wgsl|py|mjs)$/.test(name) || folders.some((one) => name.startsWith(`${one}/`)))
    .filter((name) => !others.test(name))
}

it.each(documents)('%s names files that are there', (document) => {
  const names = namesIn(readFileSync(document, 'utf8'))
  expect(names.filter((name) => !paths(name).every(isThere))).toEqual([])
})

it('a file that is not there is found', () => {
  const names = namesIn(
    '`web/views/`, `gpu/mod.rs`, `messages.{en,ko}.ts`, `docs/*.md`, `a.json`\n\n```ts\n`b.ts`\n```\n',
  )
  expect(names).toEqual(['web/views/', 'gpu/mod.rs', 'messages.{en,ko}.ts', 'docs/*.md'])
  expect(names.flatMap(paths).every(isThere)).toBe(true)
  expect(['web/no/', 'no.rs', 'iews/view.ts'].some(isThere)).toBe(false)
})
