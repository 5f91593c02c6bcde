// The messages of the npm package, which carries none of the page.
import { pack } from './en/package'

export const messages = pack
