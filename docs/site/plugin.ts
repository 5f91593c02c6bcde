// The documentation as a part of the site: a page for each file of docs/, and an index to search them.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import MiniSearch from 'minisearch'
import type { Plugin } from 'vite'
import { pagePaths } from './contents.ts'
import { addressOf, readPage, type Page, type Part } from './markdown.ts'
import { htmlOf, type Files } from './page.ts'
import { searchOptions } from './searchOptions.ts'

/** The scripts of a page, which the build names after these keys. */
const entries = { docs: 'docs/site/main.ts', paintScheme: 'docs/site/paintScheme.ts' }
/** The address of the first page, which the page links to. */
const first = `docs/${addressOf(pagePaths[0] ?? '')}`

/** @param repository address of the repository; empty if there is none */
export function docs(repository: string): Plugin {
  return {
    name: 'docs',
    config: (_, { command }) => ({
      define: { 'import.meta.env.DOCS': JSON.stringify(first) },
      ...(command === 'build' ? { build: { rolldownOptions: { input: entries } } } : {}),
    }),
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const { pathname } = new URL(request.url ?? '', 'http://localhost')
        const file = pathname === '/docs/' ? 'docs/index.html' : pathname.slice(1)
        const isSearch = file === 'docs/search.json'
        if (!isSearch && !/^docs\/.*\.html$/.test(file)) return next()
        const { docs: script, paintScheme } = entries
        const files = { script, paintScheme, styles: [], icon: 'web/styles/icon.svg' }
        written(repository, files)
          .then(async (all) => {
            const text = all.get(file)
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
        const chunkOf = (name: keyof typeof entries) => {
          const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === name)
          if (chunk?.type !== 'chunk') throw new Error(`the build has no script ${entries[name]}`)
          return chunk
        }
        const script = chunkOf('docs')
        const paintScheme = chunkOf('paintScheme')
        if (paintScheme.imports.length + paintScheme.exports.length > 0)
          throw new Error(`${entries.paintScheme} is a classic script: it can neither import nor export`)
        const icon = Object.keys(bundle).find((file) => /(^|\/)icon-[^/]*\.svg$/.test(file))
        if (icon === undefined) throw new Error('the build has no icon for docs/')
        const styles = [...(script.viteMetadata?.importedCss ?? [])]
        const files = { script: script.fileName, paintScheme: paintScheme.fileName, styles, icon }
        for (const [fileName, source] of await written(repository, files))
          this.emitFile({ type: 'asset', fileName, source })
        for (const picture of new Set((await read(repository)).flatMap(({ pictures }) => pictures)))
          this.emitFile({ type: 'asset', fileName: `docs/${picture}`, source: await readFile(join('docs', picture)) })
      },
    },
  }
}

function read(repository: string): Promise<Page[]> {
  return Promise.all(
    pagePaths.map(async (path) => readPage(path, await readFile(join('docs', path), 'utf8'), repository)),
  )
}

/** The site's texts by their path. */
async function written(repository: string, files: Files): Promise<Map<string, string>> {
  const pages = await read(repository)
  const all = new Map(pages.map((page) => [`docs/${addressOf(page.path)}`, htmlOf(page, pages, files)]))
  // The folder itself is the first page.
  all.set('docs/index.html', all.get(first) ?? '')
  return all.set('docs/search.json', JSON.stringify(searchIndex(pages)))
}

export function searchIndex(pages: readonly Page[]): MiniSearch<Part> {
  const index = new MiniSearch<Part>(searchOptions)
  for (const { title, parts } of pages) index.addAll(parts.map((part) => ({ ...part, page: title })))
  return index
}
