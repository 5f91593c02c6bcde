import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bibtex, readCitation } from './citation'

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

  it('is an entry of BibLaTeX', () => {
    const citation = { title: 'a: B', authors: 'The authors', version: '1.2', licences: ['MIT', 'Apache-2.0'] }
    expect(bibtex(citation)).toBe(
      '@software{ropescope,\n  title = {{a: B}},\n  author = {{The authors}},\n  version = {1.2},\n  note = {MIT OR Apache-2.0},\n}',
    )
  })
})
