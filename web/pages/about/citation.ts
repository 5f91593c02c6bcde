// How ropescope is cited: CITATION.cff says it, the page shows it.

/** What of CITATION.cff is shown. */
export interface Citation {
  title: string
  authors: string
  version: string
  licences: readonly string[]
}

/** Of a file in the Citation File Format 1.2.0, as this repository writes it: top-level texts, one group as the author. */
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

/** As an entry for BibLaTeX. Braces keep a group's name whole, and small letters small. */
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
