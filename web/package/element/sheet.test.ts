import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { hostTheme } from './sheet'

it('the page’s theme becomes the host’s', () => {
  const theme = readFileSync('web/styles/theme.css', 'utf8')
  const css = hostTheme(theme)
  expect(css).toMatch(/^:host \{ display: block; color-scheme: light dark; /)
  expect(css).toContain('--ink: var(--rope-ink, light-dark(#1b1d22, #eceae4));')
  expect(css).toContain('--query: var(--rope-query, light-dark(#2a55c4, #8fb0ff));')
  expect(css).toMatch(/--mono: var\(--rope-mono, ui-monospace,[^;]*monospace\);/)
  const dark = /\n:root\[data-scheme='dark'\] \{([^}]*)\}/.exec(theme)?.[1]
  expect(css.match(/light-dark\(/g)).toHaveLength(dark?.match(/--/g)?.length ?? NaN)
})
