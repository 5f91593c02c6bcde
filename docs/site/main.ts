// The script of a page of the documentation: its list of pages on small screens, and the search.
import './docs.css'
import { search } from './search'

/** As in docs.css. */
const narrow = matchMedia('(max-width: 60rem)')
const list = document.querySelector('nav details')

// A wide window always shows the list, and nothing to open it.
const fitList = () => {
  if (list instanceof HTMLDetailsElement) list.open = !narrow.matches
}
fitList()
narrow.addEventListener('change', fitList)

const box = document.querySelector('search')
const address = document.body.dataset['docs']
if (box && address !== undefined) search(box, new URL(address, location.href))
