// The English words: a file a view or a part of the page.
import { bench } from './bench'
import { engine } from './engine'
import { frame } from './frame'
import { lines } from './lines'
import { map } from './map'
import { page } from './page'
import { score } from './score'

export const en = { bench, engine, frame, lines, map, page, score }
