// Read's words: what its chapters and ruler say. They are fetched with the room.
import { chapters } from './chapters'
import { room } from './room'

export const read = { chapters, room }

/** What every other language has to have. */
export type ReadWords = typeof read
