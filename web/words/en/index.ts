// The English words: a file a view or a part of the page.
import { change } from './changed'
import { frame } from './frame'
import { map } from './map'
import { predictions } from './predictions'
import { score } from './score'
import { shift } from './shift'

export const en = { change, frame, map, predictions, score, shift }
