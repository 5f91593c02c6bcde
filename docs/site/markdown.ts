// Markdown of docs/ to HTML, with the text of each part for the search.
import { posix } from 'node:path'
import MarkdownIt from 'markdown-it'
import { pagePaths } from './contents.ts'

/** A heading with what stands below it, up to the next one. */
export interface Part {
  /** The page's address below docs/, with the heading's anchor but for the first. */
  address: string
  heading: string
  text: string
}

export interface Page {
  /** From docs/, as `reference/links.md`. */
  path: string
  title: string
  html: string
  parts: readonly Part[]
  /** The pictures that it shows, as paths in docs/. */
  pictures: readonly string[]
}

/** Where a page is on the site, below docs/: one of another folder is in a folder of that name. */
export const addressOf = (path: string): string => path.replace(/^\.\.\//, '').replace(/\.md$/, '.html')

/** A heading's anchor: its letters and digits, as GitHub writes it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** Gives each heading of a page an anchor of its own: as on GitHub, the second one of the same words has `-1` at its end. */
function anchors(): (heading: string) => string {
  const taken = new Set<string>()
  return (heading) => {
    const first = anchorOf(heading)
    let anchor = first
    for (let number = 1; taken.has(anchor); number++) anchor = `${first}-${number}`
    taken.add(anchor)
    return anchor
  }
}

/**
 * @param path of the page, from docs/
 * @param repository address of the repository, which has the files that are no pages; empty: they are named as code, without a link
 */
export function readPage(path: string, markdown: string, repository: string): Page {
  const parser = new MarkdownIt({ html: false, linkify: false, typographer: false })
  const fence = parser.renderer.rules.fence
  // What scrolls can be scrolled by keyboard.
  if (fence)
    parser.renderer.rules.fence = (...parameters) => fence(...parameters).replace('<pre>', '<pre tabindex="0">')
  const tokens = parser.parse(markdown, {})
  const parts: Part[] = []
  const pictures: string[] = []
  const nextAnchor = anchors()
  /** Of the link: a file without an address is named as code. */
  let element = 'a'
  tokens.forEach((token, at) => {
    const inline = tokens[at + 1]
    if (token.type === 'heading_open' && inline) {
      const heading = plain(inline)
      const anchor = nextAnchor(heading)
      token.attrSet('id', anchor)
      parts.push({ address: addressOf(path) + (parts.length > 0 ? `#${anchor}` : ''), heading, text: '' })
    }
    if (token.type === 'table_open') token.attrSet('tabindex', '0')
    const part = parts.at(-1)
    if (part && ['inline', 'fence', 'code_block'].includes(token.type) && tokens[at - 1]?.type !== 'heading_open')
      part.text += `${token.type === 'inline' ? plain(token) : token.content}\n`
    for (const child of token.children ?? []) {
      if (child.type === 'image')
        pictures.push(posix.normalize(posix.join(posix.dirname(path), String(child.attrGet('src') ?? ''))))
      if (child.type === 'link_open') {
        const href = linkFrom(path, String(child.attrGet('href') ?? ''), repository)
        child.attrs = href === undefined ? [] : [['href', href]]
        element = href === undefined ? 'code' : 'a'
      }
      if (child.type === 'link_open' || child.type === 'link_close') child.tag = element
    }
  })
  const [first] = parts
  if (!first) throw new Error(`docs/${path} has no heading`)
  return { path, title: first.heading, html: parser.renderer.render(tokens, parser.options, {}), parts, pictures }
}

/** The text of inline tokens, without its marks. */
function plain({ children }: { children: { content: string }[] | null }): string {
  return (children ?? []).map(({ content }) => content).join('')
}

/** A link as the site has it; undefined: to a file of the repository, where that has no address. */
function linkFrom(path: string, link: string, repository: string): string | undefined {
  if (/^(https?:|#)/.test(link)) return link
  const [file = '', anchor] = link.split('#')
  const hash = anchor === undefined ? '' : `#${anchor}`
  const target = posix.normalize(posix.join(posix.dirname(path), file))
  if (pagePaths.includes(target)) return posix.relative(posix.dirname(addressOf(path)), addressOf(target)) + hash
  return repository === '' ? undefined : `${repository}/blob/HEAD/${posix.join('docs', target)}${hash}`
}
