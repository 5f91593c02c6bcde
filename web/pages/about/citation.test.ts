import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bibtex, readCitation } from './About.svelte'

const file = readFileSync('CITATION.cff', 'utf8')

describe('the citation', () => {
  it('is of this version, under these licences', () => {
    const crate = readFileSync('Cargo.toml', 'utf8')
    const { version: published } = JSON.parse(readFileSync('package/package.json', 'utf8')) as { version: string }
    const { title, authors, version, licences } = readCitation(file)
    expect(version).toBe(/^version = "(.*)"$/m.exec(crate)?.[1])
    expect(published).toBe(version)
    expect(licences.join(' OR ')).toBe(/^license = "(.*)"$/m.exec(crate)?.[1])
    expect(title).toMatch(/^ropescope: .{20,}[^"]$/)
    expect(authors).toBe('The ropescope authors')
  })

  it('has what the format asks for', () => {
    for (const key of ['cff-version: 1.2.0', 'message: ', 'title: ', 'authors:']) {
      expect(file.split('\n').filter((line) => line.startsWith(key))).toHaveLength(1)
    }
  })

  it('is an entry of BibTeX that names who made it, when, which version, and where it is', () => {
    const built = { commit: '0123abcd', year: '2026', url: 'https://example.org/' }
    const { title, authors, version } = readCitation(file)
    expect(bibtex(readCitation(file), built).split('\n')).toEqual([
      '@software{ropescope,',
      `  title = {{${title}}},`,
      `  author = {{${authors}}},`,
      '  year = {2026},',
      `  version = {${version}},`,
      '  url = {https://example.org/},',
      '  note = {MIT OR Apache-2.0; commit 0123abcd},',
      '}',
    ])
  })

  it('says nothing that a build without its repository does not know', () => {
    const entry = bibtex(readCitation(file), { commit: '', year: '', url: 'https://example.org/' })
    expect(entry).not.toMatch(/year|commit/)
    expect(entry).toContain('  note = {MIT OR Apache-2.0},')
  })
})
