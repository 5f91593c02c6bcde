// Who imports whom in web/: no import of a higher folder or of another view, and no circle of files. dependency-cruiser follows the imports.
// And how long a file is at most.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { cruise } from 'dependency-cruiser'
import ts from 'typescript'

/** The folders of web/, from the top: a file imports from its own folder and from those below it. */
const order = [
  'app',
  'pages',
  'figures',
  'views',
  'charts',
  'ui',
  'session',
  'services',
  'viewstate',
  'text',
  'engine/client',
  'i18n',
  'engine/protocol',
  'styles',
]

/** Folders outside of that order, and what each imports from. */
const outside = {
  'engine/worker': ['text', 'engine/protocol'],
  package: [...order.slice(order.indexOf('charts')), 'engine/worker'],
  // What tests share; no other file imports it.
  testing: [...order, 'engine/worker'],
}

/** Violations, by folder, that are still there. Each is to be removed, none to be added. */
const known = []

const folders = [...order, ...Object.keys(outside)]
const within = (folders) => `^web/(${folders.join('|')})/`

/** What a file of this folder must not import. A test imports what it needs. */
const upwards = (folder, allowed) => ({
  name: 'upwards',
  severity: 'error',
  from: { path: within([folder]), pathNot: '\\.test\\.ts$' },
  to: { path: '^web/', pathNot: within([folder, ...allowed]) },
})

/** A view or figure imports from no other one: what two of them share lies below. The frame serves all. */
const sibling = {
  name: 'sibling',
  severity: 'error',
  from: { path: '^web/(views|figures)/([^/]+)/', pathNot: ['\\.test\\.ts$', '^web/views/frame/'] },
  to: { path: '^web/$1/[^/]+/', pathNot: '^web/$1/($2|frame)/' },
}

/** The declaration of a view fetches its code, which reads the declaration: a dynamic import makes no circle there. */
const declared = within(['views', 'figures'])
const dynamic = { dependencyTypesNot: ['dynamic-import'] }

const forbidden = [
  ...order.map((folder, at) => upwards(folder, order.slice(at + 1))),
  ...Object.entries(outside).map(([folder, allowed]) => upwards(folder, allowed)),
  sibling,
  { name: 'unlisted', severity: 'error', from: { path: '^web/[^/]+/', pathNot: within(folders) }, to: {} },
  { name: 'circle', severity: 'error', from: { pathNot: declared }, to: { circular: true } },
  { name: 'circle', severity: 'error', from: { path: declared }, to: { circular: true, viaOnly: dynamic } },
]

/** The violations in a folder that contains web/, each with its name as in `known`. */
async function violations(root) {
  const copy = mkdtempSync(join(tmpdir(), 'imports-'))
  try {
    cpSync(join(root, 'web'), join(copy, 'web'), { recursive: true })
    // A compiled component has lost its imports of types: the copy has nothing but imports.
    for (const name of readdirSync(copy, { recursive: true })) {
      if (name.endsWith('.svelte')) writeFileSync(join(copy, name), importsOnly(readFileSync(join(copy, name), 'utf8')))
    }
    const { output } = await cruise(
      ['web'],
      {
        baseDir: copy,
        includeOnly: '^web/',
        exclude: '^web/wasm/',
        tsPreCompilationDeps: true,
        validate: true,
        ruleSet: { forbidden },
      },
      { extensions: ['.ts', '.svelte.ts', '.svelte'] },
    )
    return output.summary.violations.map(({ rule, from, to, cycle }) => {
      const name = { upwards: `${folderOf(from)} → ${folderOf(to)}`, circle: `circle in ${folderOf(from)}` }[rule.name]
      const path = cycle?.map((step) => step.name) ?? [to]
      return { name: name ?? `${rule.name} ${from}`, path: [from, ...path].join(' → ') }
    })
  } finally {
    rmSync(copy, { recursive: true })
  }
}

function importsOnly(component) {
  const scripts = [...component.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(([, script]) => script)
  const { importedFiles } = ts.preProcessFile(scripts.join('\n'), true, true)
  return `<script>\n${importedFiles.map(({ fileName }) => `import '${fileName}'`).join('\n')}\n</script>\n`
}

const folderOf = (file) => folders.find((folder) => file.startsWith(`web/${folder}/`)) ?? dirname(file)

test('imports of the page point downwards, without circles', async () => {
  const found = await violations('.')
  const paths = found.filter(({ name }) => !known.includes(name)).map(({ path }) => path)
  assert.deepEqual(paths, [])
  const names = found.map(({ name }) => name)
  assert.deepEqual(
    known.filter((name) => !names.includes(name)),
    [],
    'these are there no more: remove them from `known`',
  )
})

/** The most lines of a file: one that is longer has several subjects. */
const mostLines = 400

test('no file of the page is too long', () => {
  const files = readdirSync('web', { recursive: true }).filter(
    (name) => /\.(ts|svelte)$/.test(name) && !name.startsWith('wasm/'),
  )
  assert.ok(files.length > 300)
  const lengths = files.map((name) => [name, readFileSync(join('web', name), 'utf8').trimEnd().split('\n').length])
  assert.deepEqual(
    lengths.filter(([name, lines]) => lines > mostLines),
    [],
  )
})

test('imports of types, of components and dynamic ones are followed', async () => {
  const root = mkdtempSync(join(tmpdir(), 'planted-'))
  const plant = (name, content) => {
    mkdirSync(dirname(join(root, 'web', name)), { recursive: true })
    writeFileSync(join(root, 'web', name), content)
  }
  try {
    plant('views/map/index.ts', `export const settings = {}; export const component = () => import('./Map.svelte')`)
    plant(
      'views/map/Map.svelte',
      `<script lang="ts">import type { settings } from '.'; import '../../ui/Up.svelte'</script>`,
    )
    plant('views/map/draw.ts', `import type { Place } from './layout'; export type Drawn = Place`)
    plant('views/map/layout.ts', `import type { Drawn } from './draw'; export type Place = Drawn`)
    plant(
      'ui/Up.svelte',
      `<script lang="ts">import type { Drawn } from '../views/map/draw'; let { a }: { a: Drawn } = $props()</script>`,
    )
    plant('views/score/data.ts', `import type { Place } from '../map/layout'`)
    plant('views/score/View.svelte', `<script lang="ts">import '../frame/Scene.svelte'</script>`)
    plant('views/frame/Scene.svelte', '')
    plant('session/state.svelte.ts', `export const later = () => import('../ui/Up.svelte')`)
    plant('session/state.test.ts', `import '../views/map/draw'; import '../testing/fakeBench'`)
    plant('testing/fakeBench.ts', `import '../session/state.svelte'`)
    plant('session/answers.ts', `import '../testing/fakeBench'`)
    plant('text/read.ts', `export { later } from '../session/state.svelte'`)
    plant('text/stream.ts', `import { back } from './back'; export const stream = back`)
    plant('text/back.ts', `export const back = () => import('./stream')`)
    plant('engine/worker/desk.ts', `import '../client/client'`)
    plant('engine/client/client.ts', `import type { Desk } from '../worker/desk'`)
    plant('new/file.ts', `import '../text/read'`)
    const names = (await violations(root)).map(({ name }) => name)
    assert.deepEqual(names.sort(), [
      'circle in engine/client',
      'circle in text',
      'circle in views',
      'engine/client → engine/worker',
      'engine/worker → engine/client',
      'session → testing',
      'session → ui',
      'sibling web/views/score/data.ts',
      'text → session',
      'ui → views',
      'unlisted web/new/file.ts',
    ])
  } finally {
    rmSync(root, { recursive: true })
  }
})
