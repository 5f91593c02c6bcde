// The English words: a file a view or a part of the page.
import { bench } from './bench'
import { distance } from './distance'
import { elements } from './elements'
import { engine } from './engine'
import { frame } from './frame'
import { loading } from './loading'
import { map } from './map'
import { page } from './page'
import { points } from './points'
import { score } from './score'
import { verdict } from './verdict'
import { writing } from './writing'

export const en = { bench, distance, elements, engine, frame, loading, map, page, points, score, verdict, writing }
