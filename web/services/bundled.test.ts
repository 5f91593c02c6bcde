import { expect, it } from 'vitest'
import { description, t } from './messages.en'
import { bundledModels, linkedFolder } from './bundled'
import { decode, encode } from '../viewstate/codec'

it('says of each bundled model what it is, and of no other', () => {
  expect(Object.keys(t().bundled).sort()).toEqual(bundledModels.map(({ folder }) => folder).sort())
  for (const { folder } of bundledModels) expect(description(folder)).toMatch(/\.$/)
})

it('knows which of them a link loads before anything else of the link is read', () => {
  const folders = bundledModels.map(({ folder }) => folder)
  const links = [
    '',
    '#',
    '#backend=cpu',
    '#/explorer?text=a%3Fb&layer=1',
    '#/models',
    ...folders.map((model) => `#model=${model}`),
  ]
  for (const folder of folders) links.push(`#${encode({ ...decode(''), model: folder, text: 'what? & = model=none' })}`)
  for (const link of links) expect(linkedFolder(link), link).toBe(decode(link.slice(1)).model)
  for (const model of ['', 'hub:some/model@1', 'unheard-of']) {
    expect(linkedFolder(`#${encode({ ...decode(''), model })}`), model).toBeUndefined()
  }
})
