// No component holds words of its own: they stand in the message files, so that another language can say them.
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'svelte/compiler'
import { describe, expect, it } from 'vitest'

/** Attributes that people read or hear. */
const spoken = new Set([
  'title',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'placeholder',
  'alt',
  'label',
  'caption',
  'name',
])

/** Whether a text says something: symbols, single letters of formulas and the page's own name do not. */
const saysSomething = (text: string) => /\p{L}{2,}/u.test(text.replace(/\b(rope|scope|ropescope)\b/g, ''))

interface Node {
  type: string
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

function wordsIn(source: string): string[] {
  const found: string[] = []
  const visit = (value: unknown, within?: string): void => {
    if (Array.isArray(value)) {
      for (const one of value) visit(one, within)
      return
    }
    if (!isNode(value)) return
    if (value.type === 'Text') {
      const text = String(value['data'])
      if ((within === undefined || spoken.has(within)) && saysSomething(text)) found.push(text.trim().slice(0, 60))
      return
    }
    // A style is no text, whatever its unit.
    if (value.type === 'StyleDirective') return
    const attribute = value.type === 'Attribute' ? String(value['name']) : within
    for (const [key, child] of Object.entries(value)) {
      if (key !== 'parent') visit(child, attribute)
    }
  }
  visit(parse(source, { modern: true }).fragment)
  return found
}

describe('a component', () => {
  it('holds no words of its own', () => {
    const files = readdirSync('web', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.svelte'))
      .map((file) => `web/${file.replaceAll('\\', '/')}`)
    expect(files.length).toBeGreaterThan(30)
    const found = files.flatMap((file) => wordsIn(readFileSync(file, 'utf8')).map((words) => `${file}: ${words}`))
    expect(found).toEqual([])
  })

  it('would be found if it did', () => {
    expect(wordsIn('<p>Hello {name}</p>')).toEqual(['Hello'])
    expect(wordsIn('<b title="a hint" class="some class">{x}</b>')).toEqual(['a hint'])
    expect(wordsIn('{#if x}<i>θ × 2</i>{/if}')).toEqual([])
  })
})
