// The stories of every page, in the order of their chips.
import { copying } from './copying'
import { muteFastest } from './muteFastest'
import { oneBack } from './oneBack'
import { rotationForbids } from './rotationForbids'
import { shiftAll } from './shiftAll'
import { stretch } from './stretch'
import type { Story } from './story'

export const stories: readonly Story[] = [oneBack, muteFastest, shiftAll, stretch, rotationForbids, copying]
