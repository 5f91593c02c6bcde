// A plugin of the build: the npm package's scripts beside the page, so that its snippets run as they are.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { bundleForPages } from '../../package/bundle.js'
import { licencesOf, rule } from '../../package/licences.js'

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
