// Read in Hungarian, with the frame of its figures.
import type { Translation } from '../edition.svelte'
import { chapters } from './chapters'
import { figures } from './figures'
import { elements, errata, frame } from './frame'
import { keys } from './keys'
import { room } from './room'
import { shift } from './shift'
import { trials } from './trials'

export const read: Translation['read'] = { chapters, figures, room }
export const page: Translation['page'] = { elements, errata, frame, keys, shift, trials }
