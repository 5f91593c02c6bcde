// What the build reads of the bundled models' folders, so that the page says their sizes and licences as the files have them.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { bundledModels, type BundledFacts } from './bundled.ts'

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
