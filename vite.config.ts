import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { docs } from './docs/site/plugin.ts'
import { formulas } from './web/ui/formulaPlugin.ts'
import { embedFolder, bundledFacts } from './web/services/buildPlugins.ts'
import { offline } from './web/services/offline/publish.ts'
import { bundledFiles, bundledModels } from './web/services/bundled.ts'

/** Copies the bundled models next to the page, which fetches them. The development server reads them from `models/`. */
function models(): Plugin {
  return {
    name: 'models',
    apply: 'build',
    async writeBundle({ dir }) {
      for (const model of bundledModels) {
        const { folder } = model
        const target = join(dir ?? 'dist', 'models', folder)
        await mkdir(target, { recursive: true })
        for (const file of bundledFiles(model)) await cp(join('models', folder, file), join(target, file))
      }
    },
  }
}

/** Makes `web/app/begin.ts` a separate script that waits for no other one. On the development server `web/app/main.ts` imports it. */
function beginsFirst(): Plugin {
  return {
    name: 'begins-first',
    apply: 'build',
    config: () => ({ build: { rolldownOptions: { input: { index: 'index.html', begin: 'web/app/begin.ts' } } } }),
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const begin = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'begin')
        const main = /(?=<script type="module")/
        if (!begin || !main.test(html)) throw new Error('the page has no script to put another in front of')
        return html.replace(main, `<script type="module" async crossorigin src="./${begin.fileName}"></script>\n    `)
      },
    },
  }
}

/** The messages that every visitor in a language needs, in one file. */
const pageMessages = (language: string) => {
  const folders = 'app|ui|session|text|engine/client|services|services/offline|pages/explorer|views/frame'
  return new RegExp(`/web/(${folders})/\\w+\\.${language}\\.ts$`.replaceAll('/', '[\\\\/]'))
}

/** The development server puts styles inline; the built page has none. */
function inlineStylesWhileDeveloping(): Plugin {
  return {
    name: 'inline-styles-while-developing',
    apply: 'serve',
    transformIndexHtml: (html) => html.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
  }
}

/** The repository's address in package.json; empty if it has none. */
function repository(): string {
  const { repository } = JSON.parse(readFileSync('package.json', 'utf8')) as { repository?: unknown }
  return typeof repository === 'string' && repository.startsWith('https://') ? repository : ''
}

const archive = 'ropescope-source.tar.gz'
/** Left out of the archive: models lie next to the page, and the tests' reference values are several times the rest. */
const unarchived = ['models', 'tests/golden']

const git = (...given: string[]) =>
  execFileSync('git', given, { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }).trim()

/** The commit that the page is built of, with "-dirty" at its end if files were changed since, and its year; empty outside of a git repository. */
function commit(): { COMMIT: string; YEAR: string } {
  try {
    if (git('rev-parse', '--show-prefix') !== '') return { COMMIT: '', YEAR: '' }
    const name = git('describe', '--always', '--abbrev=40', '--exclude=*', '--dirty')
    return { COMMIT: name, YEAR: git('log', '-1', '--format=%cs').slice(0, 4) }
  } catch {
    return { COMMIT: '', YEAR: '' }
  }
}

/** Writes the committed source code next to the page, which links to it and names its commit; only in a git repository. */
function sourceArchive(): Plugin {
  let writes = false
  return {
    name: 'source-archive',
    config(_, { command }) {
      const { COMMIT, YEAR } = commit()
      writes = command === 'build' && COMMIT !== ''
      const values = { SOURCE: writes ? archive : '', COMMIT, YEAR }
      return {
        define: Object.fromEntries(
          Object.entries(values).map(([name, value]) => [`import.meta.env.${name}`, JSON.stringify(value)]),
        ),
      }
    },
    writeBundle({ dir = 'dist' }) {
      const left = unarchived.map((path) => `:!${path}`)
      if (writes) git('archive', '--prefix=ropescope/', `--output=${join(dir, archive)}`, 'HEAD', '--', '.', ...left)
    },
  }
}

export default defineConfig({
  base: './',
  define: { 'import.meta.env.REPOSITORY': JSON.stringify(repository()) },
  publicDir: false,
  plugins: [
    formulas(),
    bundledFacts('models'),
    svelte(),
    models(),
    embedFolder(),
    beginsFirst(),
    docs(repository()),
    offline(),
    sourceArchive(),
    inlineStylesWhileDeveloping(),
  ],
  build: {
    target: 'es2022',
    // Inlined files would need `data:` in the page's policy, and hide their size.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Each request costs time, however small: the page is one file besides the first script, and its first views are another.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'paintScheme', test: /[\\/]docs[\\/]site[\\/]paintScheme\.ts$/, priority: 4 },
            { name: 'docs', test: /[\\/](docs[\\/]site|minisearch)[\\/]/, priority: 3 },
            { name: 'begin', test: /[\\/]web[\\/]app[\\/]begin\.ts$/, priority: 2 },
            { name: 'page', tags: ['$initial'], priority: 1 },
            { name: 'page-ko', test: pageMessages('ko') },
            { name: 'page-hu', test: pageMessages('hu') },
            { name: 'first', test: /[\\/]views[\\/](map|score)[\\/](view\.ts|View\.svelte)$/ },
          ],
        },
      },
    },
  },
  worker: {
    format: 'es',
    // One file: Safari evaluates a worker's entry again for each chunk that imports it, and the second engine would receive the first one's
    // messages.
    rolldownOptions: { output: { codeSplitting: false } },
  },
  server: { watch: { ignored: ['**/target/**', '**/dist/**', '**/.venv/**'] } },
  test: {
    setupFiles: './vitest.setup.ts',
    // A limit for tests that never end; none waits for a clock.
    testTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'page',
          include: ['{web,docs}/**/*.test.ts', '{benches,training}/*.test.js'],
          exclude: ['**/*.dom.test.ts'],
          environment: './vitest.environment.ts',
          // Files share their modules: to load them again for each file would take half of the time.
          isolate: false,
        },
      },
      // Svelte remembers the document that it first saw.
      { extends: true, test: { name: 'dom', include: ['web/**/*.dom.test.ts'], environment: 'happy-dom' } },
    ],
  },
  resolve: process.env['VITEST'] ? { conditions: ['browser'] } : {},
})
