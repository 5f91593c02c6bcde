// The words of the npm package: apart from the page's, which it does not carry.
import { pack } from './en/package'

export const said = pack
