// Makes the npm package in target/package/ropescope of what `cargo xtask build` made: `node package/build.js`.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { components } from './element.js'
import { licencesOf, rule } from './licences.js'

const out = 'target/package/ropescope'
const { version } = JSON.parse(await readFile('package/package.json', 'utf8'))

await rm(out, { recursive: true, force: true })
await mkdir(out, { recursive: true })

const modules = []

/** The package speaks English: messages of other languages are left out. */
const english = {
  name: 'english',
  resolveId: (id) =>
    id.endsWith('/i18n/messages.svelte') || id === './messages.svelte' ? resolve('web/package/english.ts') : null,
  transform: (code) => (code.includes('import.meta.glob(') ? code.replace(/, import\.meta\.glob\([^)]*\)/, '') : null),
}

/** Each entry by itself: bundlers find the worker and the modules of WASM by addresses beside it, which are left as they are. */
async function bundle(entry, platform, { file = `web/package/${entry}.ts`, plugins = [] } = {}) {
  const made = await rolldown({
    input: { [entry]: file },
    platform,
    plugins: [english, ...plugins],
    resolve: { conditionNames: ['production', platform, 'import', 'module', 'default'] },
    transform: { define: { VERSION: JSON.stringify(version) }, target: 'es2022' },
    treeshake: { moduleSideEffects: false },
  })
  const { output } = await made.write({
    dir: out,
    format: 'esm',
    minify: true,
    // One file each: Safari evaluates a worker's entry file once more when a chunk imports it.
    codeSplitting: false,
    entryFileNames: '[name].js',
  })
  modules.push(...output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])))
}

await bundle('index', 'browser')
await bundle('worker', 'browser')
await bundle('helper', 'browser', { file: 'web/engine/worker/helper.ts' })
await bundle('node', 'node')
await bundle('element', 'browser', { plugins: [components] })

/** Without wasm-bindgen's comments, which write Rust's as `r" …`. */
const plainTypes = {
  name: 'plain types',
  renderChunk: (code) => code.replace(/\/\*\*\n \* r" .*\n \*\/\n+|\/\* \w+lint.disable \*\/\n/g, ''),
}
for (const entry of ['index', 'element']) {
  const types = await rollup({ input: `web/package/${entry}.ts`, plugins: [dts(), plainTypes] })
  await types.write({ file: join(out, `${entry}.d.ts`), format: 'es' })
}

await writeFile(
  join(out, 'LICENCES-OF-OTHERS'),
  (await licencesOf(modules)) + rule + (await readFile('target/package/licences-of-crates', 'utf8')),
)

const beside = [
  'web/wasm/ropescope_bg.wasm',
  'web/wasm/ropescope_weights_bg.wasm',
  'web/wasm/threads_plain.wasm',
  'web/wasm/threads_relaxed.wasm',
  'web/wasm/shaders.wgsl',
  'package/package.json',
  'package/README.md',
  'LICENSE-MIT',
  'LICENSE-APACHE',
]
for (const file of beside) await cp(file, join(out, file.slice(file.lastIndexOf('/') + 1)))
