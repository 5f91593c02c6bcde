/**
 * A formula in TeX, as MathML for {@html …}: tex`\theta_i = 10000^{-2i/d}`. The build replaces each use by its MathML
 * (vite.config.ts), so the argument must be a plain literal; nothing of this is left in the page.
 */
export function tex(source: TemplateStringsArray): string {
  throw new Error(`a formula was not rendered by the build: ${source.raw.join('')}`)
}
