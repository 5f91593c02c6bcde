// Read in Hungarian.
import type { ReadWords } from '../en/read'
import { chapters } from './chapters'
import { room } from './room'

export const read: ReadWords = { chapters, room }
