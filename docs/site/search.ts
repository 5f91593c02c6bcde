// The search box of a page of the documentation.
import MiniSearch from 'minisearch'
import { find, searchOptions } from './searchOptions'

const most = 12

/** @param address of the index, which is fetched when it is first needed */
export function search(box: Element, address: URL): void {
  const field = box.querySelector('input')
  const results = box.querySelector('ol')
  const status = box.querySelector('[role=status]')
  if (!field || !results || !status) return

  let fetched: Promise<MiniSearch> | undefined
  const index = () =>
    (fetched ??= fetch(address)
      .then((response) => response.text())
      .then((text) => MiniSearch.loadJSON(text, searchOptions)))

  /** Screen readers hear what the list says, or how long it is. */
  const open = (entries: readonly Node[], message: string) => {
    results.replaceChildren(...entries)
    results.hidden = false
    status.textContent = message
  }
  const openMessage = (message: string) => open([entry(message)], message)
  const close = () => {
    results.hidden = true
    status.textContent = ''
  }

  const show = async () => {
    const query = field.value.trim()
    if (query === '') return close()
    const found = find(await index(), query)
    // A newer text may have been typed while the index came.
    if (query !== field.value.trim()) return
    if (found.length === 0) return openMessage(`Nothing about “${query}”.`)
    const links = found
      .slice(0, most)
      .map(({ id, heading, page }) => link(new URL(String(id), address), String(heading), String(page)))
    open(links.map(entry), found.length > most ? `${found.length} results, ${most} in the list` : countOf(found.length))
  }

  const update = () => {
    show().catch(() => {
      fetched = undefined
      openMessage('The index cannot be fetched. Type again to retry.')
    })
  }

  field.addEventListener('input', update)
  // The visitor may have typed before this script came.
  if (document.activeElement === field) update()
  field.addEventListener('keydown', ({ key }) => {
    if (key !== 'Enter') return
    if (results.hidden) update()
    else results.querySelector('a')?.click()
  })
  box.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent) || event.key !== 'Escape' || results.hidden) return
    // The text stays: browsers empty a search field by Escape.
    event.preventDefault()
    field.focus()
    close()
  })

  const closeFrom = (target: EventTarget | null) => {
    if (target instanceof Node && !box.contains(target)) close()
  }
  document.addEventListener('pointerdown', ({ target }) => closeFrom(target))
  document.addEventListener('focusin', ({ target }) => closeFrom(target))
}

const countOf = (count: number) => (count === 1 ? '1 result' : `${count} results`)

function link(address: URL, heading: string, page: string): HTMLElement {
  const link = document.createElement('a')
  link.href = address.href
  const where = document.createElement('small')
  where.textContent = heading === page ? '' : page
  link.append(heading, ' ', where)
  return link
}

function entry(content: Node | string): HTMLElement {
  const entry = document.createElement('li')
  entry.append(content)
  return entry
}
