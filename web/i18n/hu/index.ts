// Read in Hungarian.
import type { ReadWords } from '../en/read'
import { chapters } from './chapters'
import { page } from './page'

export const read: ReadWords = { chapters, page }
