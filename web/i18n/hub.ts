// The words about models of the hub: apart from the others, because they are fetched with the code that needs them.
import { hub } from './en/hub'

export const hubWords = hub
/** What goes wrong between the page, the hub and the disk. */
export const said = hub.failures
