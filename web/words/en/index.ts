// The English words: a file a view or a part of the page.
import { distance } from './distance'
import { frame } from './frame'
import { map } from './map'
import { score } from './score'

export const en = { distance, frame, map, score }
