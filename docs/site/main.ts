// The script of a page of the documentation: its theme, its list of pages on small screens, and the search.
import MiniSearch from 'minisearch'
import './docs.css'
import { searchOptions } from './searchOptions'
import { storedScheme } from './scheme'

const most = 12

const scheme = storedScheme()
if (scheme) document.documentElement.dataset['scheme'] = scheme

const list = document.querySelector('nav details')
if (list instanceof HTMLDetailsElement && matchMedia('(max-width: 60rem)').matches) list.open = false

const field = document.querySelector('search input')
const results = document.querySelector('search ol')
const address = document.body.dataset['docs']

if (field instanceof HTMLInputElement && results instanceof HTMLElement && address !== undefined) {
  let fetched: Promise<MiniSearch> | undefined
  const index = () =>
    (fetched ??= fetch(address)
      .then((response) => response.text())
      .then((text) => MiniSearch.loadJSON(text, searchOptions)))

  const show = async () => {
    const query = field.value.trim()
    const search = query === '' ? undefined : await index()
    // A newer text may have been typed while the index came.
    if (query !== field.value.trim()) return
    const found = search?.search(query).slice(0, most) ?? []
    results.replaceChildren(...found.map(({ id, heading, page }) => item(String(id), String(heading), String(page))))
    if (search && found.length === 0) results.append(nothing(query))
    results.hidden = query === ''
  }

  field.addEventListener('input', () => {
    show().catch(() => {
      fetched = undefined
      results.replaceChildren(line('The index cannot be fetched. Type again to retry.'))
      results.hidden = false
    })
  })
  field.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') results.hidden = true
    if (key === 'Enter') results.querySelector('a')?.click()
  })
}

function item(address: string, heading: string, page: string): HTMLElement {
  const link = document.createElement('a')
  link.href = new URL(address, new URL('./', new URL(document.body.dataset['docs'] ?? '', location.href))).href
  const where = document.createElement('small')
  where.textContent = heading === page ? '' : page
  link.append(heading, ' ', where)
  const entry = document.createElement('li')
  entry.append(link)
  return entry
}

const nothing = (query: string) => line(`Nothing about “${query}”.`)

function line(text: string): HTMLElement {
  const entry = document.createElement('li')
  entry.textContent = text
  return entry
}
