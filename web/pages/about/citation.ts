// CITATION.cff as the page shows it.

export interface Citation {
  title: string
  authors: string
  version: string
  licences: readonly string[]
}

/** Reads the subset of Citation File Format 1.2.0 that this repository uses: top-level texts, and one group as the author. */
export function readCitation(cff: string): Citation {
  const text = (key: string) => new RegExp(`^${key}: *(.*)$`, 'm').exec(cff)?.[1]?.replace(/^"(.*)"$/, '$1') ?? ''
  const list = (key: string) => new RegExp(`^${key}:\\n((?: +- .*\\n)*)`, 'm').exec(cff)?.[1] ?? ''
  const entries = (key: string) => [...list(key).matchAll(/- (.*)/g)].map(([, entry = '']) => entry)
  return {
    title: text('title'),
    authors: (entries('authors')[0] ?? '').replace(/^name: */, ''),
    version: text('version'),
    licences: entries('license'),
  }
}

/** An entry for BibLaTeX. Braces stop BibLaTeX from splitting a group's name or changing its case. */
export function bibtex({ title, authors, version, licences }: Citation): string {
  const fields = {
    title: `{${title}}`,
    author: `{${authors}}`,
    version,
    note: licences.join(' OR '),
  }
  const lines = Object.entries(fields).map(([name, value]) => `  ${name} = {${value}},`)
  return ['@software{ropescope,', ...lines, '}'].join('\n')
}
