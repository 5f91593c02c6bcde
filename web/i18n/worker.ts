// The words that the engine says, in the worker and before it: apart from the others, so that the worker need not carry them all.
import { failures } from './en/failures'
import { files } from './en/files'

export const said = { failures, files }
