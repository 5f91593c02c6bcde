// Read's words: what its chapters and ruler say. They are fetched with the room.
import { chapters } from './chapters'
import { errata } from './errata'
import { room } from './room'

export const read = { chapters, errata, room }

/** What every other language has to have. */
export type ReadWords = typeof read
