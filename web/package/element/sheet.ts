// How the element looks: the page's own styles, for a shadow root. Adopted, not written into it: a strict style-src has nothing to refuse.
import base from '../../styles/base.css?raw'
import theme from '../../styles/theme.css?raw'
import marks from '../../styles/marks.css?raw'

const components: string[] = []
let made: CSSStyleSheet | undefined

/** A component's own style, told when its module is read (package/element.js). */
export function style(css: string): void {
  components.push(css)
}

/** One for all elements. */
export function sheet(): CSSStyleSheet {
  if (made) return made
  made = new CSSStyleSheet()
  made.replaceSync([hostTheme(theme), base, marks, ...components].join('\n'))
  return made
}

/**
 * The page's theme as that of a shadow root's host: light or dark as its `color-scheme` says, which follows the system unless the page around
 * says otherwise, and each custom property (`--ink`) as that page's own (`--rope-ink`) where it has one.
 */
export function hostTheme(css: string): string {
  const dark = new Map(propertiesIn(css, ":root[data-scheme='dark']"))
  const lines = propertiesIn(css, ':root').map(([name, light]) => {
    const other = dark.get(name)
    return `--${name}: var(--rope-${name}, ${other === undefined ? light : `light-dark(${light}, ${other})`});`
  })
  return `:host { display: block; color-scheme: light dark; ${lines.join(' ')} }`
}

function propertiesIn(css: string, selector: string): [name: string, value: string][] {
  const from = css.indexOf(`\n${selector} {`)
  const block = css.slice(from, css.indexOf('\n}', from))
  return [...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value])
}
