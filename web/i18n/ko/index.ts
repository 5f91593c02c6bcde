// Read in Korean, with the frame of its figures.
import type { Translation } from '../words.svelte'
import { chapters } from './chapters'
import { errata } from './errata'
import { elements, frame } from './frame'
import { keys } from './keys'
import { room } from './room'

export const read: Translation['read'] = { chapters, errata, room }
export const page: Translation['page'] = { elements, frame, keys }
