// Plugins of the build: the npm package's scripts beside the page, so that its snippets run as they are; and what it reads of the bundled
// models' folders, so that the page says their sizes and licences as the files have them.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { bundleForPages } from '../../package/bundle.js'
import { licencesOf, rule } from '../../package/licences.js'
import { readFileSync, statSync } from 'node:fs'
import { bundledModels, type BundledFacts } from './bundled.ts'

/** The page fetches nothing of it but the sizes, once they are on show. The development server has no such folder. */
export function embedFolder(): Plugin {
  return {
    name: 'embed-folder',
    apply: 'build',
    async writeBundle({ dir = 'dist' }) {
      const folder = join(dir, 'embed')
      const modules = await bundleForPages(folder)
      const packed = (await readdir(folder)).sort().map(async (name): Promise<[string, number]> => {
        return [name, gzipSync(await readFile(join(folder, name)), { level: 9 }).length]
      })
      await writeFile(join(folder, 'sizes.json'), JSON.stringify(Object.fromEntries(await Promise.all(packed))))
      // `cargo xtask build` writes this file first. A build by npm alone lacks the licences of the crates.
      const crates = await readFile('target/package/licences-of-crates', 'utf8').catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error
          this.warn(error.message)
          return ''
        },
      )
      const licences = [await licencesOf(modules), crates].filter(Boolean)
      await writeFile(join(folder, 'LICENCES-OF-OTHERS'), licences.join(rule))
    },
  }
}

/** The licence in brackets, in the line of the model's card. */
const licence = /^- \*\*Licence:\*\*.*\(([^()]+)\)\.?$/m

/** The module `virtual:bundled-facts`: the facts of the models in this folder. */
export function bundledFacts(models: string): Plugin {
  const id = 'virtual:bundled-facts'
  return {
    name: 'bundled-facts',
    resolveId: (name) => (name === id ? id : undefined),
    load: (name) => (name === id ? `export default ${JSON.stringify(readFolders(models))}` : undefined),
  }
}

/** @throws {Error} where a folder lacks one of them */
function readFolders(models: string): Record<string, BundledFacts> {
  const facts = bundledModels.map(({ folder }): [string, BundledFacts] => {
    const at = join(models, folder)
    const found = licence.exec(readFileSync(join(at, 'README.md'), 'utf8'))?.[1]
    if (found === undefined) throw new Error(`${at}/README.md names no licence`)
    const config: unknown = JSON.parse(readFileSync(join(at, 'config.json'), 'utf8'))
    return [folder, { config, licence: found, bytes: statSync(join(at, 'model.safetensors')).size }]
  })
  return Object.fromEntries(facts)
}
