import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import MiniSearch from 'minisearch'
import { expect, it } from 'vitest'
import { pagePaths } from './contents'
import { addressOf, readPage } from './markdown'
import { htmlOf } from './page'
import { searchIndex } from './plugin'
import { find, searchOptions } from './searchOptions'

const files = {
  paintScheme: 'assets/paintScheme.js',
  script: 'assets/docs.js',
  styles: ['assets/docs.css'],
  icon: 'assets/icon.svg',
}

/** The site's pages, where the repository has no address. */
const pages = pagePaths.map((path) => readPage(path, readFileSync(posix.join('docs', path), 'utf8'), ''))

const idsIn = (html: string) => [...html.matchAll(/ id="(.*?)"/g)].map(([, id = '']) => id)

it('links lead to pages of the site and to the repository; without its address a file is named as code', () => {
  const markdown =
    '# Sites\n\n[a](../write-a-view.md#the-files) [src/main.rs](../../src/main.rs) [c](https://example.org/x.md) [d](../../package/README.md)'
  const hrefs = (repository: string) =>
    [...readPage('reference/sites.md', markdown, repository).html.matchAll(/<a(?: href="(.*?)")?>/g)].map(
      ([, href]) => href,
    )
  expect(hrefs('https://host/r')).toEqual([
    '../write-a-view.html#the-files',
    'https://host/r/blob/HEAD/src/main.rs',
    'https://example.org/x.md',
    '../package/README.html',
  ])
  expect(readPage('reference/sites.md', markdown, '').html).toContain('</a> <code>src/main.rs</code> <a ')
})

it('a page knows its pictures by their place in docs/', () => {
  expect(readPage('reference/sites.md', '# Sites\n\n![a map](../map.png)', '').pictures).toEqual(['map.png'])
})

it('markup in a page is text', () => {
  expect(readPage('a.md', '# A\n\n<script>x</script>', '').html).not.toContain('<script>')
})

it('a page is found by a word of its text, at the heading above it', () => {
  const pages = [readPage('a.md', '# Maps\n\nfirst\n\n## Of a head\n\nQueries and `keys`.', '')]
  const index = MiniSearch.loadJSON(JSON.stringify(searchIndex(pages)), searchOptions)
  expect(index.search('keys')).toMatchObject([{ id: 'a.html#of-a-head', heading: 'Of a head', page: 'Maps' }])
})

it('a page names its neighbours by addresses relative to itself', () => {
  const page = readPage('reference/sites.md', '# Sites', '')
  const html = htmlOf(page, [page], files)
  expect(html).toContain('href="../../assets/docs.css"')
  expect(html).toContain('data-docs="../search.json"')
})

it('headings of the same words have anchors of their own, as on GitHub', () => {
  const { html, parts } = readPage('a.md', '# Maps\n\n## Of a head\n\n## Of a head\n\n## Of a head 1', '')
  expect(idsIn(html)).toEqual(['maps', 'of-a-head', 'of-a-head-1', 'of-a-head-1-1'])
  expect(parts.at(-1)?.address).toBe('a.html#of-a-head-1-1')
})

it.each(pages.map((page) => [page.path, page] as const))('%s has no id twice', (_, page) => {
  const ids = idsIn(htmlOf(page, pages, files))
  expect(ids.length).toBeGreaterThan(1)
  expect(new Set(ids).size).toBe(ids.length)
})

it('a link from page to page leads to a page and a heading', () => {
  const places = new Set(
    pages.flatMap(({ path, html }) => ['', ...idsIn(html)].map((id) => `${addressOf(path)}#${id}`)),
  )
  for (const { path, html } of pages)
    for (const [, href = ''] of html.matchAll(/<a href="(.*?)"/g)) {
      if (href.startsWith('http')) continue
      const { pathname, hash } = new URL(href, `http://localhost/${addressOf(path)}`)
      expect(places, `${href} in ${path}`).toContain(`${pathname.slice(1)}#${decodeURI(hash).slice(1)}`)
    }
})

it.each(['--taps', '--weights'])('the option %s is found where its meaning is', (option) => {
  const [first] = searchIndex(pages).search(option)
  expect(first?.id).toMatch(/^reference\/commands\.html#/)
})

it.each([
  ['How do I open my own Llama?', 'own-model'],
  ['Where is softmax computed on the GPU?', 'engine-rules'],
  ['Is it faster than transformers.js?', 'speed'],
  ['How do I add a model family?', 'write-a-family'],
  ['What does a first visit download?', 'safety'],
  ['Why are attention values different from PyTorch in the sixth digit?', 'precision'],
])('“%s” is answered by the first result', (question, page) => {
  expect(find(searchIndex(pages), question)[0]?.id).toMatch(new RegExp(`^${page}\\.html`))
  expect(find(searchIndex(pages), 'nowhereinthedocs')).toEqual([])
})

it('every page of the folder is listed, and once', () => {
  const pages = pagePaths.filter((path) => !path.startsWith('../'))
  const found = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'))
  expect([...pages].sort()).toEqual(found.sort())
})
