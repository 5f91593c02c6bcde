// Read's words: what its chapters and ruler say. They are fetched with the page.
import { chapters } from './chapters'
import { page } from './page'

export const read = { chapters, page }

/** What every other language has to have. */
export type ReadWords = typeof read
