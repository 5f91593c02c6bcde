import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { t } from '../../pages/models/messages.en'
import { pageOf } from './address'
import { families } from './families'
import { addressOf, shelfModel, shelf } from './shelf'

const { table: words, families: names, looks: phrases, size } = t()
const familyNames: Readonly<Record<string, string>> = names
const looks: Readonly<Record<string, string>> = phrases

it('the shelf has models of families that are read, each once, by names that can be asked for', () => {
  expect(shelf.length).toBeGreaterThan(5)
  expect(new Set(shelf.map(({ id }) => id)).size).toBe(shelf.length)
  for (const entry of shelf) {
    expect(families).toHaveProperty(entry.family)
    expect(addressOf(entry)).toMatchObject({ owner: expect.stringMatching(/./), revision: expect.stringMatching(/./) })
    expect(shelfModel(addressOf(entry))).toBe(entry)
    expect(looks[entry.id], entry.id).toBeTruthy()
    expect(familyNames[entry.family], entry.family).toBeTruthy()
  }
})

it('docs/own-model.md has the same table', () => {
  const row = (entry: (typeof shelf)[number]) => {
    const address = addressOf(entry)
    const licence = `${entry.licence ?? words.noLicence}${entry.gated ? `, ${words.gated}` : ''}`
    return `| ${familyNames[entry.family]} | [${entry.id}](${pageOf(address)}) | ${size(entry.megabytes, entry.listed)} | ${licence} | ${looks[entry.id]} |`
  }
  const expected = [
    '| family | model | weights | licence | what to look at |',
    '|---|---|---|---|---|',
    ...shelf.map(row),
  ]
  const guide = readFileSync('docs/own-model.md', 'utf8')
  expect(guide, `docs/own-model.md lacks this table:\n${expected.join('\n')}`).toContain(expected.join('\n') + '\n\n')
})
