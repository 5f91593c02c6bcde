// Whose code is in the bundles, and under which licence.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Between two licences. */
export const rule = `\n${'-'.repeat(80)}\n\n`

/** The licences of all packages that these modules come from, as one text. */
export async function licencesOf(modules) {
  const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []))
  const texts = [...folders].sort().map(async (folder) => {
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    const file = (await readdir(folder)).find((file) => /^licen[cs]e/i.test(file))
    if (!file) throw new Error(`${folder} has no licence to be given on`)
    return `${name} ${version} (${license})\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`
  })
  return (await Promise.all(texts)).join(rule)
}
