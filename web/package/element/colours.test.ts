import { expect, it } from 'vitest'
import { sequential } from '../../styles/colours'
import { groundOf, stopsOn } from './colours'

it('a map begins with the ground that it stands on', () => {
  const paper = groundOf([253, 246, 227])
  expect(paper).toEqual({ scheme: 'light', card: '#fdf6e3' })
  expect(stopsOn(paper)).toEqual(['#fdf6e3', ...sequential.light.slice(1)])
  expect(groundOf([23, 26, 32])).toEqual({ scheme: 'dark', card: sequential.dark[0] })
  expect(stopsOn(groundOf([255, 255, 255]))).toEqual(sequential.light)
})
