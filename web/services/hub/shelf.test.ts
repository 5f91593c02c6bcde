import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { hubWords } from '../../i18n/hub'
import { pageOf } from './address'
import { families } from './families'
import { addressOf, onShelf, shelf } from './shelf'

const { shelf: said } = hubWords

it('the shelf has models of families that are read, each once, by names that can be asked for', () => {
  expect(shelf.length).toBeGreaterThan(5)
  expect(new Set(shelf.map(({ id }) => id)).size).toBe(shelf.length)
  for (const entry of shelf) {
    expect(families).toHaveProperty(entry.family)
    expect(addressOf(entry)).toMatchObject({ owner: expect.stringMatching(/./), revision: expect.stringMatching(/./) })
    expect(onShelf(addressOf(entry))).toBe(entry)
    expect(said.looks[entry.id], entry.id).toBeTruthy()
    expect(said.families[entry.family], entry.family).toBeTruthy()
  }
})

it('README.md has the same table', () => {
  const row = (entry: (typeof shelf)[number]) => {
    const address = addressOf(entry)
    const licence = `${entry.licence ?? said.noLicence}${entry.gated ? `, ${said.gated}` : ''}`
    const size = said.size(entry.megabytes, entry.listed)
    return `| ${said.families[entry.family]} | [${entry.id}](${pageOf(address)}) | ${size} | ${licence} | ${said.looks[entry.id]} |`
  }
  const expected = [
    '| family | model | weights | licence | what to look at |',
    '|---|---|---|---|---|',
    ...shelf.map(row),
  ]
  const readme = readFileSync('README.md', 'utf8')
  expect(readme, `README.md lacks this table:\n${expected.join('\n')}`).toContain(expected.join('\n') + '\n\n')
})
