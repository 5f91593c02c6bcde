// Makes the npm package in target/package/ropescope of what `cargo xtask build` made: `node package/build.js`.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { bundleForNode, bundleForPages } from './bundle.js'
import { licencesOf, rule } from './licences.js'

const out = 'target/package/ropescope'
await rm(out, { recursive: true, force: true })
await mkdir(out, { recursive: true })

const modules = [...(await bundleForPages(out)), ...(await bundleForNode(out))]

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

const beside = ['package/package.json', 'package/README.md', 'LICENSE-MIT', 'LICENSE-APACHE']
for (const file of beside) await cp(file, join(out, file.slice(file.lastIndexOf('/') + 1)))
