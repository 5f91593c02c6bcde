// Makes the npm package in target/package/ropescope of what `cargo xtask build` made: `node package/build.js`.
import { cp, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'

const out = 'target/package/ropescope'
const { version } = JSON.parse(await readFile('package/package.json', 'utf8'))

await rm(out, { recursive: true, force: true })
await mkdir(out, { recursive: true })

/** Each entry by itself: bundlers find the worker and the modules of WASM by addresses beside it, which are left as they are. */
async function bundle(entry, platform) {
  const made = await rolldown({
    input: { [entry]: `web/package/${entry}.ts` },
    platform,
    transform: { define: { VERSION: JSON.stringify(version) }, target: 'es2022' },
    treeshake: { moduleSideEffects: false },
  })
  await made.write({
    dir: out,
    format: 'esm',
    minify: true,
    chunkFileNames: `${entry}-[name].js`,
    entryFileNames: '[name].js',
  })
}

await bundle('index', 'browser')
await bundle('worker', 'browser')
await bundle('node', 'node')

const types = await rollup({ input: 'web/package/index.ts', plugins: [dts()] })
await types.write({ file: join(out, 'index.d.ts'), format: 'es' })

const beside = [
  'web/wasm/ropescope_families_bg.wasm',
  'web/wasm/ropescope_checkpoints_bg.wasm',
  'web/wasm/shaders.wgsl',
  'package/package.json',
  'package/README.md',
  'LICENSE-MIT',
  'LICENSE-APACHE',
]
for (const file of beside) await cp(file, join(out, file.slice(file.lastIndexOf('/') + 1)))
