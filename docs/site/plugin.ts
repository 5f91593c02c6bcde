// The documentation as a part of the site: a page for each file of docs/, and an index to search them.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import MiniSearch from 'minisearch'
import type { Plugin } from 'vite'
import { contents } from './contents.ts'
import { addressOf, readPage, type Page, type Part } from './markdown.ts'
import { htmlOf, type Files } from './page.ts'
import { searchOptions } from './searchOptions.ts'

const entry = 'docs/site/main.ts'
/** The address of the first page, which the page links to. */
const first = `docs/${addressOf(contents[0]?.pages[0] ?? '')}`

/** @param repository address of the repository; empty if there is none */
export function docs(repository: string): Plugin {
  return {
    name: 'docs',
    config: (_, { command }) => ({
      define: { 'import.meta.env.DOCS': JSON.stringify(first) },
      ...(command === 'build' ? { build: { rolldownOptions: { input: { docs: entry } } } } : {}),
    }),
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const path = /^\/docs\/([\w/-]+)\.html/.exec(request.url ?? '')?.[1]
        const isSearch = request.url?.startsWith('/docs/search.json') ?? false
        if (path === undefined && !isSearch) return next()
        const files = { script: entry, styles: [], icon: 'web/styles/icon.svg' }
        written(repository, files)
          .then(async (all) => {
            const text = all.get(isSearch ? 'docs/search.json' : `docs/${path}.html`)
            if (text === undefined) return next()
            // Styles are inline while developing.
            const html = text.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
            response.setHeader('Content-Type', isSearch ? 'application/json' : 'text/html')
            response.end(isSearch ? text : await server.transformIndexHtml(request.url ?? '', html))
          })
          .catch(next)
      })
    },
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'docs')
        const icon = Object.keys(bundle).find((file) => /(^|\/)icon-[^/]*\.svg$/.test(file))
        if (chunk?.type !== 'chunk' || icon === undefined) throw new Error('the build has no script or icon for docs/')
        const styles = [...(chunk.viteMetadata?.importedCss ?? [])]
        for (const [fileName, source] of await written(repository, { script: chunk.fileName, styles, icon }))
          this.emitFile({ type: 'asset', fileName, source })
        for (const picture of new Set((await read(repository)).flatMap(({ pictures }) => pictures)))
          this.emitFile({ type: 'asset', fileName: `docs/${picture}`, source: await readFile(join('docs', picture)) })
      },
    },
  }
}

function read(repository: string): Promise<Page[]> {
  const paths = contents.flatMap(({ pages }) => pages)
  return Promise.all(paths.map(async (path) => readPage(path, await readFile(join('docs', path), 'utf8'), repository)))
}

/** The site's texts by their path. */
async function written(repository: string, files: Files): Promise<Map<string, string>> {
  const pages = await read(repository)
  const all = new Map(pages.map((page) => [`docs/${addressOf(page.path)}`, htmlOf(page, pages, files)]))
  return all.set('docs/search.json', JSON.stringify(searchIndex(pages)))
}

export function searchIndex(pages: readonly Page[]): MiniSearch<Part> {
  const index = new MiniSearch<Part>(searchOptions)
  const addresses = new Set<string>()
  for (const { title, parts } of pages)
    for (const part of parts) {
      // Two headings of the same words: the first one's address leads near enough.
      if (!addresses.has(part.address)) index.add({ ...part, page: title } as Part)
      addresses.add(part.address)
    }
  return index
}
