// The page's first script, a file of its own: the worker starts, and the model that the link names is asked for, while the page's own
// code is still on its way.
import { prepareWorker } from '../engine/client/spawn'
import { bundledSource, linkedFolder } from '../services/bundled'

const folder = linkedFolder(location.hash)
prepareWorker(folder === undefined ? undefined : bundledSource(folder))
