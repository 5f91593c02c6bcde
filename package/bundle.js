// Bundles scripts of the npm package, and copies what they fetch beside them.
import { cp, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { components } from './element.js'

/** The package speaks English: messages of other languages are left out. */
const english = {
  name: 'english',
  resolveId: (id) =>
    id.endsWith('/i18n/messages.svelte') || id === './messages.svelte' ? resolve('web/package/english.ts') : null,
  transform: (code) => (code.includes('import.meta.glob(') ? code.replace(/, import\.meta\.glob\([^)]*\)/, '') : null),
}

/**
 * One script by itself: bundlers find the worker and the modules of WASM by addresses beside it, which are left as they are. Gives the
 * modules of which it is made.
 */
async function bundle(out, entry, platform, { file = `web/package/${entry}.ts`, plugins = [] } = {}) {
  const { version } = JSON.parse(await readFile('package/package.json', 'utf8'))
  const build = await rolldown({
    input: { [entry]: file },
    platform,
    plugins: [english, ...plugins],
    resolve: { conditionNames: ['production', platform, 'import', 'module', 'default'] },
    transform: { define: { VERSION: JSON.stringify(version) }, target: 'es2022' },
    treeshake: { moduleSideEffects: false },
  })
  const { output } = await build.write({
    dir: out,
    format: 'esm',
    minify: true,
    // One file each: Safari evaluates a worker's entry file once more when a chunk imports it.
    codeSplitting: false,
    entryFileNames: '[name].js',
  })
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

/** What the scripts of a page fetch besides. */
const fetched = [
  'web/wasm/ropescope_bg.wasm',
  'web/wasm/ropescope_weights_bg.wasm',
  'web/wasm/threads_plain.wasm',
  'web/wasm/threads_relaxed.wasm',
  'web/wasm/shaders.wgsl',
]

/** All that a page loads of the package. Gives the modules of which its scripts are made. */
export async function bundleForPages(out) {
  const modules = [
    ...(await bundle(out, 'index', 'browser')),
    ...(await bundle(out, 'worker', 'browser')),
    ...(await bundle(out, 'helper', 'browser', { file: 'web/engine/worker/helper.ts' })),
    ...(await bundle(out, 'element', 'browser', { plugins: [components] })),
  ]
  for (const file of fetched) await cp(file, join(out, basename(file)))
  return modules
}

export const bundleForNode = (out) => bundle(out, 'node', 'node')
