import { expect, it } from 'vitest'
import { headGridParams } from '../pages/explorer/headGrid'
import { figures, readPage } from '../pages/read/chapters'
import { decode, defaults, encode, fields } from '../viewstate/codec'
import type { Field } from '../viewstate/fields'
import { views } from '../views'
import { readParams, type WithParams } from '../views/view'
import former from '../testing/formerLinks.json'

const withParams: readonly WithParams[] = [...views, ...figures, headGridParams, readPage]

/** Every value that a link opens, by its name in the link. */
function stateOf(link: string): Record<string, string> {
  const choice = decode(link)
  const written = ({ write }: Field<unknown>, value: unknown) => (value === null ? 'none' : write(value))
  const own = Object.entries(fields).map(([key, field]) => [
    field.name,
    written(field as Field<unknown>, choice[key as keyof typeof fields]),
  ])
  const params = withParams.flatMap((view) => {
    const values = readParams(view, choice.viewParams)
    return Object.entries(view.params ?? {}).map(([name, field]) => [
      `${view.id}.${field.name}`,
      written(field, values[name]),
    ])
  })
  return Object.fromEntries([...own, ...params]) as Record<string, string>
}

/** Read's figures are on screen in Read alone. Elsewhere they are no part of the state, unless a link names them. */
const isOfRead = (name: string) => figures.some(({ id }) => name.startsWith(`${id}.`))

// `formerLinks.json`: links that the page, its docs and its tests had on 23 November 2026, and what that day's code read from them.
it('links of former versions open the same state', () => {
  const elsewhere = Object.fromEntries(Object.entries(former.usual).filter(([name]) => !isOfRead(name)))
  for (const [link, differs] of Object.entries<Record<string, string>>(former.links)) {
    // A path alone names a page, and no state of its figures.
    const usual = differs['room'] === 'read' && link.includes('=') ? former.usual : elsewhere
    expect(stateOf(link), link).toMatchObject({ ...usual, ...differs })
  }
})

it('a link of today opens figures with the defaults of today', () => {
  const today = stateOf(`#${encode({ ...defaults, page: 'read', chapter: '6' })}`)
  expect(today).toMatchObject({ 'near.curve': 'arrow', 'turn.angle': 'none', 'ways.way': 'sinusoidal' })
  expect(stateOf('#/read/6')).toEqual(today)
})
