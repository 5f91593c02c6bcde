import type { Options } from 'minisearch'

/** The fields of a part of a page that are searched, and those that a result shows. The index is read with the options it was made with. */
export const searchOptions: Options = {
  idField: 'address',
  fields: ['heading', 'page', 'text'],
  storeFields: ['heading', 'page'],
  searchOptions: { boost: { heading: 3, page: 2 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' },
}
