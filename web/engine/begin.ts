// Imported before all else: the worker's code is fetched while the page's own is still being read.
import { prepareWorker } from './spawn'

prepareWorker()
