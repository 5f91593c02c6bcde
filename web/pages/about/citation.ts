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

/** What a build knows of itself. Empty: unknown. */
export interface Built {
  commit: string
  /** Of the commit. */
  year: string
  /** Where the source code is, or else this page. */
  url: string
}

/** An entry for BibTeX and BibLaTeX. Braces stop them from splitting a group's name or changing its case. */
export function bibtex({ title, authors, version, licences }: Citation, { commit, year, url }: Built): string {
  const fields = {
    title: `{${title}}`,
    author: `{${authors}}`,
    year,
    version,
    url,
    note: [licences.join(' OR '), commit && `commit ${commit}`].filter(Boolean).join('; '),
  }
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `  ${name} = {${value}},`)
  return ['@software{ropescope,', ...lines, '}'].join('\n')
}
