// The page's first script, in a file of its own: starts the worker and the download of the link's model while the page's own code is still
// loading.
import { prepareWorker } from '../engine/client/spawn'
import { bundledSource, linkedFolder } from '../services/bundled'

const folder = linkedFolder(location.hash)
prepareWorker(folder === undefined ? undefined : bundledSource(folder))
