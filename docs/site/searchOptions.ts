import MiniSearch, { type Options, type SearchResult } from 'minisearch'

const words: (text: string) => string[] = MiniSearch.getDefault('tokenize')
const optionName = /(?<![\w-])--[a-z][\w-]*/g
const isOption = (term: string) => term.startsWith('--')

/** The fields of a part of a page that are searched, and those that a result shows. The index is read with the options it was made with. */
export const searchOptions: Options = {
  idField: 'address',
  fields: ['heading', 'page', 'text'],
  storeFields: ['heading', 'page'],
  // An option of the command line is found by its name with the hyphens, and by its words.
  tokenize: (text) => [...(text.match(optionName) ?? []), ...words(text)],
  searchOptions: {
    tokenize: (query) => [...(query.match(optionName) ?? []), ...words(query.replace(optionName, ' '))],
    boost: { heading: 3, page: 2 },
    // Who looks for an option looks for its meaning.
    boostDocument: (address, term) =>
      isOption(term) && String(address).startsWith('reference/commands.html') ? 10 : 1,
    // Of a shorter term half of all pages would be found.
    prefix: (term) => term.length >= 3,
    fuzzy: (term) => !isOption(term) && term.length >= 5 && 0.2,
    combineWith: 'AND',
  },
}

/** The parts that have all words of a query; where none has, those that have any of them, the best first. */
export function find(index: MiniSearch, query: string): SearchResult[] {
  const found = index.search(query)
  return found.length > 0 ? found : index.search(query, { combineWith: 'OR' })
}
