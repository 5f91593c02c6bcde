import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { views } from '../../web/views'

const heading = '## What each view shows\n'

/** Station and name of each row of the table. */
function rows(): string[] {
  const [, below = ''] = readFileSync('docs/learn.md', 'utf8').split(heading)
  const [section = ''] = below.split('\n## ')
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) => {
    const [, station = '', view = ''] = line.split('|')
    return `${station.trim()}: ${view.trim()}`
  })
}

it('docs/learn.md has a row for each view, with its station and its tab', () => {
  const words: Readonly<Record<string, string>> = { heads: 'all heads', feedForward: 'feed-forward' }
  const declared = views.map(({ station = '', tab }) => `${words[station] ?? station}: ${tab.en}`)
  expect(rows().sort(), heading).toEqual(declared.sort())
})
