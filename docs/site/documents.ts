// All documents of the repository, as paths.
import { existsSync, readdirSync } from 'node:fs'

const readmesIn = (folder: string) =>
  readdirSync(folder)
    .map((name) => `${folder}/${name}/README.md`)
    .filter((path) => existsSync(path))

export const documents: readonly string[] = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...['benches/RESULTS.md', 'package/README.md', 'tests/golden/README.md', 'training/README.md', 'training/RESULTS.md'],
  ...['examples', 'models', 'web'].flatMap(readmesIn),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
