// A plugin of the build: lists its files, and writes the service worker and the manifest.

import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { bundledModels, filesOf, type BundledModel } from '../bundled.ts'
import type { Build, ListedFile, ListedModel } from './stores'

const manifestName = 'manifest.webmanifest'
/** The light background of theme.css: a manifest has one scheme. */
const ground = '#fbfaf6'

/**
 * Not stored for use without a network: the dictionary, which is as large as all other files together and which few visitors need, and the
 * pictures of the documentation, whose alternative texts are read instead.
 */
const unlisted = /(^|\/)jieba|^docs\/.*\.(png|gif)$/

/** Must be the last plugin that writes files. The development server has neither worker nor manifest. */
export function offline(): Plugin {
  return {
    name: 'offline',
    apply: 'build',
    transformIndexHtml: () => [
      { tag: 'link', attrs: { rel: 'manifest', href: `./${manifestName}` }, injectTo: 'head' },
    ],
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir = 'dist' }, bundle) {
        const written = Object.keys(bundle).filter((file) => !unlisted.test(file))
        const icon = written.find((file) => /(^|\/)icon-[^/]*\.svg$/.test(file))
        if (icon === undefined) throw new Error('the page has no icon, which the manifest names')
        await writeFile(join(dir, manifestName), manifest(icon, await description(dir)))
        const page = await listed(dir, [...written.filter((file) => file !== 'index.html'), manifestName])
        const [index] = await listed(dir, ['index.html'])
        if (index) page.push({ ...index, path: '' })
        const models = await Promise.all(bundledModels.map((model) => listedModel(dir, model)))
        const listing: Build = { version: versionOf([...page, ...models.flatMap(({ files }) => files)]), page, models }
        await writeFile(join(dir, 'sw.js'), await serviceWorker(listing))
      },
    },
  }
}

/** From index.html. */
async function description(dir: string): Promise<string> {
  const [, found] = /name="description"\s+content="(.*?)"/.exec(await readFile(join(dir, 'index.html'), 'utf8')) ?? []
  if (found === undefined) throw new Error('the page has no description, which the manifest repeats')
  return found
}

function manifest(icon: string, description: string): string {
  return JSON.stringify({
    id: './',
    name: 'ropescope',
    short_name: 'ropescope',
    description,
    lang: 'en',
    start_url: './',
    scope: './',
    display: 'standalone',
    background_color: ground,
    theme_color: ground,
    icons: [{ src: `./${icon}`, sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
  })
}

async function listed(dir: string, paths: readonly string[]): Promise<ListedFile[]> {
  return Promise.all(
    [...paths].sort().map(async (path) => {
      const bytes = await readFile(join(dir, path))
      return { path, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.byteLength }
    }),
  )
}

async function listedModel(dir: string, model: BundledModel): Promise<ListedModel> {
  const files = await listed(
    dir,
    filesOf(model).map((file) => `models/${model.folder}/${file}`),
  )
  return { folder: model.folder, version: versionOf(files), files }
}

/** Equal for equal files only. */
function versionOf(files: readonly ListedFile[]): string {
  const lines = files.map(({ path, sha256 }) => `${sha256} ${path}\n`)
  return createHash('sha256').update(lines.join('')).digest('hex').slice(0, 16)
}

/** One classic script, which every browser with service workers runs. */
async function serviceWorker(listing: Build): Promise<string> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: { __BUILD__: JSON.stringify(listing) },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(import.meta.dirname, 'sw.ts'), formats: ['iife'], name: 'ropescope', fileName: () => 'sw.js' },
    },
  })
  const [first] = Array.isArray(built) ? built : [built]
  const chunk = first && 'output' in first ? first.output[0] : undefined
  if (!chunk) throw new Error('the service worker was not built')
  return chunk.code
}
