import { readdirSync } from 'node:fs'
import MiniSearch from 'minisearch'
import { expect, it } from 'vitest'
import { contents } from './contents'
import { readPage } from './markdown'
import { htmlOf } from './page'
import { searchIndex } from './plugin'
import { searchOptions } from './searchOptions'

const files = { script: 'assets/docs.js', styles: ['assets/docs.css'], icon: 'assets/icon.svg' }

it('links lead to pages of the site, to the repository where it has an address, and else nowhere', () => {
  const markdown = '# Sites\n\n[a](../write-a-view.md#the-files) [b](../../src/main.rs) [c](https://example.org/x.md)'
  const hrefs = (repository: string) =>
    [...readPage('reference/sites.md', markdown, repository).html.matchAll(/<a(?: href="(.*?)")?>/g)].map(
      ([, href]) => href,
    )
  expect(hrefs('https://host/r')).toEqual([
    '../write-a-view.html#the-files',
    'https://host/r/blob/HEAD/src/main.rs',
    'https://example.org/x.md',
  ])
  expect(hrefs('')[1]).toBeUndefined()
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

it('every page of the folder is listed, and once', () => {
  const pages = contents.flatMap(({ pages }) => pages)
  const found = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'))
  expect([...pages].sort()).toEqual(found.sort())
})
