// The English words: a file a view or a part of the page.
import { change } from './changed'
import { compare } from './compare'
import { frame } from './frame'
import { map } from './map'
import { predictions } from './predictions'
import { score } from './score'
import { shift } from './shift'

export const en = { change, compare, frame, map, predictions, score, shift }
