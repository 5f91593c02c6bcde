// The page's styles in a shadow root. It adopts a sheet: a strict style-src would refuse a <style>.
import base from '../../styles/base.css?raw'
import theme from '../../styles/theme.css?raw'
import marks from '../../styles/marks.css?raw'

const components: string[] = []
let cached: CSSStyleSheet | undefined

/** Adds a component's style. Its module calls this as it loads (package/element.js). */
export function style(css: string): void {
  components.push(css)
}

/** All elements share one sheet. */
export function sheet(): CSSStyleSheet {
  if (cached) return cached
  cached = new CSSStyleSheet()
  cached.replaceSync([hostTheme(theme), base, marks, ...components].join('\n'))
  return cached
}

/**
 * The theme for a shadow root's host. It is light or dark by `color-scheme`, which follows the system unless the host page sets it, and takes
 * a property (`--ink`) from the host page where that sets `--rope-ink`.
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
