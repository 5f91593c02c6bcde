// A page of the documentation as an HTML file.
import { posix } from 'node:path'
import { contents, pagePaths } from './contents.ts'
import { addressOf, type Page } from './markdown.ts'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"

/** No heading's anchor has a dot. */
const mainId = 'main.text'

/** Files of the site, as paths below the site's root. */
export interface Files {
  /** A classic script, which runs before the page is drawn. */
  paintScheme: string
  script: string
  styles: readonly string[]
  icon: string
}

export function htmlOf(page: Page, pages: readonly Page[], files: Files): string {
  const address = posix.join('docs', addressOf(page.path))
  const to = (file: string) => posix.relative(posix.dirname(address), file)
  const titleOf = (path: string) => pages.find((one) => one.path === path)?.title ?? path
  const link = (path: string) => {
    const current = path === page.path ? ' aria-current="page"' : ''
    return `<li><a href="${to(posix.join('docs', addressOf(path)))}"${current}>${escaped(titleOf(path))}</a></li>`
  }
  const sections = contents.map(({ title, pages }) => `<h2>${escaped(title)}</h2><ul>${pages.map(link).join('')}</ul>`)
  const next = pagePaths[pagePaths.indexOf(page.path) + 1]
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <title>${escaped(page.title)} · ropescope</title>
    <link rel="icon" href="${to(files.icon)}" type="image/svg+xml" />
${files.styles.map((file) => `    <link rel="stylesheet" href="${to(file)}" />`).join('\n')}
    <script src="${to(files.paintScheme)}"></script>
    <script type="module" src="${to(files.script)}"></script>
  </head>
  <body data-docs="${to('docs/search.json')}">
    <a class="skip" href="#${mainId}">Skip to the text</a>
    <header>
      <a href="${to('index.html')}">ropescope</a>
      <search><input type="search" aria-label="Search the docs" placeholder="Search the docs" autocomplete="off" /><ol hidden></ol><p class="unseen" role="status"></p></search>
    </header>
    <nav aria-label="Pages"><details open><summary>Pages</summary>${sections.join('')}</details></nav>
    <main id="${mainId}" tabindex="-1">
${page.html}${next === undefined ? '' : `<p class="next">Next: <a href="${to(posix.join('docs', addressOf(next)))}">${escaped(titleOf(next))}</a></p>`}
    </main>
  </body>
</html>
`
}

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
