// The English words: a file a view or a part of the page.
import { bench } from './bench'
import { distance } from './distance'
import { engine } from './engine'
import { frame } from './frame'
import { map } from './map'
import { mute } from './mute'
import { page } from './page'
import { score } from './score'

export const en = { bench, distance, engine, frame, map, mute, page, score }
