import { expect, it } from 'vitest'
import { drawFloors, engineFloors, pageFloors } from './floors'

it.each([engineFloors(), pageFloors()])('$title imports downwards alone, and has imports', ({ rooms, imports }) => {
  const dots = rooms.flatMap((from, row) =>
    rooms.flatMap((to, column) => (imports(from, to) ? [{ from, to, isDown: column > row }] : [])),
  )
  expect(dots.length).toBeGreaterThan(rooms.length)
  expect(dots.filter(({ isDown }) => !isDown)).toEqual([])
})

// `npx vitest run docs -u` draws it again.
it('the picture in ARCHITECTURE.md is of these files', async () => {
  await expect(drawFloors([engineFloors(), pageFloors()])).toMatchFileSnapshot('../floors.svg')
})
